import type { Field, FieldType, Table } from '../../clickhouse/catalog/table';
import type { Cell } from '../../clickhouse/execution/executor';
import { array, call, integer, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { illegalArgument, shardIllegalArgument } from '../../common/errors/catalogue';
import { writeJson } from '../../common/json/write-json';
import { eachValue } from '../aggregations/instants';
import { isPattern, namePattern } from '../request/name-pattern';
import type { FieldSelector, SearchRequest } from '../request/search-request';
import { renderValue } from '../values/render-value';
import { printFormat } from './date-text';
import type { Cells, HitColumns } from './hit-line';

/** One field of a hit's `fields`: its values as JSON texts; none where the row has no value. */
export interface PlannedField {
  readonly name: string;
  readonly values: (cells: Cells) => readonly string[];
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
): readonly PlannedField[] {
  const planned = new Map<string, PlannedField>();
  const add = (selectors: readonly FieldSelector[], mode: FieldMode): void => {
    for (const { pattern, format } of selectors)
      for (const field of selectFields(pattern, table))
        planned.set(field.name, planField(field, format, mode, columns));
  };
  add(docvalueFields, 'docvalues');
  add(fields, 'fields');
  return [...planned.values()];
}

function selectFields(pattern: string, table: Table): readonly Field[] {
  if (!isPattern(pattern)) {
    const field = table.field(pattern);
    return field && field.type !== 'object' ? [field] : [];
  }
  const matches = namePattern(pattern);
  return [...table.fields.values()].filter(({ name, type }) => type !== 'object' && matches(name));
}

function planField(
  field: Field,
  format: string | undefined,
  mode: FieldMode,
  columns: HitColumns,
): PlannedField {
  const print = valuePrinter(field, format, mode);
  const inOrder = mode === 'docvalues' && field.multiValued;
  const read = columns.add(cellExpr(inOrder ? { ...field, expr: sorted(field) } : field));
  const texts = (cells: readonly Cell[]): readonly string[] =>
    cells.map(print).filter((text) => text !== 'null');
  return {
    name: field.name,
    values: (cells) => {
      const cell = read(cells);
      if (cell === null) return [];
      return texts(field.multiValued ? (cell as readonly Cell[]) : [cell]);
    },
  };
}

const distinctTypes: readonly FieldType[] = ['ip', 'keyword', 'text'];

/** Keywords and addresses stand among the doc values once each (Elasticsearch 7.17). */
const sorted = ({ expr, type }: Field): Expr =>
  call('arraySort', distinctTypes.includes(type) ? call('arrayDistinct', expr) : expr);

/** What is selected for a value: never an object, and nothing that JSON.parse would round. */
function cellExpr(field: Field): Expr {
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

/** JSON text of one value; `null` where Elasticsearch would have none. */
type PrintValue = (cell: Cell) => string;

function valuePrinter(field: Field, format: string | undefined, mode: FieldMode): PrintValue {
  if (field.refusal !== undefined) return (cell) => JSON.stringify(cell);
  if (field.type === 'geo_point') return pointPrinter(format, mode);
  if (field.time) {
    const dates = { format: printFormat(field, format) };
    return (cell) => writeJson(renderValue(field, cell, dates));
  }
  if (format !== undefined) throw noFormat(field, mode);
  const options = { docValues: mode === 'docvalues' };
  return (cell) => writeJson(renderValue(field, cell, options));
}

const noFormat = ({ name, type }: Field, mode: FieldMode): Error =>
  shardIllegalArgument(
    mode === 'fields'
      ? `Field [${name}] of type [${type}] doesn't support formats.`
      : `Field [${name}] of type [${type}] does not support custom formats`,
  );

/** GeoJSON or `POINT (lon lat)` in `fields`, `lat, lon` as a doc value. */
function pointPrinter(format: string | undefined, mode: FieldMode): PrintValue {
  if (format !== undefined && format !== 'geojson' && format !== 'wkt')
    throw illegalArgument(`Unrecognized geometry format [${format}].`);
  return (cell) => {
    const [lon = '0.0', lat = '0.0'] = (cell as readonly Cell[]).map(javaDouble);
    if (mode === 'docvalues') return `"${lat}, ${lon}"`;
    return format === 'wkt'
      ? `"POINT (${lon} ${lat})"`
      : `{"coordinates":[${lon},${lat}],"type":"Point"}`;
  };
}

/** Java writes whole doubles with a fraction: `21.0`. */
const javaDouble = (cell: Cell): string => {
  const text = JSON.stringify(cell);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
};
