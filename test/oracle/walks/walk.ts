import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import type { Ignored } from '../ignored';
import type { OracleRequest } from '../judge-request';

/** What one server has answered so far, by the name of the step. */
export type Seen = ReadonlyMap<string, JsonValue>;

/** One request of a walk. Ids, sort values and points in time are each server's own, out of its answer before. */
export interface Step {
  readonly name: string;
  readonly request: (seen: Seen) => OracleRequest;
  /** What the two answers may differ in, besides what they always may. */
  readonly tolerate?: readonly Ignored[];
  /** What must be true of our answer, beside its being the judge's. */
  readonly shows?: (answer: JsonValue) => boolean;
}

/** What a person does in one generation of an interface, from the data view to the dashboard. */
export interface Walk {
  readonly interface: string;
  readonly steps: readonly Step[];
}

/** A value deep in an answer; undefined where there is none. */
export const at = (
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((now, key) => {
    if (typeof key === 'number') return isJsonArray(now) ? now.at(key) : undefined;
    return isJsonObject(now) ? now[key] : undefined;
  }, value);

/** The same of a step's answer. Throws where it is not there: the step before it has not shown what the walk needs. */
export function of(seen: Seen, step: string, ...path: readonly (string | number)[]): JsonValue {
  const found = at(seen.get(step), ...path);
  if (found === undefined) throw new Error(`${step} shows no ${path.join('.')}`);
  return found;
}

const token = (path: string): Ignored => ({ path, reason: 'a name that each server makes itself' });

/** Names of what a server keeps open. */
export const tokens: readonly Ignored[] = [
  ...['id', 'pit_id', '_scroll_id', 'response.pit_id', 'response._scroll_id'].map(token),
  { path: '_shards', reason: 'a table has no shards' },
];

const hasHits =
  (path: readonly string[]) =>
  (answer: JsonValue): boolean => {
    const hits = at(answer, ...path, 'hits', 'hits');
    return isJsonArray(hits) && hits.length > 0;
  };

export const showsHits = hasHits([]);
export const showsAsyncHits = hasHits(['response']);
export const showsBuckets =
  (...path: readonly (string | number)[]) =>
  (answer: JsonValue): boolean => {
    const buckets = at(answer, ...path, 'buckets');
    return isJsonArray(buckets) && buckets.length > 0;
  };

export const range = (gte: string, lte: string): JsonObject => ({
  range: { '@timestamp': { gte, lte, format: 'strict_date_optional_time' } },
});

export const filtered = (...filter: readonly JsonObject[]): JsonObject => ({
  bool: { must: [], filter: [{ match_all: {} }, ...filter], should: [], must_not: [] },
});
