import type { Outcome } from './verdict';
import { claims } from './claims';

/** Counts of one run. */
export interface FuzzReport {
  readonly seed: number;
  readonly outcomes: ReadonlyMap<Outcome, number>;
  /** In how many non-empty equal answers each feature stood. */
  readonly seen: ReadonlyMap<string, number>;
  /** How often each reason refused or excluded a request. */
  readonly reasons: ReadonlyMap<string, number>;
  /** One text for each kind of difference. */
  readonly found: readonly string[];
  readonly seconds: number;
}

const byCount = (counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${String(count).padStart(7)}  ${name}`);

/** What is claimed and stood in no answer that proves anything. */
export const unseen = ({ seen }: FuzzReport): readonly string[] =>
  claims.filter((claim) => !seen.has(claim));

/** The report as a person reads it. */
export function printReport(report: FuzzReport): string {
  const total = [...report.outcomes.values()].reduce((sum, count) => sum + count, 0);
  const missing = unseen(report);
  return [
    `${String(total)} random searches with seed ${String(report.seed)} in ${report.seconds.toFixed(0)} s: ` +
      [...report.outcomes].map(([outcome, count]) => `${String(count)} ${outcome}`).join(', '),
    'in how many equal answers with documents it stood:',
    ...byCount(new Map(claims.map((claim) => [claim, report.seen.get(claim) ?? 0]))),
    ...(report.reasons.size > 0
      ? ['refused by the product, or excluded:', ...byCount(report.reasons)]
      : []),
    ...(missing.length > 0 ? [`claimed, and in no such answer: ${missing.join(', ')}`] : []),
    ...report.found,
  ].join('\n');
}
