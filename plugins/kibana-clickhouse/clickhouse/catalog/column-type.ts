/** A ClickHouse type as a tree: `Map(String, Array(UInt8))` is a name with two arguments. */
export interface ColumnType {
  /** `String`, `DateTime64`, `Array`; Nullable and LowCardinality are flags of what they wrap. */
  readonly name: string;
  readonly nullable: boolean;
  readonly lowCardinality: boolean;
  /** Types inside: of Array one, of Map two, of Tuple and Nested as many as it has elements. */
  readonly inner: readonly ColumnType[];
  /** Element names of Tuple and Nested, in the order of `inner`; empty when they have none. */
  readonly names: readonly string[];
  /** Arguments that are no types: `3` and `'UTC'` of `DateTime64(3, 'UTC')`, as written. */
  readonly literals: readonly string[];
  /** The whole type as ClickHouse writes it. */
  readonly text: string;
}
