import { tooManyBuckets } from '../../../common/errors/catalogue';
import type { Bucket, EmptyBucket } from '../definition';
import type { DateRounding } from './date-rounding';
import type { BoundInstants } from './extended-bounds';

/** A bucket whose key is the epoch ms of its start. */
export interface DateBucket extends Bucket {
  readonly key: number;
}

/** The grid of a date_histogram: where buckets start once moved by `offset` ms. */
export interface DateGrid {
  readonly rounding: DateRounding;
  readonly offset: number;
}

/**
 * Buckets from the first to the last, each gap filled, widened to the bounds: their keys are
 * round(bound) + offset, as Elasticsearch 7.17 makes them. Without buckets both bounds are needed.
 * Takes buckets in ascending order of keys. Throws when there would be more than `most`.
 */
export function fillGaps(
  buckets: readonly DateBucket[],
  bounds: BoundInstants,
  grid: DateGrid,
  { empty, most }: { readonly empty: EmptyBucket; readonly most: number },
): readonly DateBucket[] {
  const reach = reachOf(buckets, bounds, grid);
  if (reach === undefined) return [];
  const present = new Map(buckets.map((bucket) => [bucket.key, bucket]));
  const filled: DateBucket[] = [];
  for (let key = reach.from; key <= reach.to; key = nextKey(key, grid)) {
    filled.push(present.get(key) ?? { ...empty, key });
    if (filled.length > most) throw tooManyBuckets(most);
  }
  return filled;
}

function reachOf(
  buckets: readonly DateBucket[],
  bounds: BoundInstants,
  grid: DateGrid,
): { readonly from: number; readonly to: number } | undefined {
  const { min, max } = bounds;
  if (buckets.length === 0 && (min === undefined || max === undefined)) return undefined;
  const bound = (instant: number | undefined): readonly number[] =>
    instant === undefined ? [] : [grid.rounding.round(instant) + grid.offset];
  const keys = buckets.map(({ key }) => key);
  return {
    from: Math.min(...keys.slice(0, 1), ...bound(min)),
    to: Math.max(...keys.slice(-1), ...bound(max)),
  };
}

const nextKey = (key: number, { rounding, offset }: DateGrid): number =>
  rounding.next(key - offset) + offset;
