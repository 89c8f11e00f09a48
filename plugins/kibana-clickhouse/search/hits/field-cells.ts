import type { Field, FieldType, Table } from '../../clickhouse/catalog/table';
import type { Cell } from '../../clickhouse/execution/executor';
import { array, call, integer, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import {
  illegalArgument,
  isUnsupported,
  shardIllegalArgument,
} from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import { writeJson } from '../../common/json/write-json';
import { eachValue } from '../aggregations/instants';
import { isPattern, namePattern } from '../request/name-pattern';
import type { FieldSelector, SearchRequest } from '../request/search-request';
import type { DateFormat } from '../values/date-format';
import { latitudeStep, longitudeStep, storedDegrees } from '../values/geo-steps';
import { javaDouble } from '../values/java-double';
import { renderValue } from '../values/render-value';
import { printFormat } from './date-text';
import type { Cells, HitColumns } from './hit-line';

/** Fields of a hit that print alike, such as a text and its `.keyword` twin. */
export interface PlannedFields {
  readonly names: readonly string[];
  /** Their values as JSON texts with commas between; empty where the row has no value. */
  readonly print: (cells: Cells) => string;
}

/** `fields` print values as the document has them; doc values stand in order. */
type FieldMode = 'fields' | 'docvalues';

/**
 * Plans `fields` and `docvalue_fields`. A pattern stands for every field with values of its own, the
 * `.keyword` twins among them; of a field named twice the last format counts, and `fields` wins over
 * `docvalue_fields`. Unknown names give nothing.
 */
export function planFields(
  { fields, docvalueFields }: Pick<SearchRequest, 'docvalueFields' | 'fields'>,
  table: Table,
  columns: HitColumns,
): readonly PlannedFields[] {
  const selected = new Map<string, SelectedField>();
  const select = (selectors: readonly FieldSelector[], mode: FieldMode): void => {
    for (const { pattern, format } of selectors)
      for (const field of selectFields(pattern, table))
        selected.set(field.name, { field, format, mode });
  };
  select(docvalueFields, 'docvalues');
  select(fields, 'fields');
  const alike = new Map<string, SelectedField[]>();
  for (const item of selected.values()) {
    const key = printKey(item, columns);
    alike.set(key, [...(alike.get(key) ?? []), item]);
  }
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return { names: group.map(({ field }) => field.name), print: printField(first, columns) };
  });
}

interface SelectedField {
  readonly field: Field;
  readonly format: string | undefined;
  readonly mode: FieldMode;
}

/** Equal for fields that print the same text for every row. */
const printKey = ({ field, format, mode }: SelectedField, columns: HitColumns): string =>
  JSON.stringify([
    columns.alias(cellExpr(field, mode)),
    field.type === 'text' ? 'keyword' : field.type,
    format ?? null,
    mode,
  ]);

function selectFields(pattern: string, table: Table): readonly Field[] {
  if (!isPattern(pattern)) {
    const field = table.field(pattern);
    return field && field.type !== 'object' ? [field] : [];
  }
  const matches = namePattern(pattern);
  return [...table.fields.values()].filter(({ name, type }) => type !== 'object' && matches(name));
}

function printField(
  { field, format, mode }: SelectedField,
  columns: HitColumns,
): PlannedFields['print'] {
  const printValue = valuePrinter(field, format, mode);
  const read = columns.add(cellExpr(field, mode));
  const print = (cell: Cell): string => {
    const text = cell === null ? none : printValue(cell);
    return text === none ? '' : text;
  };
  if (!field.multiValued) return (cells) => print(read(cells));
  // points are doc values as texts, and stand in the order of these
  const isByText = field.type === 'geo_point' && mode === 'docvalues';
  return (cells) => {
    const texts = ((read(cells) ?? []) as readonly Cell[]).map(print).filter((text) => text !== '');
    return (isByText ? texts.sort() : texts).join(',');
  };
}

