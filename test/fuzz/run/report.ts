import type { Tally } from './tally';

/** What one run gives. */
export interface FuzzReport {
  readonly seed: number;
  readonly tally: Tally;
  /** One text for each kind of difference. */
  readonly found: readonly string[];
  readonly seconds: number;
}

const byCount = (counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${String(count).padStart(7)}  ${name}`);

/** Outcomes in one line, with the seed that repeats the run. */
export function printOutcomes({ seed, tally, seconds }: Omit<FuzzReport, 'found'>): string {
  const outcomes = byCount(tally.outcomes).map((line) => line.trim().replace('  ', ' '));
  return `${String(tally.total())} random searches with seed ${String(seed)} in ${seconds.toFixed(0)} s: ${outcomes.join(', ')}`;
}

/** The report as a person reads it. */
export function printReport(report: FuzzReport): string {
  const { tally, found } = report;
  const missing = tally.unseen();
  return [
    printOutcomes(report),
    'in how many equal answers with documents it stood:',
    ...byCount(tally.seen),
    ...(tally.reasons.size > 0
      ? ['refused by the product, or excluded:', ...byCount(tally.reasons)]
      : []),
    ...(missing.length > 0 ? [`claimed, and in no such answer: ${missing.join(', ')}`] : []),
    `${String(found.length)} kinds of differences`,
    ...found,
  ].join('\n');
}
