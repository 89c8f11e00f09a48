import type { JsonObject } from '../../../common/json/json';
import type { BucketResult, Level, LevelOrder } from '../definition';
import { integerOption } from '../options';

/** Options of an aggregation of terms. */
export interface Candidates {
  readonly size: number;
  readonly order: readonly LevelOrder[];
  /** Buckets that a shard gives at most. */
  readonly shardSize: number;
}

/** `shard_size`, at least `size`; by default half as many again and 10 (Elasticsearch 7.17 `BucketUtils`). */
export function shardSizeOption(body: JsonObject, type: string, size: number): number {
  const given = integerOption(body, 'shard_size', type) ?? -1;
  return given > 0 ? Math.max(given, size) : Math.floor(size * 1.5) + 10;
}

/**
 * Up to how many buckets must be counted. Counts are exact here; but ordered by anything else than key or falling count,
 * Elasticsearch does not know what it may have missed as soon as a shard gives all that it may.
 */
const limitOf = ({ order: [first], shardSize }: Candidates): number | undefined =>
  first?.by === 'key' || (first?.by === 'count' && first.direction === 'DESC')
    ? undefined
    : shardSize;

/** What a level says about it. */
export function counted(candidates: Candidates): Pick<Level, 'countedUpTo'> {
  const limit = limitOf(candidates);
  return limit === undefined ? {} : { countedUpTo: limit };
}

/** `doc_count_error_upper_bound` of the aggregation and of each of its buckets (7.17 `InternalTerms.getDocCountError`). */
export function countError(
  { bucketCount, buckets, allKeys = [] }: BucketResult,
  candidates: Candidates,
): -1 | 0 {
  const limit = limitOf(candidates);
  if (limit === undefined) return 0;
  return Math.max(bucketCount ?? buckets.length, allKeys.length) >= limit ? -1 : 0;
}
