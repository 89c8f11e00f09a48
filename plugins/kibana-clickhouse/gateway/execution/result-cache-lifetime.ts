import type { SearchIdentity } from '../../clickhouse/execution/executor';
import type { TimeRounding } from '../../search/time-rounding';

/** A range that ended this long ago is over: late rows excepted, nothing is added to it. */
const CLOSED_AFTER_MS = 60_000;
/** How long the result of such a range lives. */
const CLOSED_LIFETIME_MS = 10 * 60_000;

/**
 * How long a result may live, in ms from when it was asked for; 0: it is not kept. Where rows still come, no longer than the
 * step by which times are rounded: an answer is never older than rounding makes it anyway.
 */
export function resultLifetimeMs(
  { endMs }: Pick<SearchIdentity, 'endMs'>,
  rounding: Pick<TimeRounding, 'stepMs'> | undefined,
  now: number,
): number {
  const isClosed = endMs !== undefined && endMs < now - CLOSED_AFTER_MS;
  return isClosed ? CLOSED_LIFETIME_MS : (rounding?.stepMs ?? 0);
}
