import { and } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import type { Scope } from '../plan/aggregation-plan';
import { inDates } from '../queries/range-bounds';
import type { NanosSpan } from '../values/date-bound';
import { minuteMs } from './minute-counts';
import type { TimeSorted } from './time-sorted';

/** Of a time range without counts, this part next to the sorted end is counted. */
const nearestPart = 1 / 16;

/** The rows of a scope from its sorted end up to a minute, that minute whole. `edge`: epoch ms of its start. */
export const trimmedScope = (sorted: TimeSorted, scope: Scope, edge: number): Scope =>
  narrowed(sorted, scope, sorted.order === 'asc' ? edge + minuteMs : edge);

/**
 * The part of a scope that lies next to its sorted end, in whole minutes; undefined where the time range is open at
 * the other end, or too short to have such a part. A range without an end ends now (epoch ms).
 */
export function nearestScope(sorted: TimeSorted, scope: Scope, now: number): Scope | undefined {
  const { from, to = now } = sorted.span;
  if (from === undefined || (to - from) * nearestPart < minuteMs) return undefined;
  const length = Math.ceil(((to - from) * nearestPart) / minuteMs) * minuteMs;
  const floor = (instant: number): number => Math.floor(instant / minuteMs) * minuteMs;
  return narrowed(sorted, scope, floor(sorted.order === 'asc' ? from + length : to - length));
}

/** Rows before (ascending) or from (descending) an instant on. The field's own type compares, so that keys prune. */
function narrowed({ field, order }: TimeSorted, scope: Scope, instant: number): Scope {
  const nanos = BigInt(instant) * 1_000_000n;
  const span: NanosSpan = order === 'asc' ? { to: nanos - 1n } : { from: nanos };
  const range: readonly Expr[] = scope.timeRange ? [scope.timeRange] : [];
  return { ...scope, timeRange: and([...range, inDates(field, span)]) };
}
