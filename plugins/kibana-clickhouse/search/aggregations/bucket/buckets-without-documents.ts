import type { Cell } from '../../../clickhouse/execution/executor';
import { unsupported } from '../../../common/errors/catalogue';
import { maxBuckets } from '../bucket-limit';
import { compareValues } from '../sort-buckets';
import type {
  AggregationContext,
  AllKeys,
  Bucket,
  BucketResult,
  EmptyBucket,
  Level,
  LevelOrder,
} from '../definition';

/** Options of an aggregation of terms. */
interface Places {
  readonly size: number;
  readonly minDocCount: number;
  readonly order: readonly LevelOrder[];
}

/**
 * How many buckets a level gives, and how many keys it asks for, so that the first `size` can be told among buckets with
 * documents and without. Ordered by falling count those without come last: they are needed only where those with documents
 * are all known; by key they stand among the first keys. By all else they can stand anywhere.
 */
function placesOf(
  { size, minDocCount, order: [first] }: Places,
  context: AggregationContext,
): {
  readonly limit: number;
  readonly keys?: Pick<AllKeys, 'limit'>;
} {
  if (minDocCount > 0) return { limit: size };
  if (first?.by === 'key') return { limit: size, keys: { limit: size } };
  if (first?.by === 'count' && first.direction === 'DESC')
    return { limit: size, keys: { limit: 2 * size } };
  const all = maxBuckets(context) + 1;
  return { limit: all, keys: { limit: all + size } };
}

/**
 * Refuses keys without documents of a field that no nested document has: in Elasticsearch they are those of the documents
 * around.
 */
export function checkKeysWithin(
  type: string,
  field: string,
  { minDocCount }: Pick<Places, 'minDocCount'>,
  { table, nesting }: AggregationContext,
): void {
  if (minDocCount > 0 || !nesting || table.field(field)) return;
  if (nesting.around.table.field(field))
    throw unsupported(
      `[min_doc_count] 0 of aggregation [${type}] below [nested] on field [${field}] outside of it`,
    );
}

/** What a level says about the places that its buckets compete for. */
export const levelPlaces = (
  params: Places,
  context: AggregationContext,
  besides?: AllKeys['besides'],
): Pick<Level, 'limit' | 'minDocCount' | 'allKeys'> => {
  const { limit, keys } = placesOf(params, context);
  return {
    limit,
    minDocCount: Math.max(params.minDocCount, 1),
    ...(keys && { allKeys: { ...keys, ...(besides && { besides }) } }),
  };
};

/**
 * The first `size` buckets of a level, with those of keys without documents among them, as Elasticsearch 7.17 has them with a
 * `min_doc_count` of 0 (`GlobalOrdinalsStringTermsAggregator`, `collectZeroDocEntriesIfNeeded`).
 */
export function withAllKeys(
  { buckets, allKeys }: BucketResult,
  empty: EmptyBucket,
  { order, size }: Places,
): readonly Bucket[] {
  if (!allKeys) return buckets.slice(0, size);
  const places = new Map(allKeys.map((key, i) => [spell(key), i]));
  const placeOf = ({ key }: Bucket): number => places.get(spell(key)) ?? Infinity;
  const counted = new Set(buckets.map(({ key }) => spell(key)));
  const added = allKeys
    .filter((key) => !counted.has(spell(key)))
    .slice(0, size)
    .map((key): Bucket => ({ ...empty, key }));
  const merged: Bucket[] = [];
  let next = 0;
  for (const bucket of buckets) {
    for (
      let one = added[next];
      one && comesBefore(one, bucket, order, placeOf);
      one = added[next]
    ) {
      merged.push(one);
      next += 1;
    }
    merged.push(bucket);
  }
  return [...merged, ...added.slice(next)].slice(0, size);
}

const spell = (key: Cell): string => JSON.stringify(key);

/** By the items up to the key, which no two buckets share. */
function comesBefore(
  a: Bucket,
  b: Bucket,
  order: readonly LevelOrder[],
  placeOf: (bucket: Bucket) => number,
): boolean {
  for (const [i, { by, direction }] of order.entries()) {
    if (by === 'key') break;
    const [left = null, right = null] = [a, b].map(({ docCount, orderValues }) =>
      by === 'count' ? docCount : orderValues[i],
    );
    const difference = compareValues(left, right, direction);
    if (difference !== 0) return difference < 0;
  }
  return placeOf(a) < placeOf(b);
}
