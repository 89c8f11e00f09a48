import {
  illegalArgument,
  parseError,
  parsingError,
  validationError,
} from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { tokenName } from '../../search/request/coerce';
import { stringOf } from '../../search/values/field-value';

/** One document of a multi get. */
export interface MgetItem {
  /** Absent: the index of the path. */
  readonly index?: string;
  readonly id: string;
  /** What `_source` of a search is; absent: what the request says for all. */
  readonly source?: JsonValue;
  /** Whether its `stored_fields` name the source, where nothing else speaks of it; absent: it has none. */
  readonly storedSource?: boolean;
  /** Absent: whichever there is. */
  readonly version?: number;
}

/** Keys of a document without an effect here: columns are no stored fields, and there is one shard. */
const harmless: readonly string[] = [
  '_type',
  'routing',
  '_routing',
  'version_type',
  '_version_type',
];

/** Reads the body of an `_mget`: `docs`, or `ids`. Throws Elasticsearch's 400 (7.17, `MultiGetRequest`). */
export function readMget(body: JsonValue | undefined): readonly MgetItem[] {
  if (body === undefined) throw parseError('request body or source parameter is required');
  if (!isJsonObject(body))
    throw parsingError(`unexpected token [${tokenName(body)}], expected [START_OBJECT]`);
  const items = Object.entries(body).flatMap(([key, value]) => readList(key, value));
  if (items.length === 0) throw validationError(['no documents to get']);
  const missing = items.flatMap(({ id }, i) =>
    id === '' ? [`id is missing for doc ${String(i)}`] : [],
  );
  if (missing.length > 0) throw validationError(missing);
  return items;
}

function readList(key: string, value: JsonValue): readonly MgetItem[] {
  if (!isJsonArray(value))
    throw parsingError(
      `unexpected token [${tokenName(value)}], expected [FIELD_NAME] or [START_ARRAY]`,
    );
  if (key === 'docs') return value.map(readItem);
  if (key === 'ids') return value.map(readId);
  throw parsingError(`unknown key [${key}] for a START_ARRAY, expected [docs] or [ids]`);
}

function readId(value: JsonValue): MgetItem {
  if (value === null || typeof value === 'object')
    throw illegalArgument('ids array element should only contain ids');
  return { id: stringOf(value) };
}

function readItem(value: JsonValue): MgetItem {
  if (!isJsonObject(value)) throw illegalArgument('docs array element should include an object');
  const unknown = Object.keys(value).find((key) => !itemKeys.includes(key));
  if (unknown !== undefined)
    throw parseError(`failed to parse multi get request. unknown field [${unknown}]`);
  const { _index: index, _id: id, _source: own, stored_fields: stored } = value;
  const version = value['version'] ?? value['_version'];
  return {
    ...(index !== undefined && index !== null && { index: textOf(index) }),
    id: id === undefined || id === null ? '' : textOf(id),
    ...(own !== undefined && { source: own }),
    ...(stored !== undefined && { storedSource: namesSource(stored) }),
    ...(version !== undefined && { version: Number(textOf(version)) }),
  };
}

const itemKeys: readonly string[] = [
  ...harmless,
  '_id',
  '_index',
  '_source',
  '_version',
  'stored_fields',
  'version',
];

const namesSource = (stored: JsonValue): boolean =>
  stored === '_source' || (isJsonArray(stored) && stored.includes('_source'));

const textOf = (value: JsonValue): string => (typeof value === 'object' ? '' : stringOf(value));

type MgetGroup = { readonly storedSource?: boolean | null } & Omit<MgetItem, 'id' | 'storedSource'>;

/** Documents that one search can read: of one index, with the same `_source`. */
export function groupKey({ index = '', source = null, storedSource = null }: MgetGroup): string {
  const shown: JsonObject = { index, source, storedSource };
  return JSON.stringify(shown);
}
