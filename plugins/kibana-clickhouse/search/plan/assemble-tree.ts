import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { tooManyBuckets } from '../../common/errors/catalogue';
import { unitsIn } from '../aggregations/bucket/rate-unit';
import type { AggregationContext, Bucket, FixedBucket } from '../aggregations/definition';
import type { BucketHits } from './bucket-hits';
import type { ChainedTree } from './chain';
import type { BucketPath, ChainResult, Group } from './chain-result';
import type { ColumnList } from './column-list';
import type { KeysOfLevels } from './all-keys';
import { EmptyContents, orderValue, withMeta } from './empty-content';
import type {
  PlannedBucket,
  PlannedContent,
  PlannedFixed,
  PlannedHits,
  PlannedMember,
  PlannedMetric,
  PlannedScopes,
} from './planned-tree';

/** A bucket, or the root, of which a content is written. */
interface Place {
  readonly path: BucketPath;
  /** Its row, in the result that carries the content's columns; a bucket without documents has none. */
  readonly group: Group | undefined;
  readonly columns: ColumnList | undefined;
  /** Documents: of a fixed bucket within, those that fulfil its condition. */
  readonly docCount: number;
  /** What its metrics are assembled with. */
  readonly context: AggregationContext;
}

/** A tree with what was read for it. */
export interface ReadTree {
  readonly tree: ChainedTree;
  /** In the order of the tree's chains. */
  readonly results: readonly ChainResult[];
  readonly hits: ReadonlyMap<PlannedHits, BucketHits>;
  readonly allKeys: KeysOfLevels;
}

/** Puts the rows of all chains together as the answer's `aggregations`. */
export class TreeAssembly {
  readonly #tree: ChainedTree;
  readonly #results: readonly ChainResult[];
  readonly #context: AggregationContext;
  readonly #hits: ReadTree['hits'];
  readonly #allKeys: KeysOfLevels;
  readonly #empty: EmptyContents;

  constructor({ tree, results, hits, allKeys }: ReadTree, context: AggregationContext) {
    this.#tree = tree;
    this.#results = results;
    this.#hits = hits;
    this.#context = { ...context, backgroundTotals: totalsOf(tree, results) };
    this.#allKeys = allKeys;
    this.#empty = new EmptyContents(this.#context, allKeys);
  }

  /** The aggregations of a request, or of a scope. */
  root(content: PlannedContent): JsonObject {
    return this.#content(content, this.#placeOf(content, [], this.#context));
  }

  /** Documents at the root. */
  total(root: PlannedContent): number {
    return this.#result(root)?.group([])?.docCount ?? 0;
  }

