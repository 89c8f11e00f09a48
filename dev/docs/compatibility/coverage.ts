import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { paramsOf } from '../../../plugins/kibana-clickhouse/gateway/endpoints/match';
import {
  decodeSegment,
  pathSegments,
} from '../../../plugins/kibana-clickhouse/gateway/endpoints/path';
import { ENDPOINTS } from '../../../plugins/kibana-clickhouse/gateway/endpoints/table';
import { knownQueries } from '../../../plugins/kibana-clickhouse/search/queries/known-queries';
import { elasticsearchAggregations } from '../../../plugins/kibana-clickhouse/search/aggregations/known-types';
import { endpointName } from './entries';
import type { EntryKind } from './entry-kind';

/** One feature that a request stands on. */
export interface Feature {
  readonly kind: EntryKind;
  readonly name: string;
}

/** A request as a scenario has it. */
export interface CoveringRequest {
  readonly method: string;
  /** With or without a query string. */
  readonly path: string;
  /** Of an `_msearch` the lines; a header is told from a search by standing first of two. */
  readonly body?: JsonValue | undefined;
}

/** The endpoint, the keys of the body, the query clauses and the aggregations that a request names, at any depth. */
export function featuresOf({ method, path, body }: CoveringRequest): readonly Feature[] {
  const found = new Map<string, Feature>();
  const add: Add = (kind, name) => found.set(`${kind} ${name}`, { kind, name });
  const [bare = ''] = path.split('?');
  const segments = pathSegments(bare).map((segment) => decodeSegment(segment) ?? segment);
  const endpoint = ENDPOINTS.find(
    (one) => paramsOf(one.path, segments) && one.methods.some((other) => other === method),
  );
  if (endpoint) add('endpoint', endpointName(endpoint));
  for (const search of searchesOf(body)) addSearch(search, add);
  return [...found.values()];
}

type Add = (kind: EntryKind, name: string) => void;

function searchesOf(body: JsonValue | undefined): readonly JsonObject[] {
  if (isJsonObject(body)) return [body];
  if (!isJsonArray(body)) return [];
  return body.flatMap((line, i) => {
    if (!isJsonObject(line)) return [];
    if (isJsonObject(line['body'])) return [line['body']];
    return i % 2 === 1 ? [line] : [];
  });
}

function addSearch(body: JsonObject, add: Add): void {
  for (const key of Object.keys(body)) add('search key', key);
  for (const key of ['query', 'post_filter', 'index_filter']) addQuery(body[key], add);
  addAggregations(body['aggs'] ?? body['aggregations'], add);
}

/** Where a compound clause has further clauses. */
const inner: Readonly<Record<string, readonly string[]>> = {
  bool: ['must', 'filter', 'should', 'must_not'],
  boosting: ['positive', 'negative'],
  constant_score: ['filter'],
  dis_max: ['queries'],
  function_score: ['query'],
  has_child: ['query'],
  has_parent: ['query'],
  nested: ['query'],
  script_score: ['query'],
};

function addQuery(query: JsonValue | undefined, add: Add): void {
  if (isJsonArray(query)) for (const one of query) addQuery(one, add);
  if (!isJsonObject(query)) return;
  for (const [name, body] of Object.entries(query)) {
    if (!knownQueries.includes(name)) continue;
    add('query', name);
    if (!isJsonObject(body)) continue;
    for (const key of inner[name] ?? []) addQuery(body[key], add);
  }
}

function addAggregations(aggregations: JsonValue | undefined, add: Add): void {
  if (!isJsonObject(aggregations)) return;
  for (const definition of Object.values(aggregations)) {
    if (!isJsonObject(definition)) continue;
    for (const [name, body] of Object.entries(definition)) {
      if (!elasticsearchAggregations.includes(name)) continue;
      add('aggregation', name);
      addFilters(name, body, add);
    }
    addAggregations(definition['aggs'] ?? definition['aggregations'], add);
  }
}

function addFilters(name: string, body: JsonValue, add: Add): void {
  if (name === 'filter') addQuery(body, add);
  if (!['filters', 'adjacency_matrix'].includes(name) || !isJsonObject(body)) return;
  const { filters } = body;
  if (isJsonArray(filters)) addQuery(filters, add);
  else if (isJsonObject(filters)) addQuery(Object.values(filters), add);
}
