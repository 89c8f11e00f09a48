import { param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { invalidOrderPath } from '../../common/errors/catalogue';
import type {
  AggregationContext,
  BucketNode,
  Level,
  LevelOrder,
  MetricNode,
  NamedAggregation,
} from '../aggregations/definition';

/** A metric with the columns it asks for. */
export interface PlannedMetric {
  readonly named: NamedAggregation;
  readonly node: MetricNode;
  readonly columns: readonly Expr[];
}

/** One item of a level's order; a sub-metric's item has its column. */
export type PlannedOrder =
  | { readonly by: 'count' | 'key'; readonly direction: 'ASC' | 'DESC' }
  | {
      readonly by: 'metric';
      readonly column: Expr;
      readonly missing: 'last' | number;
      readonly direction: 'ASC' | 'DESC';
    };

/** A bucket aggregation; without a level it has no buckets, nor has anything below it. */
export interface PlannedBucket {
  readonly named: NamedAggregation;
  readonly node: BucketNode;
  readonly level: Level | undefined;
  readonly order: readonly PlannedOrder[];
  readonly content: PlannedContent;
}

/** The aggregations side by side at the root or in a bucket. */
export interface PlannedContent {
  /** In the request's order. */
  readonly members: readonly (PlannedMetric | PlannedBucket)[];
}

export const isPlannedMetric = (member: PlannedMetric | PlannedBucket): member is PlannedMetric =>
  member.node.family === 'metric';

/** The bucket aggregations that can have buckets. */
export const levelsOf = (content: PlannedContent): readonly PlannedLevel[] =>
  content.members.filter(
    (member): member is PlannedLevel => !isPlannedMetric(member) && member.level !== undefined,
  );

export const metricsOf = (content: PlannedContent): readonly PlannedMetric[] =>
  content.members.filter(isPlannedMetric);

/** A bucket aggregation that takes part in a statement. */
export type PlannedLevel = PlannedBucket & { readonly level: Level };

/** Asks every aggregation of a request what it needs of the table. Throws their errors. */
export function planContent(
  aggregations: readonly NamedAggregation[],
  context: AggregationContext,
): PlannedContent {
  return { members: aggregations.map((named) => planMember(named, context)) };
}

function planMember(
  named: NamedAggregation,
  context: AggregationContext,
): PlannedMetric | PlannedBucket {
  const { node } = named;
  if (node.family === 'metric') return { named, node, columns: node.columns(context) };
  const level = node.level(context);
  const order = (level?.order ?? []).map((item) => planOrder(item, named, context));
  return { named, node, level, order, content: planContent(named.subs, context) };
}

function planOrder(
  item: LevelOrder,
  named: NamedAggregation,
  context: AggregationContext,
): PlannedOrder {
  if (item.by !== 'metric') return item;
  const sub = named.subs.find(({ name }) => name === item.aggregation);
  if (!sub) {
    throw invalidOrderPath(
      item.text,
      `The provided aggregation [${item.aggregation}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
    );
  }
  const metric = sub.node.family === 'metric' ? sub.node : undefined;
  const found = metric?.orderColumn(item.path, context);
  if (!found) throw invalidOrderPath(item.text, whyNot(item, metric, context));
  // a metric of an unmapped field has no column: no bucket has a value, and all tie
  const column = found.value ?? param(null, 'Nullable(Float64)');
  return { by: 'metric', column, missing: found.missing, direction: item.direction };
}

/** Why a metric, or what is none, cannot order buckets: Elasticsearch 7.17 `Aggregator.bucketComparator`. */
function whyNot(
  { aggregation, path }: Extract<LevelOrder, { readonly by: 'metric' }>,
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
