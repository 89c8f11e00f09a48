import type { Field, FieldType } from '../../clickhouse/catalog/table';
import type { Cell } from '../../clickhouse/execution/executor';
import { call } from '../../clickhouse/sql/build';
import { queryShardError, shardIllegalArgument, unsupported } from '../../common/errors/catalogue';
import { writeJson } from '../../common/json/write-json';
import type { FieldSortKey } from '../request/search-request';
import { toEpochNanos } from '../values/calendar';
import { cellInstant, renderValue } from '../values/render-value';
import { printFormat } from './date-text';
import type { Cells, HitColumns } from './hit-line';

/** JSON text of a row's sort value; undefined where the row has none. */
export type SortValue = (cells: Cells) => string | undefined;

/** Selects what is printed as the sort value of a single-valued field. */
export function sortValue(field: Field, key: FieldSortKey, columns: HitColumns): SortValue {
  if (field.time) return dateValue(field, key, columns);
  checkOptions(field, key);
  const isNumber = numberTypes.includes(field.type);
  // as text: JSON.parse would round integers beyond 2^53, and JSON has no infinity
  const read = columns.add(isNumber ? call('toString', field.expr) : field.expr);
  const print = isNumber ? numberText : valueText(field);
  return (cells) => {
    const cell = read(cells);
    return cell === null ? undefined : print(cell);
  };
}

const numberTypes: readonly FieldType[] = [
  'byte',
  'double',
  'float',
  'integer',
  'long',
  'short',
  'unsigned_long',
];

/** A date sorts as a number of ms, a date_nanos as one of ns; with a format as text. */
function dateValue(
  field: Field,
  { format, numericType, field: name }: FieldSortKey,
  columns: HitColumns,
): SortValue {
  if (numericType === 'long' || numericType === 'double')
    throw unsupported(`[numeric_type] ${numericType} in the sort by [${name}]`);
  const type = (numericType ?? field.type) === 'date_nanos' ? 'date_nanos' : 'date';
  const printed = format === undefined ? undefined : printFormat(field, format);
  const isEpoch = field.time?.kind === 'epoch';
  const read = columns.add(isEpoch ? call('toString', field.expr) : field.expr);
  return (cells) => {
    const instant = cellInstant(field, read(cells));
    if (instant === null) return undefined;
    // as a date a date_nanos has no more than its ms
    const shown = type === 'date' ? { ...instant, nanos: 0 } : instant;
    if (printed) return JSON.stringify(printed.print(shown));
    return String(type === 'date_nanos' ? toEpochNanos(instant) : instant.ms);
  };
}

/** Refuses options that only numbers and dates have, as Elasticsearch 7.17 does. */
function checkOptions(field: Field, { format, numericType, field: name }: FieldSortKey): void {
  const isNumber = numberTypes.includes(field.type);
  if (format !== undefined) {
    if (isNumber) throw unsupported(`[format] in the sort by the number [${name}]`);
    throw shardIllegalArgument(
      `Field [${name}] of type [${field.type}] does not support custom formats`,
    );
  }
  if (numericType === undefined) return;
  if (isNumber) throw unsupported(`[numeric_type] ${numericType} in the sort by [${name}]`);
  throw queryShardError(
    `[numeric_type] option cannot be set on a non-numeric field, got ${field.type}`,
  );
}

function valueText(field: Field): (cell: Cell) => string {
  if (field.type === 'boolean') return (cell) => (cell === true || cell === 1 ? '1' : '0');
  return (cell) => writeJson(renderValue(field, cell));
}

/** ClickHouse's text of a number is JSON's, save for what JSON has no number for; NaN, which Elasticsearch has not, is no value. */
function numberText(cell: Cell): string | undefined {
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  if (text === 'inf') return '"Infinity"';
  if (text === '-inf') return '"-Infinity"';
  return text === 'nan' || text === '-nan' ? undefined : text;
}
