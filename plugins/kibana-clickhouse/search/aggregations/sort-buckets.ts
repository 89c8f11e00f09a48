import type { Bucket, LevelOrder } from './definition';

/** A bucket whose key is a number. */
type NumberedBucket = Bucket & { readonly key: number };

/** Buckets in an order, for levels without a limit, whose gaps take part in it. */
export const sortBuckets = <B extends NumberedBucket>(
  buckets: readonly B[],
  order: readonly LevelOrder[],
): readonly B[] => buckets.toSorted((a, b) => compare(a, b, order));

function compare(a: NumberedBucket, b: NumberedBucket, order: readonly LevelOrder[]): number {
  for (const [i, { by, direction }] of order.entries()) {
    const [left, right] = [a, b].map((bucket) =>
      by === 'count' ? bucket.docCount : by === 'key' ? bucket.key : bucket.orderValues[i],
    );
    const difference = compareValues(left ?? null, right ?? null, direction);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** No value stands last in both directions. */
export function compareValues(
  a: number | null,
  b: number | null,
  direction: LevelOrder['direction'],
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  // not a - b: the difference of infinities is no number
  const ascending = Number(a > b) - Number(a < b);
  return direction === 'ASC' ? ascending : -ascending;
}
