import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import { containsClause } from './contains-clause';

/** A request as a client sends it, to either server. */
export interface OracleRequest {
  /** Default: POST with a body, else GET. */
  readonly method?: string;
  /** With its query string. */
  readonly path: string;
  /** JSON, or text that is sent as it is. */
  readonly body?: JsonValue;
  /** The lines of an `_msearch`, in place of a body. */
  readonly lines?: readonly JsonValue[];
}

/** Whether it goes to `_async_search`, which the judge has not: it is asked `_search`. */
export const isAsync = ({ path }: OracleRequest): boolean => /\/_async_search(?:\?|$)/.test(path);

const asyncParameters: readonly string[] = [
  'wait_for_completion_timeout',
  'keep_on_completion',
  'keep_alive',
];

/** The same request, which waits for the end of an asynchronous search, however busy the machine is. */
export function patientRequest(request: OracleRequest): OracleRequest {
  if (!isAsync(request)) return request;
  const [path = '', query = ''] = request.path.split('?');
  const rest = query.split('&').filter((pair) => !/^(?:$|wait_for_completion_timeout=)/.test(pair));
  const waiting = [...rest, 'wait_for_completion_timeout=60s'].join('&');
  return { ...request, path: `${path}?${waiting}` };
}

function judgedPath(request: OracleRequest): string {
  if (!isAsync(request)) return request.path;
  const [path = '', query = ''] = request.path.split('?');
  const rest = query.split('&').filter((pair) => {
    const [name = ''] = pair.split('=');
    return name !== '' && !asyncParameters.includes(name);
  });
  const kept = rest.length > 0 ? `?${rest.join('&')}` : '';
  return `${path.replace(/_async_search$/, '_search')}${kept}`;
}

/**
 * The equal request that the judge can answer. For `textSearch: contains` what looks for words in a text field becomes a
 * wildcard on its `folded` twin, and what sorts or aggregates by it uses the `keyword` twin, as the product does on
 * purpose (Elasticsearch refuses that).
 */
export function judgedRequest(
  request: OracleRequest,
  textFields: ReadonlySet<string>,
): OracleRequest {
  const { body, lines } = request;
  const rewritten = { ...request, path: judgedPath(request) };
  const rewrite = (value: JsonValue): JsonValue => rewriteBody(value, textFields);
  return {
    ...rewritten,
    ...(body !== undefined && { body: rewrite(body) }),
    ...(lines && { lines: lines.map(rewrite) }),
  };
}

function rewriteBody(body: JsonValue, textFields: ReadonlySet<string>): JsonValue {
  if (!isJsonObject(body)) return body;
  const parts = Object.entries(body).map(([key, value]): [string, JsonValue] => {
    if (key === 'aggs' || key === 'aggregations') return [key, rewriteIn(value, textFields, true)];
    if (key === 'sort') return [key, rewriteSort(value, textFields)];
    if (key === 'highlight') return [key, ofQuery(value, body['query'])];
    return [key, key === 'query' ? rewriteIn(value, textFields, false) : value];
  });
  return Object.fromEntries(parts);
}

/** Words are marked as the request has them, not as its wildcards on the twins would be. */
function ofQuery(highlight: JsonValue, query: JsonValue | undefined): JsonValue {
  return isJsonObject(highlight) && query !== undefined
    ? { highlight_query: query, ...highlight }
    : highlight;
}

function rewriteSort(sort: JsonValue, textFields: ReadonlySet<string>): JsonValue {
  if (isJsonArray(sort)) return sort.map((key) => rewriteSort(key, textFields));
  if (typeof sort === 'string') return textFields.has(sort) ? `${sort}.keyword` : sort;
  if (!isJsonObject(sort)) return sort;
  return Object.fromEntries(
    Object.entries(sort).map(([name, options]) => [
      textFields.has(name) ? `${name}.keyword` : name,
      options,
    ]),
  );
}

/** Rewrites the clauses, and within aggregations the `field` options, below a value. */
function rewriteIn(
  value: JsonValue,
  textFields: ReadonlySet<string>,
  isAggregation: boolean,
): JsonValue {
  if (isJsonArray(value)) return value.map((item) => rewriteIn(item, textFields, isAggregation));
  if (!isJsonObject(value)) return value;
  const clause = containsClause(value, textFields);
  if (clause !== undefined) return clause;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]): [string, JsonValue] => {
      // options of hits, not fields of an aggregation
      if (isAggregation && key === 'top_hits') return [key, rewriteBody(member, textFields)];
      return isAggregation &&
        key === 'field' &&
        typeof member === 'string' &&
        textFields.has(member)
        ? [key, `${member}.keyword`]
        : [key, rewriteIn(member, textFields, isAggregation)];
    }),
  );
}
