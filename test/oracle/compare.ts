import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { type Ignored, ignored, isSearchAnswer, matchesPath, ownMembers } from './ignored';
import type { OracleRequest } from './judge-request';
import type { OracleAnswer } from './oracle';

/** One place in which two answers differ. An absent value is undefined. */
export interface Difference {
  readonly path: string;
  readonly ours: JsonValue | undefined;
  readonly theirs: JsonValue | undefined;
}

export interface CompareOptions {
  /** The request: tells which sort values are places in the index (`_doc`, `_shard_doc`). */
  readonly request?: OracleRequest;
  /** Besides what is never compared. */
  readonly tolerate?: readonly Ignored[];
}

interface Comparison {
  readonly ignored: readonly Ignored[];
  /** Positions in a hit's `sort` that hold a place in the index. */
  readonly placeKeys: ReadonlySet<number>;
  /** The same for the hits of buckets, by the aggregation's name. */
  readonly placeKeysOfBuckets: ReadonlyMap<string, ReadonlySet<number>>;
  readonly differences: Difference[];
}

/**
 * Compares the product's answer with the judge's, in status and body: the order of keys is free, that of arrays is not; the
 * rules for single values stand below. No difference: an empty list.
 */
export function compareAnswers(
  ours: OracleAnswer,
  theirs: OracleAnswer,
  options: CompareOptions = {},
): readonly Difference[] {
  const comparison: Comparison = {
    ignored: [...ignored, ...(options.tolerate ?? [])],
    placeKeys: placeKeysOf(options.request?.body),
    placeKeysOfBuckets: new Map(bucketHits(options.request?.body)),
    differences: [],
  };
  compareValues(comparison, ['(status)'], ours.status, theirs.status);
  compareValues(comparison, [], parsed(ours.text), parsed(theirs.text));
  return comparison.differences;
}

/** An answer's body; text that is no JSON as it is. */
export function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const places: readonly string[] = ['_doc', '_shard_doc'];

function placeKeysOf(body: JsonValue | undefined): ReadonlySet<number> {
  const sort = isJsonObject(body) ? body['sort'] : undefined;
  if (sort === undefined) return new Set();
  const keys = isJsonArray(sort) ? sort : [sort];
  const names = keys.flatMap((key) => (isJsonObject(key) ? Object.keys(key) : [key]));
  const found = names.flatMap((name, i) => (places.some((place) => place === name) ? [i] : []));
  // a point in time adds its own key behind the others
  return new Set(
    isJsonObject(body) && body['pit'] !== undefined ? [...found, names.length] : found,
  );
}

/** Every `top_hits` of a request with the places in the index that its sort asks for. */
function bucketHits(
  value: JsonValue | undefined,
): readonly (readonly [string, ReadonlySet<number>])[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const hits = isJsonObject(member) ? member['top_hits'] : undefined;
    return [...(hits ? [[name, placeKeysOf(hits)] as const] : []), ...bucketHits(member)];
  });
}

type Path = readonly string[];

function differ(
  { differences }: Comparison,
  path: Path,
  ours: JsonValue | undefined,
  theirs: JsonValue | undefined,
): void {
  differences.push({ path: path.join('.'), ours, theirs });
}

function compareValues(
  comparison: Comparison,
  path: Path,
  ours: JsonValue | undefined,
  theirs: JsonValue | undefined,
): void {
  if (comparison.ignored.some((rule) => matchesPath(rule.path, path))) return;
  if (isJsonObject(ours) && isJsonObject(theirs)) compareObjects(comparison, path, ours, theirs);
  else if (isJsonArray(ours) && isJsonArray(theirs)) compareArrays(comparison, path, ours, theirs);
  else if (!equalValues(path, ours, theirs)) differ(comparison, path, ours, theirs);
}

function compareObjects(
  comparison: Comparison,
  path: Path,
  ours: JsonObject,
  theirs: JsonObject,
): void {
  if (path.at(-1) === 'total' && isSameTotal(ours, theirs)) return;
  const addable = isSearchAnswer(path) && 'hits' in ours ? ownMembers : [];
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const [left, right] = [own(ours, key), own(theirs, key)];
    const isAdded = addable.some(({ name, type }) => name === key && typeof left === type);
    if (isAdded && right === undefined) continue;
    if (key === 'meta' && isRewriteTrace(theirs, right) && left === undefined) continue;
    compareValues(comparison, [...path, key], left, right);
  }
}

/**
 * Elasticsearch writes `meta: {}` where a filter of the aggregation was rewritten (`AggregationBuilder.rewrite` sets the metadata anew):
 * a trace of how it ran, which no client sees.
 */
const isRewriteTrace = (aggregation: JsonObject, meta: JsonValue | undefined): boolean =>
  isJsonObject(meta) &&
  Object.keys(meta).length === 0 &&
  ('buckets' in aggregation || 'doc_count' in aggregation);

