import { readFileSync } from 'node:fs';

/** Processor time of a process in ms, as Linux counts it (in steps of 10 ms); NaN where it cannot be known. */
export function processorMs(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return NaN;
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .replace(/^.*\)/s, '')
    .split(' ');
  return (Number(fields[12]) + Number(fields[13])) * 10;
}

/** The most memory that a process has held, in bytes; NaN where it cannot be known. */
export function peakBytes(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return NaN;
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  return Number(line?.[1] ?? NaN) * 1024;
}
