import { contentParseError, illegalArgument } from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { listParameter, toBoolean, tokenName, unknownKey } from './coerce';
import type { FieldSelector } from './search-request';

/** `fields`: names, patterns and `{field, format, include_unmapped}`. */
export function parseFields(body: JsonObject): readonly FieldSelector[] {
  const selectors = parseSelectors(body, 'fields');
  const metadata = selectors.find(({ pattern }) => pattern === '_source' || pattern === '_id');
  if (metadata)
    throw illegalArgument(`Cannot fetch values for internal field [${metadata.pattern}].`);
  return selectors;
}

/** `docvalue_fields`: the same shapes, from the URL as well. */
export function parseDocvalueFields(
  body: JsonObject,
  parameters: ReadonlyMap<string, string>,
): readonly FieldSelector[] {
  const named = listParameter(parameters.get('docvalue_fields') ?? '');
  return [...parseSelectors(body, 'docvalue_fields'), ...named.map((pattern) => ({ pattern }))];
}

function parseSelectors(body: JsonObject, key: string): readonly FieldSelector[] {
  const value = body[key];
  if (value === undefined) return [];
  if (!isJsonArray(value)) throw unknownKey(key, value);
  return value.map(parseSelector);
}

function parseSelector(value: JsonValue): FieldSelector {
  if (typeof value === 'string') return { pattern: value };
  if (!isJsonObject(value))
    throw contentParseError(
      `[fetch_field_and_format] Expected START_OBJECT or VALUE_STRING but was: ${tokenName(value)}`,
    );
  const unknown = Object.keys(value).find((key) => !selectorKeys.includes(key));
  if (unknown !== undefined)
    throw contentParseError(`[fetch_field_and_format] unknown field [${unknown}]`);
  const { field, format, include_unmapped: includeUnmapped } = value;
  if (typeof field !== 'string') throw illegalArgument('Required [field]');
  if (includeUnmapped !== undefined) toBoolean(includeUnmapped, 'include_unmapped');
  if (format === undefined || format === null || format === 'use_field_mapping')
    return { pattern: field };
  if (typeof format !== 'string')
    throw contentParseError(
      `[fetch_field_and_format] format doesn't support values of type: ${tokenName(format)}`,
    );
  return { pattern: field, format };
}

const selectorKeys: readonly string[] = ['field', 'format', 'include_unmapped'];
