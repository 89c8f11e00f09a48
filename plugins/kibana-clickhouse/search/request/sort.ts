import {
  contentParseError,
  illegalArgument,
  parsingError,
  unsupported,
} from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { writeJson } from '../../common/json/write-json';
import { tokenName } from './coerce';
import { parseField } from './parse-field';
import type { FieldSortKey, MissingPlace, SortKey, SortOrder } from './search-request';

/**
 * `sort`: a name, an object (its keys in their order) or a list of both. Scores come first to the
 * highest, everything else to the lowest.
 */
export function parseSort(value: JsonValue | undefined): readonly SortKey[] {
  if (value === undefined) return [];
  if (isJsonArray(value)) return value.flatMap(parseEntry);
  return parseEntry(value);
}

/**
 * The keys of a search at a point in time: a sort has `_shard_doc` as its last key, too, unless it names it or `search_after` has no
 * value for it (Elasticsearch 7.17 TransportSearchAction).
 */
export function withTiebreaker(
  sort: readonly SortKey[],
  searchAfter: readonly JsonValue[] | undefined,
): readonly SortKey[] {
  if (sort.length === 0 || sort.some(isShardDoc)) return sort;
  const wanted = searchAfter === undefined || searchAfter.length === sort.length + 1;
  return wanted ? [...sort, { kind: 'doc', order: 'asc', isShardDoc: true }] : sort;
}

export const isShardDoc = (key: SortKey): boolean => key.kind === 'doc' && key.isShardDoc === true;

/** `sort=a:asc,b` of the query string. */
export const parseSortParameter = (text: string): readonly SortKey[] =>
  text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const colon = part.lastIndexOf(':');
      return colon < 0 ? sortBy(part, {}) : sortBy(part.slice(0, colon), part.slice(colon + 1));
    });

function parseEntry(value: JsonValue): readonly SortKey[] {
  if (typeof value === 'string') return [sortBy(value, {})];
  if (isJsonObject(value))
    return Object.entries(value).map(([field, options]) => sortBy(field, options));
  throw illegalArgument(
    `malformed sort format, within the sort array, an object, or an actual string are allowed`,
  );
}

function sortBy(field: string, given: JsonValue): SortKey {
  if (typeof given !== 'string' && !isJsonObject(given))
    throw parsingError(
      `[${field}] sort expects an object or an order but found ${tokenName(given)}`,
    );
  // a bare order is no field of an object: an error of it stands alone
  const options: JsonObject = isJsonObject(given) ? given : { order: parseOrder(given, 'asc') };
  if (field === '_script' || field === '_geo_distance') throw unsupported(`sort by [${field}]`);
  if (field === '_score') return { kind: 'score', order: parseOrder(options['order'], 'desc') };
  if (field === '_doc') return { kind: 'doc', order: parseOrder(options['order'], 'asc') };
  if (field === '_shard_doc')
    return { kind: 'doc', order: parseOrder(options['order'], 'asc'), isShardDoc: true };
  return fieldKey(field, options);
}

const fieldOptions: readonly string[] = [
  'format',
  'missing',
  'mode',
  'nested',
  'nested_filter',
  'nested_path',
  'numeric_type',
  'order',
  'unmapped_type',
];

function fieldKey(field: string, options: JsonObject): FieldSortKey {
  for (const key of Object.keys(options)) {
    if (!fieldOptions.includes(key)) throw contentParseError(`[field_sort] unknown field [${key}]`);
    if (key.startsWith('nested')) throw unsupported(`[${key}] in the sort by [${field}]`);
  }
  const unmappedType = optionalString(options['unmapped_type'], 'unmapped_type');
  const format = optionalString(options['format'], 'format');
  const numericType = parseNumericType(options['numeric_type']);
  const mode = parseField('field_sort', 'mode', () => parseMode(options['mode'], field));
  return {
    kind: 'field',
    field,
    order: parseField('field_sort', 'order', () => parseOrder(options['order'], 'asc')),
    missing: parseMissing(options['missing']),
    ...(unmappedType !== undefined && { unmappedType }),
    ...(format !== undefined && { format }),
    ...(numericType && { numericType }),
    ...(mode && { mode }),
  };
}

function parseOrder(value: JsonValue | undefined, byDefault: SortOrder): SortOrder {
  if (value === undefined) return byDefault;
  const word = typeof value === 'string' ? value.toLowerCase() : tokenName(value);
  if (word === 'asc' || word === 'desc') return word;
  throw illegalArgument(
    `No enum constant org.elasticsearch.search.sort.SortOrder.${word.toUpperCase()}`,
  );
}

function parseMissing(value: JsonValue | undefined): MissingPlace {
  if (value === undefined || value === null || value === '_last') return { kind: 'last' };
  if (value === '_first') return { kind: 'first' };
  if (typeof value === 'object')
    throw contentParseError(
      `[field_sort] missing doesn't support values of type: ${tokenName(value)}`,
    );
  return { kind: 'value', value };
}

function optionalString(value: JsonValue | undefined, key: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw contentParseError(
    `[field_sort] ${key} doesn't support values of type: ${tokenName(value)}`,
  );
}

function parseNumericType(value: JsonValue | undefined): FieldSortKey['numericType'] {
  switch (value) {
    case undefined:
      return undefined;
    case 'date':
    case 'date_nanos':
    case 'long':
    case 'double':
      return value;
    default:
      throw illegalArgument(
        `invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${writeJson(value)}`,
      );
  }
}

function parseMode(value: JsonValue | undefined, field: string): FieldSortKey['mode'] {
  switch (value) {
    case undefined:
      return undefined;
    case 'min':
    case 'max':
      return value;
    case 'avg':
    case 'median':
    case 'sum':
      throw unsupported(`[mode] ${value} in the sort by [${field}]`);
    default:
      throw illegalArgument(
        `Unknown SortMode [${typeof value === 'string' ? value : writeJson(value)}]`,
      );
  }
}
