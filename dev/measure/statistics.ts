/** The middle of an unordered list; NaN of none. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value below which that share of an unordered list lies (nearest rank); NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[Math.max(0, Math.ceil(share * ordered.length) - 1)] ?? NaN;
}
