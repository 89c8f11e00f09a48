import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { flatDocument } from './flat-document';
import { quotedName } from './insert-lines';

/** A column that is made of one field of a mapping. */
export interface PlannedColumn {
  /** The field's full path. */
  readonly name: string;
  /** Type in Elasticsearch; of a field that the mapping lacks, the one that it would be given. */
  readonly fieldType: string;
  readonly clickHouse: string;
  readonly inArray: boolean;
  /** Of an alias: the column that it stands for. */
  readonly aliasOf?: string;
}

/** A table for the documents of an index. */
export interface TablePlan {
  readonly columns: readonly PlannedColumn[];
}

/** The number of a document in its file, from 0: a column of every loaded table, because rows have no `_id`. */
export const lineColumn = 'line';

const clickHouseTypes: Readonly<Record<string, string>> = {
  boolean: 'Bool',
  byte: 'Int8',
  date: "DateTime64(3, 'UTC')",
  date_nanos: "DateTime64(9, 'UTC')",
  double: 'Float64',
  float: 'Float32',
  geo_point: 'Tuple(lat Float64, lon Float64)',
  half_float: 'Float32',
  integer: 'Int32',
  ip: 'IPv6',
  keyword: 'LowCardinality(String)',
  long: 'Int64',
  scaled_float: 'Float64',
  short: 'Int16',
  text: 'String',
};

interface MappedField {
  readonly type: string;
  readonly aliasOf?: string;
}

/** The fields of a mapping by full path; multi-fields are left out, as the product has its own `.keyword`. */
function mappedFields(properties: JsonObject, parent = ''): ReadonlyMap<string, MappedField> {
  const fields = new Map<string, MappedField>();
  for (const [name, field] of Object.entries(properties)) {
    if (!isJsonObject(field)) continue;
    const path = `${parent}${name}`;
    const { type, properties: below, path: target } = field;
    if (isJsonObject(below)) {
      for (const [key, value] of mappedFields(below, `${path}.`)) fields.set(key, value);
    } else if (type === 'alias' && typeof target === 'string') {
      fields.set(path, { type: 'alias', aliasOf: target });
    } else if (typeof type === 'string') fields.set(path, { type });
  }
  return fields;
}

interface Seen {
  /** Documents that have a value. */
  count: number;
  inArray: boolean;
  example: JsonValue;
}

/**
 * Plans a table for documents: a column for each field of the mapping, and for each that only the documents have, named by its
 * path. A field that stands in an array anywhere becomes an Array, one that some documents lack a Nullable. Throws for a type
 * that has no counterpart.
 */
export async function planTable(
  mapping: JsonObject,
  documents: AsyncIterable<JsonObject>,
): Promise<TablePlan> {
  const mapped = mappedFields(propertiesOf(mapping));
  const isPoint = (path: string): boolean => mapped.get(path)?.type === 'geo_point';
  const seen = new Map<string, Seen>();
  let total = 0;
  for await (const document of documents) {
    total += 1;
    for (const [path, { values, inArray }] of flatDocument(document, isPoint)) {
      const known = seen.get(path) ?? { count: 0, inArray: false, example: null };
      known.count += values.length > 0 ? 1 : 0;
      known.inArray ||= inArray;
      known.example = values[0] ?? known.example;
      seen.set(path, known);
    }
  }
  const extra = [...seen].filter(([path, { count }]) => !mapped.has(path) && count > 0);
  const fields = [
    ...mapped,
    ...extra.map(([path, { example }]) => [path, { type: guessedType(example) }] as const),
  ];
  const columns = fields.map(([name, field]) => plannedColumn(name, field, seen.get(name), total));
  return { columns: withTargets(columns) };
}

function propertiesOf(mapping: JsonObject): JsonObject {
  const { mappings = mapping } = mapping;
  const properties = isJsonObject(mappings) ? mappings['properties'] : undefined;
  if (!isJsonObject(properties)) throw new Error('the mapping has no properties');
  return properties;
}

function guessedType(example: JsonValue): string {
  if (typeof example === 'boolean') return 'boolean';
  if (typeof example === 'bigint' || Number.isInteger(example)) return 'long';
  return typeof example === 'number' ? 'double' : 'text';
}

