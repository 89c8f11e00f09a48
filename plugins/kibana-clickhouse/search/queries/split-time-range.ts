import { alwaysTrue, and } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import type { QueryContext, QueryNode, TimeSpan } from './definition';

/** A query's condition with the time range kept apart. */
export interface SplitCondition {
  readonly where: Expr;
  /** The ranges on the search's time field that all must hold; absent without one. */
  readonly timeRange?: Expr;
  /** What `timeRange` leaves of time. */
  readonly timeSpan?: TimeSpan;
  /** What all required ranges on a field leave of time; open where nothing is said. */
  readonly span: (field: string) => TimeSpan;
}

/**
 * Splits a query into the ranges on its time field, as far as they must all hold, and the rest. The
 * time field is the table's own where a range names it, else the one that the first range on a date
 * field names.
 */
export function splitCondition(
  query: QueryNode | undefined,
  context: QueryContext,
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
  return { where, timeRange, timeSpan: span(chosen), span };
}

interface SpannedNode {
  readonly node: QueryNode;
  readonly span: TimeSpan;
}

/** Every required clause that speaks of time, at any depth of required clauses. */
function requiredSpans(node: QueryNode, context: QueryContext): readonly SpannedNode[] {
  const span = node.timeSpan?.(context);
  return [
    ...(span ? [{ node, span }] : []),
    ...(node.required ?? []).flatMap((inner) => requiredSpans(inner, context)),
  ];
}

function intersection(field: string, spans: readonly SpannedNode[]): TimeSpan {
  let from: number | undefined;
  let to: number | undefined;
  for (const { span } of spans) {
    if (span.field !== field) continue;
    if (span.from !== undefined) from = Math.max(from ?? span.from, span.from);
    if (span.to !== undefined) to = Math.min(to ?? span.to, span.to);
  }
  return { field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
