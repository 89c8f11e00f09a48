import type { Field } from '../../clickhouse/catalog/table';
import type { Cell } from '../../clickhouse/execution/executor';
import { unsupported } from '../../common/errors/catalogue';
import type { JsonObject } from '../../common/json/json';
import { utc } from '../values/time-zone';
import { printDate } from './date-text';

/** A metric's cell as a number; what JSON cannot say (nan, infinities) is null, as in Elasticsearch. */
export function finiteCell(cell: Cell | undefined): number | null {
  const value = cell === null || cell === undefined ? NaN : Number(cell);
  return Number.isFinite(value) ? value : null;
}

/**
 * `value_as_string` beside a metric's value, where Elasticsearch has one: for dates in the format
 * asked for, else as ISO in UTC, and for booleans; never beside null. Throws for a number format.
 */
export function valueAsString(
  value: number | null,
  field: Field | undefined,
  format: string | undefined,
): JsonObject {
  const type = field?.type;
  const isDate = type === 'date' || type === 'date_nanos';
  if (format !== undefined && !isDate) throw numberFormat(format);
  if (value === null) return {};
  // Elasticsearch cuts fractions of a millisecond off
  if (isDate) return { value_as_string: printDate(Math.trunc(value), format, utc) };
  return type === 'boolean' ? { value_as_string: String(value !== 0) } : {};
}

/** The refusal of patterns such as `0.00`. */
export const numberFormat = (format: string): Error =>
  unsupported(`number format [${format}] of an aggregation`);
