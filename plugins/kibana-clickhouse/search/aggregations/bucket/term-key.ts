import type { Field } from '../../../clickhouse/catalog/table';
import type { Cell } from '../../../clickhouse/execution/executor';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { utc } from '../../values/time-zone';
import { printDate } from '../date-text';
import { valueFormat } from '../value-text';

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
  const print = valueFormat(field, format);
  const printed = (value: JsonValue): JsonObject =>
    print ? { key: value, key_as_string: print(Number(value)) } : { key: value };
  switch (field?.type) {
    case 'float':
      // the double nearest to the float, as doc values are read
      return printed(Math.fround(Number(key)));
    case 'date':
    case 'date_nanos':
      return { key: Number(key), key_as_string: printDate(Number(key), format, utc) };
    case 'boolean':
      return { key: booleanNumber(key), key_as_string: String(booleanNumber(key) !== 0) };
    case 'keyword':
      return { key: textOf(key) };
    case undefined:
      // an unmapped field: what stands in place of its values is text
      return { key: textOf(key) };
    case 'ip':
      return { key: addressText(textOf(key)) };
    default:
      return printed(numberOf(key));
  }
}

/** Text keys come as text. */
const textOf = (key: Cell): string => (typeof key === 'string' ? key : JSON.stringify(key));

const booleanNumber = (key: Cell): number =>
  key === 'true' || key === 'false' ? Number(key === 'true') : Number(key);

/** Elasticsearch prints an IPv4 address inside IPv6 as IPv4. */
const addressText = (text: string): string => text.replace(/^::ffff:(?=\d+\.)/i, '');

/** Integers exactly: beyond 2^53 as bigint. */
function numberOf(key: Cell): JsonValue {
  const number = Number(key);
  return typeof key === 'string' && /^-?\d+$/.test(key) && !Number.isSafeInteger(number)
    ? BigInt(key)
    : number;
}
