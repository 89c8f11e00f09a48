import type { Cell } from '../../clickhouse/execution/executor';
import type { JsonObject } from '../../common/json/json';
import type { AggregationContext, EmptyBucket, NamedAggregation } from '../aggregations/definition';
import { numberCell } from '../aggregations/value-text';
import type { KeysOfLevels } from './all-keys';
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

/**
 * What buckets without documents have. Elasticsearch finds some of them when it collects, and gives them all that their
 * aggregations have without documents, such as buckets of keys; those that fill gaps it makes of nothing when it reduces.
 */
export class EmptyContents {
  readonly #context: AggregationContext;
  readonly #allKeys: KeysOfLevels | undefined;
  readonly #known = new Map<PlannedContent, JsonObject>();
  readonly #inGaps: EmptyContents;

  /** `allKeys`: absent for buckets that fill gaps. */
  constructor(context: AggregationContext, allKeys?: KeysOfLevels) {
    this.#context = context;
    this.#allKeys = allKeys;
    this.#inGaps = allKeys ? new EmptyContents(context) : this;
  }

  /** A bucket of an aggregation without documents. */
  bucket({ node, content, order }: PlannedBucket): EmptyBucket {
    return {
      docCount: 0,
      subs: (node.fillsGaps === true ? this.#inGaps : this).content(content),
      orderValues: order.map((item) => (item.by === 'metric' ? orderValue(item, null) : null)),
    };
  }

  /** The aggregations of a bucket without documents. */
  content(content: PlannedContent): JsonObject {
    const known = this.#known.get(content);
    if (known) return known;
    const made = Object.fromEntries(
      content.members.map((member) => [
        member.named.name,
        withMeta(member.named, this.#member(member)),
      ]),
    );
    this.#known.set(content, made);
    return made;
  }

  #member(member: PlannedMember): JsonObject {
    switch (member.kind) {
      case 'metric':
        return member.node.empty(this.#context);
      case 'hits':
        return member.node.assemble([], { docCount: 0, maxScore: null }, this.#context);
      case 'bucket':
        return this.#bucketAggregation(member);
      case 'fixed': {
        const buckets = member.buckets.map(({ content }) => ({
          docCount: 0,
          subs: this.content(content),
        }));
        return member.node.assemble(buckets, this.#context);
      }
      case 'scopes':
        throw new TypeError('a scope is at the top');
    }
  }

  #bucketAggregation(member: PlannedBucket): JsonObject {
    const allKeys = this.#allKeys?.get(member);
    const result = { buckets: [], totalCount: 0, docCount: 0, ...(allKeys && { allKeys }) };
    return member.node.assemble(result, this.bucket(member), this.#context);
  }
}
