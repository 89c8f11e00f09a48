import type { JsonObject } from '../../common/json/json';
import type { AggregationContext, EmptyBucket, NamedAggregation } from '../aggregations/definition';
import { numberCell } from '../aggregations/value-text';
import type { Cell } from '../../clickhouse/execution/executor';
import type { PlannedOrder } from './planned-order';
import type { PlannedBucket, PlannedContent, PlannedMember } from './planned-tree';

type MetricOrder = Extract<PlannedOrder, { readonly by: 'metric' }>;

/** What a bucket is ordered by; null stands last in both directions. */
export function orderValue(item: MetricOrder, cell: Cell | undefined): number | null {
  const value = numberCell(cell);
  if (!Number.isNaN(value)) return value;
  return item.missing === 'last' ? null : item.missing;
}

/** Elasticsearch writes `meta` before everything else. */
export const withMeta = (named: NamedAggregation, answer: JsonObject): JsonObject =>
  named.meta === undefined ? answer : { meta: named.meta, ...answer };

/** What a bucket without documents has. */
export function emptyBucket(member: PlannedBucket, context: AggregationContext): EmptyBucket {
  return {
    docCount: 0,
    subs: emptyContent(member.content, context),
    orderValues: member.order.map((item) => (item.by === 'metric' ? orderValue(item, null) : null)),
  };
}

/** The aggregations of a bucket without documents. */
export const emptyContent = (content: PlannedContent, context: AggregationContext): JsonObject =>
  Object.fromEntries(
    content.members.map((member) => [
      member.named.name,
      withMeta(member.named, emptyMember(member, context)),
    ]),
  );

function emptyMember(member: PlannedMember, context: AggregationContext): JsonObject {
  switch (member.kind) {
    case 'metric':
      return member.node.empty(context);
    case 'hits':
      return member.node.assemble([], { docCount: 0, maxScore: null }, context);
    case 'bucket':
      return member.node.assemble(
        { buckets: [], totalCount: 0, docCount: 0 },
        emptyBucket(member, context),
        context,
      );
    case 'fixed': {
      const buckets = member.buckets.map(({ content }) => ({
        docCount: 0,
        subs: emptyContent(content, context),
      }));
      return member.node.assemble(buckets, context);
    }
    case 'scopes':
      throw new TypeError('a scope is at the top');
  }
}
