import { alwaysTrue, and } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { type TimeRounding, roundedSpan } from '../time-rounding';
import type { NanosSpan } from '../values/date-bound';
import type { QueryContext, QueryNode, TimeSpan } from './definition';
import { inDates } from './range-bounds';

/** A query's condition with the time range kept apart. */
export interface SplitCondition {
  readonly where: Expr;
  /** The ranges on the search's time field that all must hold, rounded where the context says so; absent without one. */
  readonly timeRange?: Expr;
  /** What the ranges on the time field leave of time, as it was asked for: not rounded. */
  readonly timeSpan?: TimeSpan;
  /** What the condition leaves of time by the required ranges on a field; open where nothing is said. */
  readonly span: (field: string) => TimeSpan;
}

/**
 * Splits a query into the ranges on its time field, as far as they must all hold, and the rest. The
 * time field is the table's own where a range names it, else the one that the first range on a date
 * field names.
 */
export function splitCondition(
  query: QueryNode | undefined,
  context: QueryContext & {
    /** How the time range is rounded; absent: not at all. */
    readonly rounding?: TimeRounding;
  },
): SplitCondition {
  const spans = query === undefined ? [] : requiredSpans(query, context);
  const names = new Set(spans.map(({ span }) => span.field));
  const { timeField } = context.table;
  const chosen = timeField !== undefined && names.has(timeField) ? timeField : [...names][0];
  const ranges = spans.filter(({ span }) => span.field === chosen).map(({ node }) => node);
  // what must hold can stand outside of the rest without changing what matches
  const where = query?.toCondition({ ...context, assumed: new Set(ranges) }) ?? alwaysTrue;
  const span = (field: string): TimeSpan => intersection(field, spans);
  if (chosen === undefined) return { where, span };
  const timeRange = and(ranges.map((node) => node.toCondition(context)));
  const timeSpan = span(chosen);
  return { where, timeRange, timeSpan, span, ...rounded(timeSpan, span, context) };
}

/** What rounding changes; nothing where it is off or the span is too short. */
function rounded(
  asked: TimeSpan,
  span: SplitCondition['span'],
  { table, now, rounding }: Parameters<typeof splitCondition>[1],
): Partial<SplitCondition> {
  const field = table.field(asked.field);
  const wider = rounding && roundedSpan(asked, rounding, now);
  if (!field || !wider) return {};
  return {
    timeRange: inDates(field, inNanos(wider, field.type === 'date_nanos' ? 1n : NANOS_PER_MS)),
    span: (name) => (name === asked.field ? wider : span(name)),
  };
}

const NANOS_PER_MS = 1_000_000n;

/** `resolution`: ns that the field does not tell apart; an inclusive end takes all of them. */
const inNanos = ({ from, to, before }: TimeSpan, resolution: bigint): NanosSpan => ({
  ...(from !== undefined && { from: BigInt(from) * NANOS_PER_MS }),
  ...(before !== undefined
    ? { to: BigInt(before) * NANOS_PER_MS - 1n }
    : to !== undefined && { to: BigInt(to) * NANOS_PER_MS + resolution - 1n }),
});

interface SpannedNode {
  readonly node: QueryNode;
  readonly span: TimeSpan;
}

/** Every required clause that speaks of time, at any depth of required clauses. */
function requiredSpans(node: QueryNode, context: QueryContext): readonly SpannedNode[] {
  if (node.isNone()) return [];
  const span = node.timeSpan?.(context);
  return [
    ...(span ? [{ node, span }] : []),
    ...(node.required ?? []).flatMap((inner) => requiredSpans(inner, context)),
  ];
}

function intersection(field: string, spans: readonly SpannedNode[]): TimeSpan {
  let from: number | undefined;
  let last: Pick<TimeSpan, 'to' | 'before'> = {};
  for (const { span } of spans) {
    if (span.field !== field) continue;
    if (span.from !== undefined) from = Math.max(from ?? span.from, span.from);
    const { to, before } = span;
    if (to === undefined || to >= (last.to ?? Infinity)) continue;
    last = { to, ...(before !== undefined && { before }) };
  }
  return { field, ...(from !== undefined && { from }), ...last };
}
