import type { ExecutionContext } from '../clickhouse/execution/executor';
import { parseJson } from '../common/json/parse-json';
import type { JsonValue } from '../common/json/json';
import { parseSearchRequest } from '../search/request/parse-search-request';
import type { SearchResponse } from '../search/response/search-response';
import { runSearch, type PlanContext } from '../search/run-search';
import type { Denial } from '../metadata/authorization';
import type { GatewayRequest } from './endpoints/definition';
import type { Runtime } from './runtime';
import { denialOf } from './send-on';

/** A search of one index in ClickHouse. */
export interface IndexSearch {
  readonly index: string;
  /** JSON text; empty: no body. */
  readonly body: Uint8Array;
  /** The query string's parameters that are a search's. */
  readonly parameters: ReadonlyMap<string, string>;
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
  { index, body, parameters }: IndexSearch,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<SearchOutcome> {
  const now = Date.now();
  const search = parseSearchRequest({ body: optionalJson(body), parameters });
  const denial = await denialOf(index, request, runtime);
  if (denial) return denial;
  const response = await runSearch(search, {
    ...(await planContext(index, runtime, now)),
    indexName: index,
    executor: runtime.executor,
    execution: executionOf(index, request),
  });
  return { kind: 'answered', response };
}

/** What a search of an index is planned for, as the settings say. `now`: epoch ms. */
export async function planContext(
  index: string,
  runtime: Runtime,
  now: number,
): Promise<PlanContext> {
  const { proxy, tables } = runtime.settings.current();
  const textSearch = tables[index]?.textSearch ?? proxy.textSearch;
  return { table: await runtime.table(index), now, textSearch };
}

/** The body's JSON; undefined where there is none. */
export const optionalJson = (body: Uint8Array): JsonValue | undefined =>
  body.length === 0 ? undefined : parseJson(body);

/** What the statements of a request carry: its end, what the query log and the monitor say about it. */
export function executionOf(index: string, request: GatewayRequest): ExecutionContext {
  const { signal, consumer, headers } = request;
  const opaqueId = headers.get('x-opaque-id');
  return {
    signal,
    comment: commentOf(request),
    caller: {
      index,
      ...(consumer !== undefined && { consumer }),
      ...(opaqueId !== undefined && { opaqueId }),
    },
  };
}

/** What ClickHouse's query log says about a statement: who asked, and under which request id. */
const commentOf = ({ id, consumer }: GatewayRequest): string =>
  JSON.stringify({ request: id, ...(consumer !== undefined && { consumer }) });
