import {
  failedQuery,
  illegalArgument,
  numberFormatError,
  parsingError,
  unsupported,
} from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { stringOf } from '../values/field-value';

/** The object after a clause's name, or Elasticsearch's error. */
export function clauseObject(clause: string, body: JsonValue): JsonObject {
  if (isJsonObject(body)) return body;
  throw parsingError(`[${clause}] query malformed, no start_object after query name`);
}

/** Options that every clause takes. */
const commonOptions: ReadonlySet<string> = new Set(['boost', '_name']);

/** Refuses the first key that a clause does not know, in the words of Elasticsearch's hand-written parsers. */
export function checkOptions(clause: string, body: JsonObject, known: readonly string[]): void {
  for (const [key, value] of Object.entries(body)) {
    if (commonOptions.has(key)) checkCommonOption(key, value);
    else if (!known.includes(key))
      throw parsingError(`[${clause}] query does not support [${key}]`);
  }
}

/**
 * `boost` must be a number that is not negative; it changes no answer, because the gateway does not score. A `_name` is
 * refused: hits would have to list it in `matched_queries`.
 */
export function checkCommonOption(key: string, value: JsonValue): void {
  if (key === '_name') throw unsupported('[_name] of a query clause');
  const boost = finiteNumber(key, value);
  if (boost < 0)
    throw illegalArgument(
      `negative [boost] are not allowed in query, use a value between 0 and 1 to deboost`,
    );
  if (Math.fround(boost) === Infinity)
    throw failedQuery('boost must be a positive float, got Infinity');
}

/** How much all but the best clause count, which changes scores only: from 0 to 1. */
export function checkTieBreaker(name: string, value: JsonValue): void {
  const tieBreaker = finiteNumber(name, value);
  if (tieBreaker < 0 || tieBreaker > 1) throw failedQuery('tieBreakerMultiplier must be in [0, 1]');
}

/** A number, also as text; anything else is a 400. */
export function finiteNumber(name: string, value: JsonValue): number {
  if (typeof value === 'object' || typeof value === 'boolean')
    throw illegalArgument(`[${name}] must be a number but was [${stringOf(value)}]`);
  const number = value === '' ? NaN : Number(value);
  if (Number.isNaN(number))
    throw numberFormatError(value === '' ? 'empty String' : `For input string: "${String(value)}"`);
  return number;
}

/** A clause of the form `{"clause": {"field": …}}`, with `boost` and `_name` beside the field or within. */
export interface FieldClause {
  readonly field: string;
  readonly value: JsonValue;
}

/** Reads the one field of such a clause; Elasticsearch's errors for none, two or an empty name. */
export function fieldClause(clause: string, body: JsonValue): FieldClause {
  let found: FieldClause | undefined;
  for (const [key, value] of Object.entries(clauseObject(clause, body))) {
    if (commonOptions.has(key) && !isJsonObject(value) && !isJsonArray(value))
      checkCommonOption(key, value);
    else if (found)
      throw parsingError(
        `[${clause}] query doesn't support multiple fields, found [${found.field}] and [${key}]`,
      );
    else found = { field: key, value };
  }
  if (found === undefined || found.field === '')
    throw illegalArgument('field name is null or empty');
  return found;
}

/** In UTF-16 units; a word of such a text may be written once for each field. */
const maximumText = 1_000_000;

/** Refuses a text to look for of more than 1,000,000 characters. */
export function requireTextLength(clause: string, text: string): void {
  if (text.length > maximumText)
    throw unsupported(`query [${clause}] of more than ${String(maximumText)} characters`);
}

/** A boolean option, also as a string; anything else is Elasticsearch's error. */
export function booleanOption(name: string, value: JsonValue): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  if (typeof value !== 'string')
    throw illegalArgument(`[${name}] must be a boolean but was [${stringOf(value)}]`);
  throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
}

/** A string option; numbers and booleans count as their text. */
export function textOption(clause: string, name: string, value: JsonValue): string {
  if (typeof value === 'object')
    throw parsingError(`[${clause}] unexpected value for [${name}]: a string is expected`);
  return String(value);
}
