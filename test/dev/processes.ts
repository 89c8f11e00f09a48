import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  /** `Z` for one that has ended and was not waited for yet. */
  readonly state: string;
}

function allProcesses(): readonly ProcessLine[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [pid = '', parent = '', state = ''] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), state };
    });
}

/** Whether a process runs; one that has ended and only waits for its parent does not. */
export const isAlive = (pid: number): boolean =>
  allProcesses().some((line) => line.pid === pid && !line.state.startsWith('Z'));

/** The process itself and all below it. */
export function processTree(root: number): readonly number[] {
  const all = allProcesses();
  const below = (pid: number): readonly number[] => [
    pid,
    ...all.filter(({ parent }) => parent === pid).flatMap((child) => below(child.pid)),
  ];
  return below(root);
}

/** Waits until none of the processes runs; throws with those that are left after the limit (ms). */
export async function untilGone(pids: readonly number[], limit = 10_000): Promise<void> {
  const end = performance.now() + limit;
  let left = pids.filter(isAlive);
  while (left.length > 0) {
    if (performance.now() > end) throw new Error(`still running: ${left.join(', ')}`);
    await sleep(50);
    left = left.filter(isAlive);
  }
}
