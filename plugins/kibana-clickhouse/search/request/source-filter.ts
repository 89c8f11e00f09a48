import { parsingError } from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { listParameter, toStrings, tokenName, unknownKey } from './coerce';
import { namePattern } from './name-pattern';
import type { SourceFilter } from './search-request';

const everything: SourceFilter = { enabled: true, includes: [], excludes: [] };
const nothing: SourceFilter = { enabled: false, includes: [], excludes: [] };

/**
 * `_source`: `false`, `true`, a pattern, a list of patterns, or an object of includes and excludes.
 * The URL's parameters stand before the body's; without either, `stored_fields` turns it off.
 */
export function parseSourceFilter(
  body: JsonObject,
  parameters: ReadonlyMap<string, string>,
  storedFields: readonly string[] | undefined,
): SourceFilter {
  const fromUrl = parameterFilter(parameters);
  if (fromUrl) return fromUrl;
  const value = body['_source'];
  if (value !== undefined) return bodyFilter(value);
  return storedFields === undefined || storedFields.includes('_source') ? everything : nothing;
}

function parameterFilter(parameters: ReadonlyMap<string, string>): SourceFilter | undefined {
  const source = parameters.get('_source');
  const includes = parameters.get('_source_includes') ?? parameters.get('_source_include');
  const excludes = parameters.get('_source_excludes') ?? parameters.get('_source_exclude');
  if (source === undefined && includes === undefined && excludes === undefined) return undefined;
  const isSwitch = source === undefined || source === 'true' || source === 'false';
  return {
    enabled: source !== 'false',
    includes: isSwitch ? listParameter(includes ?? '') : listParameter(source),
    excludes: listParameter(excludes ?? ''),
  };
}

function bodyFilter(value: JsonValue): SourceFilter {
  if (typeof value === 'boolean') return value ? everything : nothing;
  if (typeof value === 'string' || isJsonArray(value))
    return { ...everything, includes: toStrings(value, '_source') };
  if (isJsonObject(value)) return objectFilter(value);
  throw parsingError(
    `Expected one of [VALUE_BOOLEAN, START_OBJECT] but found [${tokenName(value)}]`,
  );
}

function objectFilter(body: JsonObject): SourceFilter {
  let { includes, excludes } = everything;
  for (const [key, value] of Object.entries(body)) {
    if (key === 'includes' || key === 'include') includes = toStrings(value, key);
    else if (key === 'excludes' || key === 'exclude') excludes = toStrings(value, key);
    else throw unknownKey(key, value);
  }
  return { enabled: true, includes, excludes };
}

/**
 * Which of the names a filter lets through. A pattern takes the name itself and everything below it:
 * `a` takes `a.b` (Elasticsearch 7.17, `XContentMapValues.filter`).
 */
export function showsInSource({ includes, excludes }: SourceFilter): (name: string) => boolean {
  const included = includes.map(withChildren);
  const excluded = excludes.map(withChildren);
  return (name) =>
    (included.length === 0 || included.some((matches) => matches(name))) &&
    !excluded.some((matches) => matches(name));
}

function withChildren(pattern: string): (name: string) => boolean {
  const itself = namePattern(pattern);
  const below = namePattern(`${pattern}.*`);
  return (name) => itself(name) || below(name);
}
