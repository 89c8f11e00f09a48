import { parsingError, unsupported } from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { toBoolean, tokenName, unknownKey } from './coerce';

type Kind = 'value' | 'object' | 'array';

interface BodyKey {
  /** The kinds of value that Elasticsearch takes under this key. */
  readonly kinds: readonly Kind[];
  /**
   * For keys whose effect the gateway does not have: the values that have none. All others are
   * refused, because an answer without the effect would be wrong.
   */
  readonly harmless?: (value: JsonValue, body: JsonObject) => boolean;
}

const never = (): boolean => false;
const isEmpty = (value: JsonValue): boolean =>
  isJsonArray(value)
    ? value.length === 0
    : isJsonObject(value)
      ? Object.keys(value).length === 0
      : false;
const isFalse =
  (key: string) =>
  (value: JsonValue): boolean =>
    !toBoolean(value, key);
/** Scores are never negative: such a limit lets every hit through. */
const isNoLimit = (value: JsonValue): boolean => Number(value) <= 0;

/** Every key of a search body (Elasticsearch 7.17 `SearchSourceBuilder`, and what 8.x added). */
const bodyKeys: Readonly<Record<string, BodyKey>> = {
  query: { kinds: ['object'] },
  post_filter: { kinds: ['object'] },
  aggs: { kinds: ['object'] },
  aggregations: { kinds: ['object'] },
  from: { kinds: ['value'] },
  size: { kinds: ['value'] },
  sort: { kinds: ['value', 'object', 'array'] },
  search_after: { kinds: ['array'] },
  _source: { kinds: ['value', 'object', 'array'] },
  fields: { kinds: ['array'] },
  docvalue_fields: { kinds: ['array'] },
  stored_fields: { kinds: ['value', 'array'] },
  track_total_hits: { kinds: ['value'] },
  track_scores: { kinds: ['value'] },
  version: { kinds: ['value'] },
  seq_no_primary_term: { kinds: ['value'] },
  timeout: { kinds: ['value'] },
  pit: { kinds: ['object'] },
  terminate_after: { kinds: ['value'] },
  highlight: { kinds: ['object'] },
  stats: { kinds: ['array'] },
  script_fields: { kinds: ['object'] },
  runtime_mappings: { kinds: ['object'] },
  ext: { kinds: ['object'], harmless: isEmpty },
  suggest: { kinds: ['object'], harmless: isEmpty },
  indices_boost: { kinds: ['object', 'array'], harmless: isEmpty },
  rescore: { kinds: ['object', 'array'], harmless: isEmpty },
  explain: { kinds: ['value'], harmless: isFalse('explain') },
  profile: { kinds: ['value'], harmless: isFalse('profile') },
  min_score: { kinds: ['value'], harmless: isNoLimit },
  collapse: { kinds: ['object'], harmless: never },
  slice: { kinds: ['object'], harmless: never },
  knn: { kinds: ['object', 'array'], harmless: never },
  rank: { kinds: ['object'], harmless: never },
  retriever: { kinds: ['object'], harmless: never },
  sub_searches: { kinds: ['array'], harmless: never },
};

/** Keys of a search body, for the page of what is supported: refused ones and accepted ones. */
export const searchBodyKeys: readonly { readonly key: string; readonly refused: boolean }[] =
  Object.entries(bodyKeys).map(([key, { harmless }]) => ({ key, refused: harmless !== undefined }));

const kindOf = (value: JsonValue): Kind | undefined => {
  if (value === null) return undefined;
  if (isJsonArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : 'value';
};

/**
 * The body as an object; no body is an empty one. Throws Elasticsearch's error for anything that is
 * no object, for unknown keys and for values of the wrong kind (null is one for every key), and an
 * error of our own for what the gateway does not do.
 */
export function checkedBody(body: JsonValue | undefined): JsonObject {
  if (body === undefined) return {};
  if (!isJsonObject(body))
    throw parsingError(`Expected [START_OBJECT] but found [${tokenName(body)}]`);
  for (const [key, value] of Object.entries(body)) checkKey(key, value, body);
  return body;
}

function checkKey(key: string, value: JsonValue, body: JsonObject): void {
  const known = Object.hasOwn(bodyKeys, key) ? bodyKeys[key] : undefined;
  const kind = kindOf(value);
  if (known === undefined || kind === undefined || !known.kinds.includes(kind))
    throw unknownKey(key, value);
  if (known.harmless && !known.harmless(value, body)) throw unsupported(`[${key}] in a search`);
}