function plannedColumn(
  name: string,
  { type, aliasOf }: MappedField,
  seen: Seen | undefined,
  total: number,
): PlannedColumn {
  if (aliasOf !== undefined)
    return { name, fieldType: type, clickHouse: '', inArray: false, aliasOf };
  const scalar = clickHouseTypes[type];
  if (scalar === undefined) throw new Error(`[${name}]: no ClickHouse type for [${type}]`);
  const isOptional = seen === undefined || seen.count < total;
  // a Tuple cannot be Nullable
  const inArray = (seen?.inArray ?? false) || (isOptional && type === 'geo_point');
  return { name, fieldType: type, clickHouse: shaped(scalar, { inArray, isOptional }), inArray };
}

interface Shape {
  readonly inArray: boolean;
  readonly isOptional: boolean;
}

function shaped(scalar: string, { inArray, isOptional }: Shape): string {
  if (inArray) return `Array(${scalar})`;
  if (!isOptional) return scalar;
  return scalar.startsWith('LowCardinality')
    ? 'LowCardinality(Nullable(String))'
    : `Nullable(${scalar})`;
}

/** Aliases have the type of what they stand for. */
const withTargets = (columns: readonly PlannedColumn[]): readonly PlannedColumn[] =>
  columns.map((column) => {
    if (column.aliasOf === undefined) return column;
    const target = columns.find(({ name }) => name === column.aliasOf);
    if (target === undefined) throw new Error(`[${column.name}]: no field [${column.aliasOf}]`);
    return { ...column, clickHouse: target.clickHouse };
  });

/** The row of a document: values by column, converted to what the column takes. */
export function toRow({ columns }: TablePlan, document: JsonObject, line: number): JsonObject {
  const points = new Set(
    columns.filter((one) => one.fieldType === 'geo_point').map((one) => one.name),
  );
  const fields = flatDocument(document, (path) => points.has(path));
  const stored = columns.filter(({ aliasOf }) => aliasOf === undefined);
  const cells = stored.map(({ name, fieldType, inArray }): [string, JsonValue] => {
    const values = (fields.get(name)?.values ?? []).map((value) => converted(value, fieldType));
    return [name, inArray ? values : (values[0] ?? null)];
  });
  return Object.fromEntries([[lineColumn, line], ...cells]);
}

function converted(value: JsonValue, fieldType: string): JsonValue {
  switch (fieldType) {
    case 'text':
    case 'keyword':
      return typeof value === 'string' ? value : writeJson(value);
    case 'float':
    case 'half_float':
      return nearestFloat(value);
    case 'ip':
      return typeof value === 'string' && !value.includes(':') ? `::ffff:${value}` : value;
    case 'geo_point':
      return isJsonObject(value) ? { lat: Number(value['lat']), lon: Number(value['lon']) } : value;
    default:
      return value;
  }
}

/** The shortest number that is the same Float32: what ClickHouse will show. */
function nearestFloat(value: JsonValue): JsonValue {
  const wanted = Math.fround(Number(value));
  const shorter = [6, 7, 8, 9].map((length) => rounded(wanted, length));
  return shorter.find((one) => Math.fround(one) === wanted) ?? wanted;
}

/** Rounded to significant digits; what lies just between two numbers goes to the even one, as ClickHouse prints it. */
function rounded(wanted: number, length: number): number {
  const longer = wanted.toPrecision(length + 1);
  const isBetween = longer.endsWith('5') && Number(longer) === wanted;
  const cut = longer.slice(0, -1);
  return isBetween && /[02468]$/.test(cut) ? Number(cut) : Number(wanted.toPrecision(length));
}

/** The statement that creates a planned table, sorted by the named columns and then by line. */
export function createPlannedTable(
  table: string,
  { columns }: TablePlan,
  orderBy: readonly string[],
): string {
  const lines = columns.map(({ name, clickHouse, aliasOf }) => {
    const alias = aliasOf === undefined ? '' : ` ALIAS ${quotedName(aliasOf)}`;
    return `  ${quotedName(name)} ${clickHouse}${alias}`;
  });
  const key = [...orderBy, lineColumn].map(quotedName).join(', ');
  return `CREATE TABLE ${quotedName(table)} (\n  ${lineColumn} UInt32,\n${lines.join(',\n')}\n) ENGINE = MergeTree ORDER BY (${key})`;
}
