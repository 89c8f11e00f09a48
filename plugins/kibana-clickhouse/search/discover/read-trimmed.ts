import type { ResultSet } from '../../clickhouse/execution/executor';
import type { SelectNode } from '../../clickhouse/sql/nodes';
import type { HitsPlan } from '../hits/plan-hits';
import { type Hits, noHits } from '../hits/read-hits';
import { readMinutes } from './minute-counts';
import type { DiscoverPlan } from './plan-discover';

/** How the steps are run. */
export interface DiscoverRun {
  readonly run: (select: SelectNode) => Promise<ResultSet>;
  readonly read: (hits: HitsPlan) => Promise<Hits>;
}

/**
 * Counts, then reads the hits of the minutes that the page needs. Those of the whole time range (`whole`) are read where the
 * counts do not reach that far, and where fewer come than were counted: rows that were deleted or merged in between.
 */
export async function readTrimmed(
  plan: DiscoverPlan,
  whole: HitsPlan,
  { run, read }: DiscoverRun,
): Promise<Hits> {
  const { counts, counted, from, size, trimmed } = plan;
  const { rows, edge } = readMinutes(counts, await run(counts.select));
  if (counted === 'all' && rows <= from) return noHits;
  if (edge === undefined || (counted === 'nearest' && rows < from + size)) return read(whole);
  const hits = await read(trimmed(edge));
  if (hits.rows >= Math.min(size, rows - from)) return hits;
  await hits.close();
  return read(whole);
}
