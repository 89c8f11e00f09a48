import { quotedName } from '../../dev/load/insert-lines';
import type { JsonObject, JsonValue } from '../../plugins/kibana-clickhouse/common/json/json';

/** One column of a table and the field that it is in Elasticsearch. */
export interface DatasetColumn {
  readonly name: string;
  /** ClickHouse type, such as `Nullable(Int64)`. */
  readonly clickHouse: string;
  /** What stands under the field's name in Elasticsearch's mapping. */
  readonly elasticsearch: JsonObject;
  /** An ALIAS of this column, which is no part of the documents. */
  readonly aliasOf?: string;
}

/** One row, by column name; its values are written into both servers as this JSON. */
export type DatasetRow = JsonObject;

/**
 * Documents that both servers hold: an index of Elasticsearch, and a table of ClickHouse of the same name. `rows` stand in
 * the order of the sorting key: both servers then give unsorted hits, and hits that a sort finds equal, in one order.
 */
export interface Dataset {
  /** Name of index and table. */
  readonly name: string;
  readonly columns: readonly DatasetColumn[];
  /** How the product searches its texts; absent: the default. */
  readonly textSearch?: 'tokens';
  /** An integer column whose value is different in every row: how documents are told apart. */
  readonly uniqueField: string;
  /** Columns of the sorting key. */
  readonly orderBy: readonly string[];
  /** The table's engine, keys and settings, where it is made otherwise than by the sorting key alone. */
  readonly engine?: string;
  /** Skipping indexes, as they stand among the columns. */
  readonly indexes?: readonly string[];
  /** A missing column is NULL, an empty array or an empty map; where its type has none of these, an error. */
  rows(): Iterable<DatasetRow>;
}

/** How a column differs from one value that is always there. */
export interface ColumnShape {
  readonly nullable?: boolean;
  readonly array?: boolean;
}

const shaped = (type: string, { nullable, array }: ColumnShape): string => {
  if (array === true) return `Array(${type})`;
  if (nullable !== true) return type;
  const low = /^LowCardinality\((.+)\)$/.exec(type)?.[1];
  return low === undefined ? `Nullable(${type})` : `LowCardinality(Nullable(${low}))`;
};

type ColumnMaker = (name: string, shape?: ColumnShape) => DatasetColumn;

/** A maker of columns of one ClickHouse type, which is one type in Elasticsearch. */
const maker =
  (clickHouse: string, elasticsearch: JsonObject): ColumnMaker =>
  (name, shape = {}) => ({ name, clickHouse: shaped(clickHouse, shape), elasticsearch });

/**
 * Text in Elasticsearch. `keyword` is the twin that the product has too. `folded` exists only there: the judge of
 * `textSearch: contains`, a keyword in lower case in which wildcards look for a substring.
 */
export const textMapping: JsonObject = {
  type: 'text',
  fields: {
    keyword: { type: 'keyword' },
    folded: { type: 'keyword', normalizer: 'lowercase' },
  },
};

export const text = maker('String', textMapping);
export const keyword = maker('LowCardinality(String)', { type: 'keyword' });
export const uuid = maker('UUID', { type: 'keyword' });
export const boolean = maker('Bool', { type: 'boolean' });
export const byte = maker('Int8', { type: 'byte' });
export const short = maker('Int16', { type: 'short' });
export const integer = maker('Int32', { type: 'integer' });
export const long = maker('Int64', { type: 'long' });
export const float = maker('Float32', { type: 'float' });
export const double = maker('Float64', { type: 'double' });
export const decimal = maker('Decimal(18, 4)', { type: 'double' });
export const ip = maker('IPv6', { type: 'ip' });
export const ipv4 = maker('IPv4', { type: 'ip' });
/** Whole seconds, 1970 to 2106. */
export const seconds = maker("DateTime('UTC')", { type: 'date' });
/** Milliseconds, 1900 to 2299. */
export const date = maker("DateTime64(3, 'UTC')", { type: 'date' });
export const dateNanos = maker("DateTime64(9, 'UTC')", { type: 'date_nanos' });
/** Whole days, 1900 to 2299. */
export const day = maker('Date32', { type: 'date' });

/** A keyword with few values, by `Enum8`. */
export const enumeration = (name: string, values: readonly string[]): DatasetColumn => ({
  name,
  clickHouse: `Enum8(${values.map((value, i) => `'${value}' = ${String(i)}`).join(', ')})`,
  elasticsearch: { type: 'keyword' },
});

/** An object with text values under the named keys, by a Map. */
export const labels = (name: string, keys: readonly string[]): DatasetColumn => ({
  name,
  clickHouse: 'Map(String, String)',
  elasticsearch: { properties: Object.fromEntries(keys.map((key) => [key, textMapping])) },
});

/** A point, by a Tuple. */
export const geoPoint = (name: string): DatasetColumn => ({
  name,
  clickHouse: 'Tuple(lat Float64, lon Float64)',
  elasticsearch: { type: 'geo_point' },
});

/** Several points or none, by an Array. */
export const geoPoints = (name: string): DatasetColumn => ({
  name,
  clickHouse: 'Array(Tuple(lat Float64, lon Float64))',
  elasticsearch: { type: 'geo_point' },
});

const emptyOf = ({ name, clickHouse }: DatasetColumn): JsonValue => {
  if (clickHouse.startsWith('Array(')) return [];
  if (clickHouse.startsWith('Map(')) return {};
  if (/Nullable\(|^Variant\(|^Dynamic/.test(clickHouse)) return null;
  throw new Error(`column ${name} of type ${clickHouse} needs a value in every row`);
};

/** The row with every column in table order: what ClickHouse gets, and Elasticsearch as `_source`. */
export function completeRow({ columns }: Dataset, row: DatasetRow): DatasetRow {
  const names = new Set(columns.map(({ name }) => name));
  const unknown = Object.keys(row).find((name) => !names.has(name));
  if (unknown !== undefined) throw new Error(`no column ${unknown}`);
  return Object.fromEntries(
    columns
      .filter(({ aliasOf }) => aliasOf === undefined)
      .map((column) => [column.name, row[column.name] ?? emptyOf(column)]),
  );
}

/** The statement that creates a dataset's table. */
export function createTable({ name, columns, orderBy, engine, indexes = [] }: Dataset): string {
  const lines = columns.map((column) => {
    const alias = column.aliasOf === undefined ? '' : ` ALIAS ${quotedName(column.aliasOf)}`;
    return `  ${quotedName(column.name)} ${column.clickHouse}${alias}`;
  });
  const elements = [...lines, ...indexes.map((index) => `  INDEX ${index}`)];
  const key = orderBy.map(quotedName).join(', ');
  const made = engine ?? `MergeTree ORDER BY (${key})`;
  return `CREATE TABLE ${quotedName(name)} (\n${elements.join(',\n')}\n) ENGINE = ${made}`;
}

/** A dataset's mapping in Elasticsearch. */
export const mappingOf = ({ columns }: Dataset): JsonObject => ({
  dynamic: 'strict',
  properties: Object.fromEntries(columns.map(({ name, elasticsearch }) => [name, elasticsearch])),
});

/** Full names of the fields that are text in Elasticsearch, those below objects too. */
export const textFieldsOf = ({ columns }: Dataset): readonly string[] =>
  columns.flatMap(({ name, elasticsearch }) => textsOf(name, elasticsearch));

function textsOf(name: string, { type, properties }: JsonObject): readonly string[] {
  if (type === 'text') return [name];
  return Object.entries((properties ?? {}) as JsonObject).flatMap(([key, mapping]) =>
    textsOf(`${name}.${key}`, mapping as JsonObject),
  );
}