const own = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** `{"value": 10000, "relation": "gte"}` says of an exact larger total no more than that it is larger. */
function isSameTotal(ours: JsonObject, theirs: JsonObject): boolean {
  const counted = theirs['value'];
  const total = ours['value'];
  if (typeof counted !== 'number' || typeof total !== 'number') return false;
  return theirs['relation'] === 'gte' && ours['relation'] === 'eq' && total > counted;
}

function compareArrays(
  comparison: Comparison,
  path: Path,
  ours: readonly JsonValue[],
  theirs: readonly JsonValue[],
): void {
  if (ours.length !== theirs.length)
    differ(comparison, [...path, 'length'], ours.length, theirs.length);
  const placeKeys = placeKeysAt(comparison, path);
  const isSort = path.at(-1) === 'sort';
  const byPlace = path.at(-1) === 'hits' && placeKeys.size > 0;
  const [left, right] = byPlace ? inOneOrder(ours, theirs, Math.min(...placeKeys)) : [ours, theirs];
  for (const i of Array(Math.max(ours.length, theirs.length)).keys()) {
    if (isSort && placeKeys.has(i)) continue;
    compareValues(comparison, [...path, String(i)], left[i], right[i]);
  }
}

/** `aggregations.hosts.buckets.0.newest.hits.hits.0.sort`: those of the aggregation `newest`. */
function placeKeysAt(
  { placeKeys, placeKeysOfBuckets }: Comparison,
  path: Path,
): ReadonlySet<number> {
  if (path[0] !== 'aggregations') return placeKeys;
  const at = path.lastIndexOf('hits');
  return placeKeysOfBuckets.get(path[at - 2] ?? '') ?? new Set();
}

type Hits = readonly JsonValue[];

/**
 * The order of places in the index is each server's own: hits that are equal in the keys before it are compared by `_id`.
 * Which of them a page ends with is free, too: those at both ends that only one server gives are left out.
 */
function inOneOrder(ours: Hits, theirs: Hits, placeKey: number): readonly [Hits, Hits] {
  const group = (hit: JsonValue | undefined): string => {
    const sort = isJsonObject(hit) ? hit['sort'] : undefined;
    return isJsonArray(sort) ? writeJson(sort.slice(0, placeKey)) : '';
  };
  const idOf = (hit: JsonValue): string => (isJsonObject(hit) ? writeJson(hit['_id'] ?? null) : '');
  const ends = new Set([group(ours[0]), group(ours.at(-1))]);
  const arranged = (hits: Hits, others: Hits): Hits => {
    const known = new Set(others.map(idOf));
    const groups = [...new Set(hits.map(group))];
    return groups.flatMap((key) =>
      hits
        .filter((hit) => group(hit) === key && (!ends.has(key) || known.has(idOf(hit))))
        .sort((a, b) => idOf(a).localeCompare(idOf(b))),
    );
  };
  return [arranged(ours, theirs), arranged(theirs, ours)];
}

function equalValues(
  path: Path,
  ours: JsonValue | undefined,
  theirs: JsonValue | undefined,
): boolean {
  if (ours === theirs) return true;
  if (isNumber(ours) && isNumber(theirs))
    return equalNumbers(ours, theirs) || (isScore(path) && theirs !== 0 && theirs !== 1);
  if (typeof ours !== 'string' || typeof theirs !== 'string') return false;
  if (path.includes('_source')) return isSameInstant(ours, theirs);
  return path.at(-1) === 'reason' && withoutPlace(ours) === withoutPlace(theirs);
}

/**
 * A reason without places in texts that the product parses in another way: `[1:48] [terms] unknown field [foo]`,
 * `query malformed, empty clause found at [1:28]`, and Java's `could not be parsed, unparsed text found at index 4`.
 */
const withoutPlace = (reason: string): string =>
  reason
    .replace(/^\[\d+:\d+\] /, '')
    .replace(/ at \[\d+:\d+\]$/, '')
    .replace(/( could not be parsed)(?:, unparsed text found)? at index \d+$/, '$1');

const isScore = (path: Path): boolean => ['_score', 'max_score'].includes(path.at(-1) ?? '');

export const isNumber = (value: JsonValue | undefined): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

const tolerance = 1e-12;

/** Integers are equal to their last digit; other numbers may differ by the order in which they were added up. */
export function equalNumbers(ours: number | bigint, theirs: number | bigint): boolean {
  if (isExact(ours) && isExact(theirs)) return BigInt(ours) === BigInt(theirs);
  const [a, b] = [Number(ours), Number(theirs)];
  return a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
}

const isExact = (value: number | bigint): boolean =>
  typeof value === 'bigint' || Number.isSafeInteger(value);

/** `_source` shows a date as it was written; the product knows only what moment it is. */
function isSameInstant(ours: string, theirs: string): boolean {
  const instant = nanoseconds(ours);
  return instant !== undefined && instant === nanoseconds(theirs);
}

const isoDate =
  /^([+-]?\d{4,})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?)?$/;

function nanoseconds(text: string): bigint | undefined {
  const match = isoDate.exec(text);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00'] = match;
  const [fraction = '', zone = 'Z'] = match.slice(7);
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
