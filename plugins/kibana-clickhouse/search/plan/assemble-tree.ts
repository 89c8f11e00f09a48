import { tooManyBuckets } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { maxBuckets } from '../aggregations/bucket-limit';
import type {
  AggregationContext,
  Bucket,
  EmptyBucket,
  NamedAggregation,
} from '../aggregations/definition';
import type { ChainedTree } from './chain';
import type { BucketPath, ChainResult, Group } from './chain-result';
import {
  isPlannedMetric,
  type PlannedBucket,
  type PlannedContent,
  type PlannedMetric,
  type PlannedOrder,
} from './planned-tree';

/** Puts the rows of all chains together as the answer's `aggregations`. */
export class TreeAssembly {
  readonly #tree: ChainedTree;
  readonly #results: readonly ChainResult[];
  readonly #context: AggregationContext;

  constructor(tree: ChainedTree, results: readonly ChainResult[], context: AggregationContext) {
    this.#tree = tree;
    this.#results = results;
    this.#context = context;
  }

  /** The aggregations in the bucket at `path`; one without a row is empty. */
  content(content: PlannedContent, path: BucketPath): JsonObject {
    const group = this.#result(content)?.group(path);
    return Object.fromEntries(
      content.members.map((member) => [
        member.named.name,
        withMeta(
          member.named,
          isPlannedMetric(member)
            ? this.#metric(member, content, group)
            : this.#bucketAggregation(member, path),
        ),
      ]),
    );
  }

  /** Documents at the root. */
  total(root: PlannedContent): number {
    return this.#result(root)?.group([])?.docCount ?? 0;
  }

  #result(content: PlannedContent): ChainResult | undefined {
    return this.#results[this.#tree.ownerOf(content)];
  }

  #metric(member: PlannedMetric, content: PlannedContent, group: Group | undefined): JsonObject {
    if (group === undefined || group.docCount === 0) return member.node.empty(this.#context);
    const columns = this.#tree.chains[this.#tree.ownerOf(content)]?.columns;
    const cells = member.columns.map(
      (expr) => group.aggregates[columns?.position(expr) ?? -1] ?? null,
    );
    return member.node.assemble(cells, this.#context);
  }

  #bucketAggregation(member: PlannedBucket, path: BucketPath): JsonObject {
    const result = member.level ? this.#result(member.content) : undefined;
    const groups = result?.below(path) ?? [];
    const buckets = groups.map((group) => this.#bucket(member, group, path));
    const shown = buckets.reduce((sum, { docCount }) => sum + docCount, 0);
    const totalCount = result?.group(path)?.totalBelow ?? shown;
    const empty = emptyBucket(member, this.#context);
    return member.node.assemble({ buckets, totalCount }, empty, this.#context);
  }

  #bucket(member: PlannedBucket, group: Group, path: BucketPath): Bucket {
    const columns = this.#tree.chains[this.#tree.ownerOf(member.content)]?.columns;
    return {
      key: group.key,
      docCount: group.docCount,
      subs: this.content(member.content, [...path, group.key]),
      orderValues: member.order.map((item) =>
        item.by === 'metric'
          ? orderValue(item, group.aggregates[columns?.position(item.column) ?? -1] ?? null)
          : null,
      ),
    };
  }
}

type MetricOrder = Extract<PlannedOrder, { readonly by: 'metric' }>;

const orderValue = (item: MetricOrder, cell: unknown): number | null => {
  const value = cell === null ? NaN : Number(cell);
  if (!Number.isNaN(value)) return value;
  return item.missing === 'last' ? null : item.missing;
};

/** Elasticsearch writes `meta` before everything else. */
const withMeta = (named: NamedAggregation, answer: JsonObject): JsonObject =>
  named.meta === undefined ? answer : { meta: named.meta, ...answer };

function emptyBucket(member: PlannedBucket, context: AggregationContext): EmptyBucket {
  return {
    docCount: 0,
    subs: emptyContent(member.content, context),
    orderValues: member.order.map((item) => (item.by === 'metric' ? orderValue(item, null) : null)),
  };
}

const emptyContent = (content: PlannedContent, context: AggregationContext): JsonObject =>
  Object.fromEntries(
    content.members.map((member) => [
      member.named.name,
      withMeta(member.named, emptyMember(member, context)),
    ]),
  );

const emptyMember = (
  member: PlannedMetric | PlannedBucket,
  context: AggregationContext,
): JsonObject =>
  isPlannedMetric(member)
    ? member.node.empty(context)
    : member.node.assemble({ buckets: [], totalCount: 0 }, emptyBucket(member, context), context);

/** Checks the buckets of all levels together, filled gaps too. Throws when there are too many. */
export function checkBucketCount(content: PlannedContent, answer: JsonObject): void {
  if (countBuckets(content, answer, 0) > maxBuckets) throw tooManyBuckets(maxBuckets);
}

/** Stops counting soon after the limit: buckets made to fill gaps share their contents. */
function countBuckets(content: PlannedContent, answer: JsonObject, before: number): number {
  let count = before;
  for (const member of content.members) {
    if (isPlannedMetric(member)) continue;
    const buckets = bucketsOf(answer[member.named.name]);
    count += buckets.length;
    for (const bucket of buckets) {
      if (count > maxBuckets) return count;
      if (isJsonObject(bucket)) count = countBuckets(member.content, bucket, count);
    }
  }
  return count;
}

function bucketsOf(aggregation: JsonValue | undefined): readonly JsonValue[] {
  const buckets = isJsonObject(aggregation) ? aggregation['buckets'] : undefined;
  if (isJsonArray(buckets)) return buckets;
  return isJsonObject(buckets) ? Object.values(buckets) : [];
}
