import type { Expr } from '../sql/nodes';
import type { ColumnType, TypesByPath } from './column-type';
import type { TimeEncoding } from './table';

/** Something that holds values: a column, a key of a Map, an element of a Tuple, a path of a JSON column. */
export interface ValueSource {
  /** The name of its field. */
  readonly name: string;
  readonly type: ColumnType;
  /** Reads it, unconverted. */
  readonly expr: Expr;
  /** Where this does not hold the value is missing (an absent key of a Map). */
  readonly guard?: Expr;
  /** For an integer that counts time. */
  readonly time?: TimeEncoding;
  /** Of a JSON column: the types that its paths were seen to have. */
  readonly paths?: TypesByPath;
  /** Of a Dynamic: the types that its values were seen to have. */
  readonly seen?: readonly ColumnType[];
  /** Nobody knows the types of its values: they are read as text. */
  readonly unseen?: true;
}
