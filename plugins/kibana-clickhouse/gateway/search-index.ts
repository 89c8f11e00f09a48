import type { Table } from '../clickhouse/catalog/table';
import type { ExecutionContext } from '../clickhouse/execution/executor';
import { parseJson } from '../common/json/parse-json';
import type { JsonValue } from '../common/json/json';
import { parseSearchRequest } from '../search/request/parse-search-request';
import type { SearchResponse } from '../search/response/search-response';
import { runSearch, type PlanContext } from '../search/run-search';
import type { SamplingSettings } from '../search/sampling/decide-sampling';
import { timeRounding } from '../search/time-rounding';
import type { Denial } from '../metadata/authorization';
import type { GatewayRequest } from './endpoints/definition';
import { searchLimits, statementLimits } from './execution/query-limits';
import { withinTimeout } from './execution/search-deadline';
import type { Runtime } from './runtime';
import { denialOf } from './send-on';

/** A search of one index in ClickHouse. */
export interface IndexSearch {
  readonly index: string;
  /** JSON text; empty: no body. */
  readonly body: Uint8Array;
  /** The query string's parameters that are a search's. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Epoch ms that is `now` for all searches of one request; default: this moment. */
  readonly now?: number;
  /** The pool that its statements run in; default `common`. */
  readonly pool?: 'msearch' | 'common';
}

export type SearchOutcome =
  | { readonly kind: 'answered'; readonly response: SearchResponse }
  /** The caller may not read the index. */
  | Denial;

/**
 * Reads and runs a search, if the caller may read the index. What cannot be parsed fails before
 * anything is asked, as in Elasticsearch. Throws an `ElasticsearchError`.
 */
export async function searchIndex(
  { index, body, parameters, now, pool }: IndexSearch,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<SearchOutcome> {
  const startedAt = Date.now();
  const search = parseSearchRequest({ body: optionalJson(body), parameters });
  const denial = await denialOf(index, request, runtime);
  if (denial) return denial;
  const limits = statementLimits(runtime.settings.current(), index, search.timeoutMs);
  const plan = await planContext(index, runtime, now ?? startedAt);
  const response = await withinTimeout(search.timeoutMs, request.signal, (signal) =>
    runSearch(search, {
      ...plan,
      startedAt,
      indexName: index,
      sampling: samplingOf(index, plan.table, runtime),
      executor: runtime.executor,
      execution: { ...executionOf({ index, pool }, request), signal, limits },
    }),
  );
  return { kind: 'answered', response };
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
    comment: commentOf(request),
    caller: {
      index,
      pool,
      ...(consumer !== undefined && { consumer }),
      ...(opaqueId !== undefined && { opaqueId }),
    },
  };
}

/** What ClickHouse's query log says about a statement: who asked, and under which request id. */
const commentOf = ({ id, consumer }: GatewayRequest): string =>
  JSON.stringify({ request: id, ...(consumer !== undefined && { consumer }) });
