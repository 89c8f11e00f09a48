import type { Expr } from '../../../clickhouse/sql/nodes';
import type { AggregationContext, FixedNode } from '../definition';

/** An aggregation with one bucket, of the documents for which a condition is true. */
export const singleBucket = (
  type: string,
  params: unknown,
  condition: (context: AggregationContext) => Expr,
): FixedNode => ({
  family: 'fixed',
  type,
  params,
  single: true,
  conditions: (context) => [condition(context)],
  assemble: ([bucket]) => ({ doc_count: bucket?.docCount ?? 0, ...bucket?.subs }),
});
