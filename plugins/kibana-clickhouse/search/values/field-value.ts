import { type ColumnType, enumValues } from '../../clickhouse/catalog/column-type';
import type { Field } from '../../clickhouse/catalog/table';
import { param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { failedQuery } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { javaDouble } from './java-double';
import { integerRange } from './integer-range';
import { type NumberValue, parseNumber } from './number-value';
import { spelledAs } from './spelled-as';

/** `none`: a value that no document can have (1.5 in a long, 300 in a byte). */
export type FieldValue = Expr | 'none';

/**
 * A request's value as a bound parameter that fits the field's type, for fields of one value each
 * (text, keyword, numbers, boolean). Elasticsearch's error when it cannot be of that type at all.
 */
export function fieldValue(field: Field, value: JsonValue): FieldValue {
  switch (field.type) {
    case 'text':
    case 'keyword':
      return stringValue(spelledAs(field, stringOf(value)));
    case 'boolean':
      return param(booleanOf(value), 'Bool');
    case 'float':
    case 'double':
      return floatValue(field, value);
    case 'byte':
    case 'short':
    case 'integer':
    case 'long':
    case 'unsigned_long':
      return integerValue(field, value);
    default:
      throw failedQuery(
        `field [${field.name}] of type [${field.type}] does not support this query`,
      );
  }
}

/** The value for the column itself where the field converts it; undefined where there is no such way. */
export function rawValue(type: ColumnType, value: JsonValue): FieldValue | undefined {
  const text = stringOf(value);
  switch (type.name) {
    case 'Enum8':
    case 'Enum16':
      return enumValues(type).includes(text) ? param(text, 'String') : 'none';
    case 'UUID':
      return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? param(text, 'UUID') : 'none';
    case 'String':
      // the empty string may stand for a value that is missing
      return text === '' ? undefined : stringValue(text);
    case 'FixedString':
      // ClickHouse compares with the value padded by zero bytes; a longer one is an error in a list
      return Buffer.byteLength(text) > Number(type.literals[0]) || text.includes('\0')
        ? 'none'
        : stringValue(text);
    default:
      return undefined;
  }
}

/** How a JSON value reads as text: numbers as Java prints them (`7`, `0.5`, `1.0E30`), booleans as they are written. */
export function stringOf(value: JsonValue): string {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? String(value) : javaDouble(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const stringValue = (text: string): FieldValue =>
  // half of a surrogate pair: no column holds it, and it would not survive the way there
  /\p{Surrogate}/u.test(text) ? 'none' : param(text, 'String');

/** `true`, `false` or the same as strings. */
export function booleanOf(value: JsonValue): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw failedQuery(`Can't parse boolean value [${stringOf(value)}], expected [true] or [false]`);
}

/** A finite number of the field's precision; Elasticsearch refuses others. */
export function floatValue(field: Field, value: JsonValue): Expr {
  const number = parseNumber(value);
  const stored = field.type === 'float' ? Math.fround(number.double) : number.double;
  if (!Number.isFinite(stored))
    throw failedQuery(
      `[${field.type}] supports only finite values, but got [${printInfinite(stored)}]`,
    );
  return param(number.text, field.valueType.name === 'Float32' ? 'Float32' : 'Float64');
}

const printInfinite = (value: number): string =>
  Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';

function integerValue(field: Field, value: JsonValue): FieldValue {
  const number = checkedInteger(field, value);
  if (!number.whole) return 'none';
  const range = integerRange(field.valueType.name);
  if (range === undefined || number.floor < range.least || number.floor > range.most) return 'none';
  return param(number.floor, field.valueType.name);
}

/**
 * A number for an integer field. Elasticsearch refuses what is beyond 32 bits for byte, short and
 * integer, beyond 64 bits for long; of an unsigned_long it takes anything.
 */
export function checkedInteger(field: Field, value: JsonValue): NumberValue {
  const number = parseNumber(value);
  if (field.type === 'unsigned_long') return number;
  const bits = field.type === 'long' ? 64n : 32n;
  const limit = 1n << (bits - 1n);
  if (number.floor >= limit || number.floor < -limit)
    throw failedQuery(
      `Value [${stringOf(value)}] is out of range for ${bits === 64n ? 'a long' : 'an integer'}`,
    );
  return number;
}
