import type { Table } from '../clickhouse/catalog/table';
import type { ExecutionContext } from '../clickhouse/execution/executor';
import { unsupported } from '../common/errors/catalogue';
import { parseJson } from '../common/json/parse-json';
import type { JsonValue } from '../common/json/json';
import { parseSearchRequest } from '../search/request/parse-search-request';
import type { SearchRequest } from '../search/request/search-request';
import type { SearchResponse } from '../search/response/search-response';
import { runSearch, type PlanContext } from '../search/run-search';
import { noIndexes } from '../search/union/no-indexes';
import { runUnion, type UnionContext } from '../search/union/run-union';
import type { SamplingSettings } from '../search/sampling/decide-sampling';
import { timeRounding } from '../search/time-rounding';
import type { Denial } from '../metadata/authorization';
import type { GatewayRequest } from './endpoints/definition';
import { searchLimits, statementLimits } from './execution/query-limits';
import { withinTimeout } from './execution/search-deadline';
import { readNames, resolveNames } from './named-indexes';
import { logComment } from './log-comment';
import type { Runtime } from './runtime';

/** A search of indexes in ClickHouse. */
export interface IndexSearch {
  /** An index expression that names one of them at least. */
  readonly index: string;
  /** JSON text; empty: no body. */
  readonly body: Uint8Array;
  /** The query string's parameters that are a search's. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Epoch ms that is `now` for all searches of one request; default: this moment. */
  readonly now?: number;
  /** Whether the index stands in a point in time of the body, and not in the path. */
  readonly isWithoutIndex?: true;
  /** Of a scroll's later pages: the place of the last hit before. */
  readonly after?: readonly JsonValue[];
  /** The pool that its statements run in; default `common`. */
  readonly pool?: 'msearch' | 'common';
  /** What is said about the names of the expression; default: the query string of the request. */
  readonly options?: ReadonlyMap<string, string>;
}

export type SearchOutcome =
  | { readonly kind: 'answered'; readonly response: SearchResponse }
  /** The caller may not read the index. */
  | Denial;

/**
 * Reads and runs a search, if the caller may read the indexes. What cannot be parsed fails before
 * anything is asked, as in Elasticsearch. Throws an `ElasticsearchError`.
 */
export async function searchIndex(
  given: IndexSearch,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<SearchOutcome> {
  const startedAt = Date.now();
  const { index: expression, now, pool, options } = given;
  const search = readSearch(given);
  const running = { search, startedAt, now: now ?? startedAt, ...(pool && { pool }) };
  const query = options ?? request.query;
  const named = readNames(expression, runtime.served, { query, now: running.now });
  if (named === undefined) return { kind: 'answered', response: noIndexes(search, startedAt) };
  const resolved = await resolveNames(named, request, runtime);
  if (resolved.kind === 'denied') return resolved;
  if (resolved.kind === 'elsewhere') throw notReadable(expression);
  const contexts = await Promise.all(
    resolved.names.map((index) => searchContext(index, running, request, runtime)),
  );
  const response = await withinTimeout(search.timeoutMs, request.signal, (signal) =>
    runOn(
      search,
      contexts.map((one) => ({ ...one, execution: { ...one.execution, signal } })),
      startedAt,
    ),
  );
  const { pointInTime } = search;
  const start = pointInTime === undefined ? undefined : { start: { pit_id: pointInTime } };
  return { kind: 'answered', response: { ...response, ...start } };
}

function readSearch({ body, parameters, isWithoutIndex, after }: IndexSearch): SearchRequest {
  const search = parseSearchRequest({
    ...{ body: optionalJson(body), parameters },
    ...(isWithoutIndex && { isWithoutIndex }),
  });
  // all hits have been counted with the first page
  return after ? { ...search, searchAfter: after, totalHits: { kind: 'none' } } : search;
}

/** The names of what the caller may not read are not told. */
const notReadable = (expression: string): Error =>
  unsupported(
    `[${expression}], which names indexes in Elasticsearch, and in ClickHouse those alone that the caller may not read: leave these out of the expression`,
  );

function runOn(
  search: SearchRequest,
  [first, ...others]: readonly UnionContext[],
  startedAt: number,
): Promise<SearchResponse> {
  if (first === undefined) return Promise.resolve(noIndexes(search, startedAt));
  if (others.length === 0) return runSearch(search, first);
  if (search.scrolls) throw unsupported('a scroll over several indexes');
  return runUnion(search, [first, ...others]);
}

interface RunningSearch extends Pick<IndexSearch, 'pool'> {
  readonly search: SearchRequest;
  readonly startedAt: number;
  readonly now: number;
}

async function searchContext(
  index: string,
  { search, startedAt, now, pool }: RunningSearch,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<UnionContext> {
  const plan = await planContext(index, runtime, now);
  const limits = statementLimits(runtime.settings.current(), index, search.timeoutMs);
  return {
    ...plan,
    startedAt,
    indexName: index,
    sampling: samplingOf(index, plan.table, runtime),
    executor: runtime.executor,
    execution: { ...executionOf({ index, ...(pool && { pool }) }, request), limits },
  };
}

/** How the settings say to sample an index. */
function samplingOf(index: string, table: Table, runtime: Runtime): SamplingSettings {
  const { sampleIndexPatterns, sampleCountMaxThreshold } = runtime.settings.current().query;
  return {
    threshold: sampleIndexPatterns.includes(index) ? sampleCountMaxThreshold : 0,
    readsLess: () => runtime.sampleReadsLess(table),
  };
}

/** What a search of an index is planned for, as the settings say. `now`: epoch ms. */
export async function planContext(
  index: string,
  runtime: Runtime,
  now: number,
): Promise<PlanContext> {
  const settings = runtime.settings.current();
  const { proxy, tables } = settings;
  const rounding = timeRounding(proxy);
  return {
    table: await runtime.table(index),
    now,
    textSearch: tables[index]?.textSearch ?? proxy.textSearch,
    limits: searchLimits(settings, index),
    ...(rounding && { rounding }),
  };
}

/** The body's JSON; undefined where there is none. */
export const optionalJson = (body: Uint8Array): JsonValue | undefined =>
  body.length === 0 ? undefined : parseJson(body);

/** What the statements of a request carry: its end, what the query log and the monitor say about it. */
export function executionOf(
  { index, pool = 'common' }: { readonly index: string; readonly pool?: IndexSearch['pool'] },
  request: GatewayRequest,
): ExecutionContext {
  const { signal, consumer, headers } = request;
  const opaqueId = headers.get('x-opaque-id');
  return {
    signal,
    comment: logComment(request),
    caller: {
      index,
      pool,
      ...(consumer !== undefined && { consumer }),
      ...(opaqueId !== undefined && { opaqueId }),
    },
  };
}
