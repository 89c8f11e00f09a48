import { aggregate, binary, call, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import type {
  AggregationContext,
  ColumnScaling,
  MetricNode,
  NamedAggregation,
} from '../aggregations/definition';

/**
 * Documents of a group, as an aggregate: of all rows, estimated where only a part of them is read. An estimate is an
 * integer, too, and at least 1 where a row was read.
 */
export const documentCount = (sample: number | undefined): Expr =>
  estimatedCount(aggregate('count'), sample);

/** Any count of a group likewise. */
export const estimatedCount = (count: Expr, sample: number | undefined): Expr =>
  scaled(count, 'count', sample);

/** What a metric asks for, estimated for all rows where only a part of them is read. */
export function metricColumns(node: MetricNode, context: AggregationContext): readonly Expr[] {
  const columns = node.columns(context);
  const { sample } = context;
  if (sample === undefined) return columns;
  return columns.map((expr, i) => scaled(expr, scalingOf(node, i), sample));
}

/** Whether every metric of a request says what sampling does to it; hits cannot be estimated. */
export const areEstimable = (aggregations: readonly NamedAggregation[]): boolean =>
  aggregations.every(
    ({ node, subs }) =>
      node.family !== 'hits' &&
      (node.family !== 'metric' || node.scaling !== undefined) &&
      (node.family !== 'bucket' || node.exactCounts !== true) &&
      areEstimable(subs),
  );

function scalingOf({ type, scaling }: MetricNode, position: number): ColumnScaling {
  const found = typeof scaling === 'string' ? scaling : scaling?.[position];
  if (found === undefined) throw new TypeError(`sampling of [${type}] is not declared`);
  return found;
}

/** Divided by the part that was read. ClickHouse aggregates once, also where an order has the same aggregate undivided. */
function scaled(expr: Expr, scaling: ColumnScaling, sample: number | undefined): Expr {
  if (sample === undefined || scaling === 'value') return expr;
  const estimate = binary('/', expr, param(sample, 'Float64'));
  return scaling === 'sum' ? estimate : call('toUInt64', call('round', estimate));
}
