interface DistanceOptions {
  /** Larger distances are of no interest. */
  readonly limit: number;
  /** Whether two neighbours that changed places count as one edit. */
  readonly transpositions: boolean;
}

/**
 * How many letters must be changed, added or taken away to make one word from another; above `limit` any larger number. Costs
 * the length of a word times the limit.
 */
export function editDistance(
  a: readonly string[],
  b: readonly string[],
  { limit, transpositions }: DistanceOptions,
): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = i > limit ? [] : [i];
    // farther from the diagonal the limit is passed
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const changed = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swaps =
        transpositions && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] && i > 1 && j > 1;
      const swapped = swaps ? at(before, j - 2) + 1 : Infinity;
      row[j] = Math.min(changed, swapped, at(last, j) + 1, at(row, j - 1) + 1);
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], i: number): number => row[i] ?? Infinity;
