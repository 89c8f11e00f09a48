import type { Field } from '../../clickhouse/catalog/table';
import type { Cell } from '../../clickhouse/execution/executor';
import { shardIllegalArgument } from '../../common/errors/catalogue';
import type { JsonObject } from '../../common/json/json';
import { shardDateFormat } from '../values/date-format';
import { type TimeZone, utc } from '../values/time-zone';
import { printDate } from './date-text';
import { decimalFormat } from './decimal-format';

/** A metric's cell as a number; NaN where there is none. ClickHouse writes `nan` and `inf` as words. */
export function numberCell(cell: Cell | undefined): number {
  if (cell === 'inf' || cell === '+inf') return Infinity;
  if (cell === '-inf') return -Infinity;
  return cell === null || cell === undefined ? NaN : Number(cell);
}

/** The same; what JSON cannot say (nan, infinities) is null, as in Elasticsearch. */
export function finiteCell(cell: Cell | undefined): number | null {
  const value = numberCell(cell);
  return Number.isFinite(value) ? value : null;
}

/** How the values of a field are printed beside numbers. */
export type ValueFormat = (value: number) => string;

/**
 * What prints a field's values (Elasticsearch 7.17 `DocValueFormat`): dates in `format` or the field's own, in UTC unless a
 * zone is given; booleans as words; numbers by `format`, a pattern of Java's `DecimalFormat`, else not at all (undefined). An
 * unmapped field is a number. Throws for a pattern that is none, and for a format where the type has none.
 */
export function valueFormat(
  field: Field | undefined,
  format: string | undefined,
  zone: TimeZone = utc,
): ValueFormat | undefined {
  switch (field?.type) {
    case 'date':
    case 'date_nanos':
      // a wrong pattern is an error even where nothing is printed
      if (format !== undefined) shardDateFormat(format);
      // Elasticsearch cuts fractions of a millisecond off
      return (value) => printDate(javaLong(value), format, zone);
    case 'boolean':
    case 'keyword':
    case 'ip':
      if (format !== undefined)
        throw shardIllegalArgument(
          `Field [${field.name}] of type [${field.type}] does not support custom formats`,
        );
      return field.type === 'boolean' ? (value) => String(value !== 0) : undefined;
    default:
      return format === undefined ? undefined : decimalFormat(format).print;
  }
}

const longMax = 2 ** 63;

/** Java's cast of a double to long: NaN is 0, what is too large the largest. */
const javaLong = (value: number): number =>
  Number.isNaN(value) ? 0 : Math.min(Math.max(Math.trunc(value), -longMax), longMax);

/**
 * `value_as_string` beside a metric's value, where Elasticsearch has one: for dates in the format
 * asked for, else as ISO in UTC, for booleans, for numbers with a format; never beside null.
 */
export function valueAsString(
  value: number | null,
  field: Field | undefined,
  format: string | undefined,
): JsonObject {
  const print = valueFormat(field, format);
  return print === undefined || value === null ? {} : { value_as_string: print(value) };
}
