/** The least and the largest value of an integer type. */
export interface IntegerRange {
  readonly least: bigint;
  readonly most: bigint;
}

/** What a ClickHouse integer type of at most 64 bits can hold; undefined for other types. */
export function integerRange(type: string): IntegerRange | undefined {
  const match = /^(U?)Int(8|16|32|64)$/.exec(type);
  if (match === null) return undefined;
  const bits = BigInt(match[2] ?? '0');
  return match[1] === 'U'
    ? { least: 0n, most: (1n << bits) - 1n }
    : { least: -(1n << (bits - 1n)), most: (1n << (bits - 1n)) - 1n };
}
