/** No sample is smaller, however many rows match. */
const LEAST_RATE = 0.01;
const DECIMALS = 5;

/**
 * Part of the rows that the aggregations of a search read, by the specification's rule: max(0.01, threshold / matching rows,
 * rounded to 5 decimals); 1, all of them, where no more rows match than `threshold`, or so few more that the rate rounds to 1.
 * A `threshold` of 0 turns sampling off.
 */
export function samplingRate(threshold: number, matching: number): number {
  if (threshold <= 0 || matching <= threshold) return 1;
  return Math.max(LEAST_RATE, Number((threshold / matching).toFixed(DECIMALS)));
}
