import type { Expr } from '../sql/nodes';
import type { ColumnType } from './column-type';

/** The field types of Elasticsearch that a ClickHouse type can become. */
export type FieldType =
  | 'boolean'
  | 'byte'
  | 'date'
  | 'date_nanos'
  | 'double'
  | 'float'
  | 'geo_point'
  | 'integer'
  | 'ip'
  | 'keyword'
  | 'long'
  | 'object'
  | 'short'
  | 'text'
  | 'unsigned_long';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** ClickHouse's `default_kind`: EPHEMERAL columns are left out of the table altogether. */
  readonly kind: 'stored' | 'materialized' | 'alias';
}

/** How a column's value counts time, for fields of type `date` and `date_nanos`. */
export type TimeEncoding =
  | { readonly kind: 'date' }
  | { readonly kind: 'datetime' }
  | { readonly kind: 'datetime64'; readonly precision: number }
  | { readonly kind: 'epoch'; readonly unit: 's' | 'ms' | 'us' | 'ns' };

/** A column before conversion, and its type without Nullable, LowCardinality and Array. */
export interface RawColumn {
  readonly expr: Expr;
  readonly type: ColumnType;
}

/** A field as Elasticsearch sees it: one name, one type, and where its values come from. */
export interface Field {
  /** Full name: `message`, `message.keyword`, `labels.team`. */
  readonly name: string;
  readonly type: FieldType;
  readonly searchable: boolean;
  readonly aggregatable: boolean;
  /**
   * Reads the value: of a multi-valued field the array, NULL or an empty array where the field is
   * missing. For a key of a Map that is absent it is NULL, not the Map's default.
   */
  readonly expr: Expr;
  /** ClickHouse type of one value, without Nullable, LowCardinality and (multi-valued) Array. */
  readonly valueType: ColumnType;
  readonly multiValued: boolean;
  /** Whether `expr` can be NULL. */
  readonly nullable: boolean;
  /** `exact` for keyword fields and `.keyword` twins; `text` for the bare name of a String. */
  readonly matching: 'exact' | 'text';
  /**
   * The column itself where `expr` converts it (Enum, UUID, FixedString, a String of which `''` is no value, a key of a Map): for equality, which then
   * uses the primary key. Absent where `expr` serves, and for an array of FixedString, whose values ClickHouse's `has` does
   * not compare with shorter text.
   */
  readonly raw?: RawColumn;
  /** Holds exactly where the field has a value (a Map has the key), where an index may know that; absent: where `expr` is not NULL. */
  readonly presence?: Expr;
  /** Why no query, sort or aggregation can use it: its ClickHouse type is not supported. */
  readonly refusal?: string;
  /**
   * The types of its values are not known (a path of a JSON column that no sampled row has): they are compared as text,
   * and have no order. Ranges, sorts and aggregations are refused.
   */
  readonly unseen?: true;
  /** For a text field, the name of its `.keyword` twin; aggregations and sorts on the text mean it. */
  readonly twin?: string;
  /** How a text field is searched, whatever the table's others are: CKibana's `name.caseIgnore`. */
  readonly textSearch?: 'contains';
  /** Its values are in lower case, and so are the texts that it is compared with: CKibana's `name.caseIgnore.keyword`. */
  readonly inLowerCase?: true;
  readonly time?: TimeEncoding;
}

/** A ClickHouse table as an index. */
export interface Table {
  readonly database: string;
  readonly name: string;
  readonly engine: string;
  readonly sortingKey: string;
  /** The expression of PARTITION BY; absent: none is known. */
  readonly partitionKey?: string;
  /** The expression of SAMPLE BY; absent where the table cannot be sampled. */
  readonly samplingKey?: string;
  /** Of a Distributed table the one that it stands for on this server; absent where that is not visible. */
  readonly localTable?: { readonly database: string; readonly name: string };
  readonly columns: readonly Column[];
  /** Names of the columns that make a row one document; absent: all stored columns. */
  readonly idColumns?: readonly string[];
  /** CKibana's own spellings mean what they mean there: `name.caseIgnore`, `%` in texts, lists with commas. */
  readonly ckibanaSyntax?: true;
  /** All fields that can be listed, in column order, parents before their children. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The field of that name, listed or not (an unlisted key of a Map, a path of a JSON column). */
  field(name: string): Field | undefined;
  /** The table's time field where a rule needs one and the request names none. */
  readonly timeField: string | undefined;
  /** Why a time field that the settings name is not used. */
  readonly timeFieldProblem?: string;
}