  #result(content: PlannedContent): ChainResult | undefined {
    return this.#results[this.#tree.ownerOf(content)];
  }

  #placeOf(content: PlannedContent, path: BucketPath, context: AggregationContext): Place {
    const group = this.#result(content)?.group(path);
    const columns = this.#tree.chains[this.#tree.ownerOf(content)]?.columns;
    return { path, group, columns, docCount: group?.docCount ?? 0, context };
  }

  #content(content: PlannedContent, place: Place): JsonObject {
    return Object.fromEntries(
      content.members.map((member) => [
        member.named.name,
        withMeta(member.named, this.#member(member, place)),
      ]),
    );
  }

  #member(member: PlannedMember, place: Place): JsonObject {
    switch (member.kind) {
      case 'metric':
        return this.#metric(member, place);
      case 'bucket':
        return this.#bucketAggregation(member, place);
      case 'fixed':
        return this.#fixed(member, place);
      case 'hits':
        return this.#hitsOf(member, place);
      case 'scopes':
        return this.#scopes(member);
    }
  }

  #metric({ node, columns }: PlannedMetric, place: Place): JsonObject {
    if (place.docCount === 0) return node.empty(this.#context);
    const cells = columns.map((expr) => cellOf(place, expr));
    return node.assemble(cells, place.context);
  }

  #hitsOf(member: PlannedHits, { docCount, path }: Place): JsonObject {
    const { page = [], maxScore = null } = this.#hits.get(member)?.(path) ?? {};
    const bucket = { docCount, maxScore: docCount === 0 ? null : maxScore };
    return member.node.assemble(page, bucket, this.#context);
  }

  #fixed(member: PlannedFixed, place: Place): JsonObject {
    const buckets = member.buckets.map(({ docs, content }, i): FixedBucket => {
      const docCount = Number(cellOf(place, docs) ?? 0);
      if (docCount === 0) return { docCount, subs: this.#empty.content(content) };
      const inside = { ...place, path: [...place.path, i], docCount };
      return { docCount, subs: this.#content(content, inside) };
    });
    return member.node.assemble(buckets, this.#context);
  }

  #scopes({ node, parts }: PlannedScopes): JsonObject {
    const buckets = parts.map(({ content }) => ({
      docCount: this.total(content),
      subs: this.root(content),
    }));
    const [first] = buckets;
    if (node.family === 'fixed') return node.assemble(buckets, this.#context);
    return node.assemble(first ?? { docCount: 0, subs: {} }, this.#context);
  }

  #bucketAggregation(member: PlannedBucket, place: Place): JsonObject {
    const { path } = place;
    const result = member.level ? this.#result(member.content) : undefined;
    const groups = result?.below(path) ?? [];
    const buckets = groups.map((group) => this.#bucket(member, group, place));
    const shown = buckets.reduce((sum, { docCount }) => sum + docCount, 0);
    // each estimate is rounded for itself: of sampled rows the buckets can have more than their total
    const totalCount = Math.max(shown, result?.group(path)?.totalBelow ?? shown);
    const { docCount = 0, bucketsBelow: bucketCount } = result?.group(path) ?? {};
    const allKeys = this.#allKeys.get(member);
    const found = {
      ...{ buckets, totalCount, docCount },
      ...(allKeys && { allKeys }),
      ...(bucketCount !== undefined && { bucketCount }),
    };
    return member.node.assemble(found, this.#empty.bucket(member), this.#context);
  }

  #bucket(member: PlannedBucket, group: Group, { path, context }: Place): Bucket {
    const inside = withRates(member, group, context);
    const place = this.#placeOf(member.content, [...path, group.key], inside);
    return {
      key: group.key,
      docCount: group.docCount,
      background: group.background,
      subs: this.#content(member.content, place),
      orderValues: member.order.map((item) => {
        const value = item.by === 'metric' ? orderValue(item, cellOf(place, item.column)) : null;
        const unit = item.by === 'metric' ? item.unit : undefined;
        // within one bucket of dates all are divided alike, and their order stays
        return value !== null && unit && member.node.rounding
          ? value / (inside.rateUnits?.(unit) ?? 1)
          : value;
      }),
    };
  }
}

/** What rates in a bucket of dates are divided by. */
function withRates(
  { node: { rounding } }: PlannedBucket,
  { key }: Group,
  context: AggregationContext,
): AggregationContext {
  if (!rounding) return context;
  return { ...context, rateUnits: (unit) => unitsIn(unit, rounding.start(key), rounding.by) };
}

/** Documents of the backgrounds of all levels: the same in every row. */
const totalsOf = (
  { chains }: ChainedTree,
  results: readonly ChainResult[],
): ReadonlyMap<unknown, number> =>
  new Map(
    chains.flatMap(({ levels }, chain) =>
      levels.flatMap(({ level: { background } }, i): [unknown, number][] => {
        const total = results[chain]?.backgroundTotal(i);
        return background && total !== undefined ? [[background.id, total]] : [];
      }),
    ),
  );

const cellOf = (
  { group, columns }: Place,
  expr: Parameters<ColumnList['position']>[0],
): Group['key'] => group?.aggregates[columns?.position(expr) ?? -1] ?? null;

/** Checks the buckets of all levels together, filled gaps too. Throws when there are too many. */
export function checkBucketCount(
  content: PlannedContent,
  answer: JsonObject,
  maxBuckets: number,
): void {
  if (countBuckets(content, answer, { count: 0, most: maxBuckets }) > maxBuckets)
    throw tooManyBuckets(maxBuckets);
}

/** Buckets counted so far, and when to stop. */
interface Counting {
  readonly count: number;
  readonly most: number;
}

/** Stops counting soon after the limit: buckets made to fill gaps share their contents. */
function countBuckets(
  content: PlannedContent,
  answer: JsonObject,
  { count: before, most }: Counting,
): number {
  let count = before;
  for (const member of content.members) {
    if (member.kind === 'metric' || member.kind === 'hits') continue;
    const below = contentBelow(member);
    count = countWithin(answer[member.named.name], below, { count, most });
  }
  return count;
}

/** What each bucket of an aggregation has. */
function contentBelow(
  member: Exclude<PlannedMember, PlannedHits | PlannedMetric>,
): PlannedContent | undefined {
  if (member.kind === 'bucket') return member.content;
  const [first] = member.kind === 'fixed' ? member.buckets : member.parts;
  return first?.content;
}

/** Counts the buckets of an aggregation and what is in them; a single bucket is none of several. */
function countWithin(
  aggregation: JsonValue | undefined,
  below: PlannedContent | undefined,
  { count: before, most }: Counting,
): number {
  if (!isJsonObject(aggregation)) return before;
  const listed = bucketsOf(aggregation);
  let count = before + (listed?.length ?? 0);
  for (const bucket of listed ?? [aggregation]) {
    if (count > most) return count;
    if (below && isJsonObject(bucket)) count = countBuckets(below, bucket, { count, most });
  }
  return count;
}

/** The buckets of an aggregation that has several. */
function bucketsOf({ buckets }: JsonObject): readonly JsonValue[] | undefined {
  if (isJsonArray(buckets)) return buckets;
  return isJsonObject(buckets) ? Object.values(buckets) : undefined;
}