/** JSON text of what Elasticsearch would have no value for. */
const none = 'null';

const distinctTypes: readonly FieldType[] = ['ip', 'keyword', 'text'];

/** Keywords and addresses stand among the doc values once each (Elasticsearch 7.17). */
const sorted = ({ expr, type }: Field): Expr =>
  call('arraySort', distinctTypes.includes(type) ? call('arrayDistinct', expr) : expr);

/** What is selected for a value: never an object, and nothing that JSON.parse would round. */
function cellExpr(given: Field, mode: FieldMode): Expr {
  const inOrder = mode === 'docvalues' && given.multiValued;
  const field = inOrder ? { ...given, expr: sorted(given) } : given;
  if (field.refusal !== undefined) return call('toString', field.expr);
  if (field.type === 'geo_point') return eachValue(field, (point) => lonLat(field, point));
  const hasManyDigits = /^U?Int64$/.test(field.valueType.name);
  return hasManyDigits ? eachValue(field, (x) => call('toString', x)) : field.expr;
}

function lonLat({ valueType }: Field, point: Expr): Expr {
  const [lon, lat] =
    valueType.names.length === 0
      ? [integer(1), integer(2)]
      : [param('lon', 'String'), param('lat', 'String')];
  return array([call('tupleElement', point, lon), call('tupleElement', point, lat)]);
}

/** JSON text of one value; `null` for what Elasticsearch could not hold. */
type PrintValue = (cell: Cell) => string;

function valuePrinter(field: Field, format: string | undefined, mode: FieldMode): PrintValue {
  if (field.type === 'geo_point') return pointPrinter(format, mode);
  if (field.time) {
    const dates = { format: fieldFormat(field, format, mode) };
    return (cell) => writeJson(renderValue(field, cell, dates));
  }
  if (format !== undefined) throw noFormat(field, mode);
  if (field.type === 'keyword' || field.type === 'text') return (cell) => JSON.stringify(cell);
  const options = { docValues: mode === 'docvalues' };
  return (cell) => writeJson(renderValue(field, cell, options));
}

function fieldFormat(field: Field, format: string | undefined, mode: FieldMode): DateFormat {
  try {
    return printFormat(field, format);
  } catch (error) {
    if (mode === 'docvalues' || !(error instanceof ElasticsearchError)) throw error;
    throw isUnsupported(error) ? error : errorFetching(field.name, error);
  }
}

const noFormat = ({ name, type }: Field, mode: FieldMode): Error =>
  mode === 'fields'
    ? errorFetching(
        name,
        illegalArgument(`Field [${name}] of type [${type}] doesn't support formats.`),
      )
    : shardIllegalArgument(`Field [${name}] of type [${type}] does not support custom formats`);

/** What Elasticsearch's `fields` make of an error: the field's name stands before it. */
const errorFetching = (name: string, { type, message, causes }: ElasticsearchError): Error =>
  shardIllegalArgument(`error fetching [${name}]: ${message}`, [
    { type, reason: message },
    ...causes,
  ]);

/** GeoJSON or `POINT (lon lat)` in `fields`, `lat, lon` as a doc value. */
function pointPrinter(format: string | undefined, mode: FieldMode): PrintValue {
  if (format !== undefined && format !== 'geojson' && format !== 'wkt')
    throw illegalArgument(`Unrecognized geometry format [${format}].`);
  return (cell) => {
    const [lon = 0, lat = 0] = (cell as readonly Cell[]).map(Number);
    if (mode === 'docvalues')
      return `"${stored(lat, latitudeStep)}, ${stored(lon, longitudeStep)}"`;
    const [x, y] = [javaDouble(lon), javaDouble(lat)];
    return format === 'wkt' ? `"POINT (${x} ${y})"` : `{"coordinates":[${x},${y}],"type":"Point"}`;
  };
}

const stored = (degrees: number, step: number): string => javaDouble(storedDegrees(degrees, step));
