import { aggregate, filtered, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { invalidOrderPath, unsupported } from '../../common/errors/catalogue';
import type { CalendarUnit } from '../aggregations/bucket/date-rounding';
import type {
  AggregationContext,
  KeyOrder,
  LevelOrder,
  MetricNode,
  NamedAggregation,
  OrderColumn,
  ScoreOrder,
} from '../aggregations/definition';

/** One item of a level's order; a sub-metric's item has its column. */
export type PlannedOrder =
  | { readonly by: 'count'; readonly direction: 'ASC' | 'DESC' }
  | KeyOrder
  | ScoreOrder
  | {
      readonly by: 'metric';
      readonly column: Expr;
      readonly missing: 'last' | number;
      readonly unit: CalendarUnit | undefined;
      readonly direction: 'ASC' | 'DESC';
    };

type MetricOrder = Extract<LevelOrder, { readonly by: 'metric' }>;

/**
 * Finds what an order path means below a bucket aggregation (Elasticsearch 7.17 `AggregationPath`). Throws its error for a path
 * that leads nowhere.
 */
export function planOrder(
  item: LevelOrder,
  subs: readonly NamedAggregation[],
  context: AggregationContext,
): PlannedOrder {
  if (item.by !== 'metric') return item;
  const { direction } = item;
  const { value, missing, unit } = orderColumn(item, item.through, subs, context);
  // a metric of an unmapped field has no column: no bucket has a value, and all tie
  return {
    by: 'metric',
    column: value ?? param(null, 'Nullable(Float64)'),
    missing,
    unit,
    direction,
  };
}

function orderColumn(
  item: MetricOrder,
  [next, ...rest]: readonly string[],
  subs: readonly NamedAggregation[],
  context: AggregationContext,
): OrderColumn {
  const { node, subs: below } = findNamed(item, next ?? item.aggregation, subs);
  if (node.family === 'fixed' && node.single) {
    const [condition] = node.conditions(context);
    const inside = (value: Expr): Expr => (condition ? filtered(value, condition) : value);
    if (next === undefined) {
      if (!['', 'doc_count'].includes(item.path))
        throw invalidOrderPath(item.text, onlyCount(item));
      return { value: inside(aggregate('count')), missing: 0 };
    }
    const found = orderColumn(item, rest, below, context);
    return { ...found, value: found.value && inside(found.value) };
  }
  // Elasticsearch orders by it, as by any metric
  if (node.type === 'top_metrics') throw unsupported('an order of buckets by [top_metrics]');
  const metric = next === undefined && node.family === 'metric' ? node : undefined;
  const found = metric?.orderColumn(item.path, context);
  if (!found) throw invalidOrderPath(item.text, whyNot(item, metric, context));
  return found;
}

/** Its documents are others than those of the bucket that is ordered. */
const isNesting = ({ type }: NamedAggregation['node']): boolean =>
  type === 'nested' || type === 'reverse_nested';

function findNamed(
  item: MetricOrder,
  wanted: string,
  subs: readonly NamedAggregation[],
): NamedAggregation {
  const found = subs.find(({ name }) => name === wanted);
  if (found && isNesting(found.node))
    throw unsupported(`an order by what is in aggregation [${found.node.type}]`);
  if (found) return found;
  throw invalidOrderPath(
    item.text,
    `The provided aggregation [${wanted}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
  );
}

const onlyCount = ({ aggregation }: MetricOrder): string =>
  `Ordering on a single-bucket aggregation can only be done on its doc_count. Either drop the key (a la "${aggregation}") or change it to "doc_count" (a la "${aggregation}.doc_count")`;

/** Why a metric, or what is none, cannot order buckets: Elasticsearch 7.17 `Aggregator.bucketComparator`. */
function whyNot(
  { aggregation, path }: MetricOrder,
  metric: MetricNode | undefined,
  context: AggregationContext,
): string {
  if (!metric)
    return 'Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end.';
  if (metric.orderColumn('', context))
    return `Ordering on a single-value metrics aggregation can only be done on its value. Either drop the key (a la "${aggregation}") or change it to "value" (a la "${aggregation}.value")`;
  return path === ''
    ? 'When ordering on a multi-value metrics aggregation a metric name must be specified.'
    : `Unknown metric name [${path}] on multi-value metrics aggregation [${aggregation}]`;
}
