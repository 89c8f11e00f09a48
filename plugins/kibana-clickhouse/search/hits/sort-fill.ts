import type { Field } from '../../clickhouse/catalog/table';
import { call, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { shardNumberFormat, unsupported } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { epochMillis } from '../aggregations/instants';
import type { FieldSortKey } from '../request/search-request';
import { fromEpochNanos } from '../values/calendar';
import { stringOf } from '../values/field-value';
import { printFormat } from './date-text';

/** What a sort's `missing` value makes of a key. */
export interface FilledKey {
  /** Orders rows; those without a value by the one given. */
  readonly expr: Expr;
  /** JSON text of the sort value of a row without one. */
  readonly text: string;
}

/**
 * A sort key whose `missing` is a value. Elasticsearch 7.17 reads it as the number that the field's doc values are: ms of
 * a date, ns of a date_nanos, 0 or 1 of a boolean, 32 bits of a float; text that is no number is the shards' error. Refused: addresses
 * (Elasticsearch fails, too), numbers beyond 64 bits with sign, `numeric_type`.
 */
export function filledKey(field: Field, key: FieldSortKey, value: JsonValue): FilledKey {
  switch (field.type) {
    case 'keyword':
    case 'text':
      return {
        expr: call('ifNull', field.expr, param(stringOf(value), 'String')),
        text: JSON.stringify(stringOf(value)),
      };
    case 'double':
      return filledDouble(field, doubleOf(value), JSON.stringify);
    case 'float':
      return filledDouble(field, Math.fround(doubleOf(value)), floatText);
    case 'boolean':
    case 'byte':
    case 'short':
    case 'integer':
    case 'long':
      return filledLong(call('toInt64', field.expr), longOf(value));
    case 'date':
    case 'date_nanos':
      return filledDate(field, key, longOf(value));
    default:
      throw refused(field, key);
  }
}

const refused = (field: Field, key: FieldSortKey): Error =>
  unsupported(`[missing] with a value in the sort by [${key.field}] of type [${field.type}]`);

const filledDouble = (
  { expr }: Field,
  value: number,
  print: (value: number) => string,
): FilledKey => ({
  expr: call('ifNull', call('toFloat64', expr), param(value, 'Float64')),
  text: Number.isFinite(value) ? print(value) : `"${String(value)}"`,
});

/** The fewest digits that tell a number of 32 bits from its neighbours: `3.3`, where as a double it is 3.299999952316284. */
function floatText(value: number): string {
  const digits = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => Number(value.toPrecision(count)));
  return JSON.stringify(digits.find((short) => Math.fround(short) === value) ?? value);
}

const filledLong = (number: Expr, value: bigint): FilledKey => ({
  expr: call('ifNull', number, param(value, 'Int64')),
  text: value.toString(),
});

function filledDate(field: Field, key: FieldSortKey, value: bigint): FilledKey {
  const { time } = field;
  if (time === undefined || key.numericType !== undefined) throw refused(field, key);
  const isNanos = field.type === 'date_nanos';
  const number = isNanos
    ? call('toUnixTimestamp64Nano', field.expr)
    : epochMillis(field.expr, time);
  const { expr, text } = filledLong(number, value);
  if (key.format === undefined) return { expr, text };
  const instant = fromEpochNanos(isNanos ? value : value * 1_000_000n);
  return { expr, text: JSON.stringify(printFormat(field, key.format).print(instant)) };
}

const longMax = (1n << 63n) - 1n;

/** As Java casts a double to a long, or reads a long from text. */
function longOf(value: JsonValue): bigint {
  if (typeof value === 'bigint') return limited(value);
  if (typeof value === 'number') return limited(BigInt(Math.trunc(value)));
  const text = stringOf(value);
  const number = /^[+-]?\d{1,19}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
  if (number === undefined || number !== limited(number)) throw notANumber(text);
  return number;
}

function limited(value: bigint): bigint {
  if (value > longMax) return longMax;
  return value < -longMax - 1n ? -longMax - 1n : value;
}

function doubleOf(value: JsonValue): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  const text = stringOf(value);
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(number)) return number;
  throw text === '' ? shardNumberFormat('empty String') : notANumber(text);
}

const notANumber = (text: string): Error => shardNumberFormat(`For input string: "${text}"`);
