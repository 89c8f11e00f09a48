import type { Field } from '../../../clickhouse/catalog/table';
import type { Cell } from '../../../clickhouse/execution/executor';
import { shardIllegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { utc } from '../../values/time-zone';
import { printDate } from '../date-text';
import { numberFormat } from '../value-text';

/**
 * `key`, and `key_as_string` where Elasticsearch has one, of a terms bucket: booleans are 0 and 1
 * with their word, dates epoch ms with their text, numbers and strings stand alone.
 * Throws for a format of what has none.
 */
export function termKey(
  key: Cell,
  field: Field | undefined,
  format: string | undefined,
): JsonObject {
  switch (field?.type) {
    case 'float':
      if (format !== undefined) throw numberFormat(format);
      // the double nearest to the float, as doc values are read
      return { key: Math.fround(Number(key)) };
    case 'date':
    case 'date_nanos':
      return { key: Number(key), key_as_string: printDate(Number(key), format, utc) };
    case 'boolean':
      return { key: isTrue(key) ? 1 : 0, key_as_string: String(isTrue(key)) };
    case 'keyword':
      if (format !== undefined) throw formatOfText(field);
      return { key: textOf(key) };
    case 'ip':
      return { key: addressText(textOf(key)) };
    default:
      if (format !== undefined) throw numberFormat(format);
      return { key: numberOf(key) };
  }
}

/** Text keys come as text. */
const textOf = (key: Cell): string => (typeof key === 'string' ? key : JSON.stringify(key));

const isTrue = (key: Cell): boolean => key === true || key === 1 || key === 'true' || key === '1';

const formatOfText = (field: Field): Error =>
  shardIllegalArgument(`Field [${field.name}] of type [keyword] does not support custom formats`);

/** Elasticsearch prints an IPv4 address inside IPv6 as IPv4. */
const addressText = (text: string): string => text.replace(/^::ffff:(?=\d+\.)/i, '');

/** Integers exactly: beyond 2^53 as bigint. */
function numberOf(key: Cell): JsonValue {
  const number = Number(key);
  return typeof key === 'string' && /^-?\d+$/.test(key) && !Number.isSafeInteger(number)
    ? BigInt(key)
    : number;
}
