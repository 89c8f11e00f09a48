/** One line about what happens, on stderr: stdout carries only what a caller waits for. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
