import {
  argumentCausedBy,
  illegalArgument,
  numberFormatError,
  parsingError,
} from '../../common/errors/catalogue';
import { type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';

/** What Elasticsearch's parser calls a value in its errors. */
export function tokenName(value: JsonValue): string {
  if (value === null) return 'VALUE_NULL';
  if (isJsonArray(value)) return 'START_ARRAY';
  if (isJsonObject(value)) return 'START_OBJECT';
  if (typeof value === 'string') return 'VALUE_STRING';
  return typeof value === 'boolean' ? 'VALUE_BOOLEAN' : 'VALUE_NUMBER';
}

/** Elasticsearch's refusal of a key, or of a known key with a value of the wrong kind. */
export const unknownKey = (key: string, value: JsonValue): Error =>
  parsingError(`Unknown key for a ${tokenName(value)} in [${key}].`);

const INT_MAX = 2 ** 31 - 1;

/**
 * A body value as a 32-bit integer. Numbers given as strings are taken, fractions are cut off
 * (Elasticsearch 7.17, `XContentParser.intValue`). Throws a 400 for anything else.
 */
export function toInteger(value: JsonValue, key: string): number {
  if (typeof value === 'boolean')
    throw illegalArgument(`[${key}] must be a number but was [${String(value)}]`);
  if (typeof value === 'object') throw unknownKey(key, value);
  const number = typeof value === 'string' ? parseDecimal(value) : Number(value);
  if (number > INT_MAX || number < -INT_MAX - 1)
    throw illegalArgument(`Value [${String(value)}] is out of range for an integer`);
  return Math.trunc(number);
}

function parseDecimal(text: string): number {
  const trimmed = text.trim();
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(trimmed))
    throw numberFormatError(text === '' ? 'empty String' : `For input string: "${text}"`);
  return Number(trimmed);
}

/** A body value as a boolean: `true`, `false` or these words as strings. */
export function toBoolean(value: JsonValue, key: string): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object') throw unknownKey(key, value);
  return wordToBoolean(String(value));
}

function wordToBoolean(word: string): boolean {
  if (word === 'true') return true;
  if (word === 'false') return false;
  throw illegalArgument(`Failed to parse value [${word}] as only [true] or [false] are allowed.`);
}

/** A list of strings: one string stands for a list of one. */
export function toStrings(value: JsonValue, key: string): readonly string[] {
  if (typeof value === 'string') return [value];
  if (!isJsonArray(value)) throw unknownKey(key, value);
  return value.map((item) => {
    if (typeof item === 'string') return item;
    if (typeof item === 'number' || typeof item === 'boolean' || typeof item === 'bigint')
      return String(item);
    throw unknownKey(key, item);
  });
}

/** A URL parameter as a boolean; given without a value it is true. */
export function booleanParameter(text: string): boolean {
  return text === '' ? true : wordToBoolean(text);
}

/** A URL parameter as a 32-bit integer. */
export function integerParameter(name: string, text: string): number {
  const value = Number(text);
  if (!/^[-+]?\d+$/.test(text) || Math.abs(value) > INT_MAX)
    throw argumentCausedBy(`Failed to parse int parameter [${name}] with value [${text}]`, {
      type: 'number_format_exception',
      reason: `For input string: "${text}"`,
    });
  return value;
}

/** A URL parameter that lists names: `a,b`. */
export const listParameter = (text: string): readonly string[] =>
  text.split(',').filter((part) => part !== '');
