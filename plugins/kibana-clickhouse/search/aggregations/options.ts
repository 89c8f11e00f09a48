import {
  contentParseError,
  illegalArgument,
  numberFormatError,
  parsingError,
  unsupported,
} from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { parseField } from '../request/parse-field';
import { suggestion } from '../suggestion';

/** What Elasticsearch knows of an aggregation's options, and which of them the gateway has. */
export interface OptionTable {
  /** Read by the aggregation. */
  readonly used: readonly string[];
  /** Without effect on an exact answer: accepted and left aside. */
  readonly ignored?: readonly string[];
  /** Elasticsearch has them, the gateway does not. */
  readonly refused?: readonly string[];
}

/**
 * Checks the names of an aggregation's options. Throws Elasticsearch's error for an unknown one and
 * an error of our own for a known one that would change the answer.
 */
export function checkOptions(type: string, body: JsonObject, table: OptionTable): void {
  const { used, ignored = [], refused = [] } = table;
  for (const [key, value] of Object.entries(body)) {
    if (used.includes(key) || ignored.includes(key)) continue;
    if (refused.includes(key)) {
      // null takes an option back
      if (value === null) continue;
      throw unsupported(`option [${key}] of aggregation [${type}]`);
    }
    const hint = suggestion(key, [...used, ...ignored, ...refused]);
    throw contentParseError(`[${type}] unknown field [${key}]${hint}`);
  }
}

/** The value of an option; null is the same as not given. */
export const option = (body: JsonObject, key: string): JsonValue | undefined =>
  body[key] ?? undefined;

/** A text option. Numbers and booleans are taken as text, as Elasticsearch's parser does. */
export function textOption(body: JsonObject, key: string, type: string): string | undefined {
  const value = option(body, key);
  if (value === undefined) return undefined;
  if (isJsonObject(value) || isJsonArray(value)) throw wrongType(type, key, value);
  return String(value);
}

/** The field an aggregation works on; it must be given, because scripts are not run. */
export function requiredField(body: JsonObject, type: string): string {
  const field = textOption(body, 'field', type);
  if (field === undefined)
    throw illegalArgument('Required one of fields [field, script], but none were specified. ');
  return field;
}

/** A whole number; text is taken, fractions are cut off (Elasticsearch's `longValue`). */
export function integerOption(body: JsonObject, key: string, type: string): number | undefined {
  const value = option(body, key);
  if (value === undefined) return undefined;
  if (typeof value === 'boolean' || isJsonObject(value) || isJsonArray(value))
    throw wrongType(type, key, value);
  const number = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
  if (!Number.isFinite(number)) throw numberFormatError(`For input string: "${String(value)}"`);
  return Math.trunc(number);
}

/** A number with a fraction or none; text is taken. */
export function doubleOption(body: JsonObject, key: string, type: string): number | undefined {
  const value = option(body, key);
  if (value === undefined) return undefined;
  if (typeof value === 'boolean' || isJsonObject(value) || isJsonArray(value))
    throw wrongType(type, key, value);
  return doubleOf(value);
}

/** A JSON number, or text that is one. Throws Java's error for other text. */
export function doubleOf(value: string | number | bigint | boolean | null): number {
  const number = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
  if (value === null || typeof value === 'boolean' || Number.isNaN(number))
    throw numberFormatError(`For input string: "${String(value)}"`);
  return number;
}

/** `size`, of buckets: 10 unless given. Throws Elasticsearch's error for none. */
export function bucketSizeOption(body: JsonObject, type: string, aggregation: string): number {
  const size = integerOption(body, 'size', type) ?? 10;
  if (size > 0) return size;
  throw illegalArgument(
    `[size] must be greater than 0. Found [${String(size)}] in [${aggregation}]`,
  );
}

/** `min_doc_count`, which is never negative. */
export const minDocCountOption = (
  body: JsonObject,
  { type, aggregation }: { readonly type: string; readonly aggregation: string },
): number | undefined =>
  parseField(type, 'min_doc_count', () => {
    const count = integerOption(body, 'min_doc_count', type);
    if (count === undefined || count >= 0) return count;
    throw illegalArgument(
      `[minDocCount] must be greater than or equal to 0. Found [${String(count)}] in [${aggregation}]`,
    );
  });

/** True or false, also as text. */
export function booleanOption(body: JsonObject, key: string, type: string): boolean | undefined {
  const value = option(body, key);
  if (value === undefined || typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  if (isJsonObject(value) || isJsonArray(value)) throw wrongType(type, key, value);
  throw illegalArgument(
    `Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`,
  );
}

/** Elasticsearch's refusal of a value of the wrong kind. */
export const wrongType = (type: string, key: string, value: JsonValue): Error =>
  contentParseError(`[${type}] ${key} doesn't support values of type: ${tokenType(value)}`);

/** What Elasticsearch's parser calls a value: `VALUE_STRING`, `START_ARRAY`. */
export function tokenType(value: JsonValue): string {
  if (value === null) return 'VALUE_NULL';
  if (isJsonArray(value)) return 'START_ARRAY';
  if (isJsonObject(value)) return 'START_OBJECT';
  if (typeof value === 'string') return 'VALUE_STRING';
  return typeof value === 'boolean' ? 'VALUE_BOOLEAN' : 'VALUE_NUMBER';
}

/** An option that is an object of its own. */
export function objectOption(body: JsonObject, key: string, type: string): JsonObject | undefined {
  const value = option(body, key);
  if (value === undefined) return undefined;
  if (!isJsonObject(value))
    throw parsingError(`Unknown key for a ${tokenType(value)} in [${type}]: [${key}].`);
  return value;
}
