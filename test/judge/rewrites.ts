import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import { stringOf } from '../../plugins/kibana-clickhouse/search/values/field-value';
import { judgedAggregations, restoredAggregations } from './rewrites/aggregations';
import { at } from './rewrites/json-path';

/** A request as it goes to a server. */
export interface SentRequest {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  readonly body?: JsonValue;
  readonly lines?: readonly JsonValue[];
}

/** An equal request that the judge has, and how its answer becomes that to the request it stands for. */
export interface EqualRequest {
  readonly request: SentRequest;
  readonly restore: (answer: JsonValue) => JsonValue;
}

const unchanged = (answer: JsonValue): JsonValue => answer;

/**
 * What the judge is asked in place of a request that Elasticsearch 7.17 without x-pack does not have: `_terms_enum`, the
 * body and parameters of an 8.x `_field_caps`, parameters that 8.x and 9.x added, and the aggregations under `rewrites/`.
 * Other requests stay as they are.
 */
export function equalRequest(request: SentRequest): EqualRequest {
  const [path = ''] = request.path.split('?');
  if (path.endsWith('/_terms_enum') && isJsonObject(request.body ?? null))
    return termsEnum(path, request.body as JsonObject);
  if (path.startsWith('/_resolve/index/')) return { request, restore: withoutRepeats };
  if (path.endsWith('/_field_caps')) return { request: fieldCaps(request), restore: unchanged };
  return search(request);
}

/** Parameters that 7.17 does not know. They change no answer, or are checked apart. */
const laterParameters: readonly string[] = [
  'filters',
  'include_empty_fields',
  'project_routing',
  'return_intermediate_results',
  'types',
];

function withParameters(path: string, change: (parameters: URLSearchParams) => void): string {
  const [bare = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  for (const name of laterParameters) parameters.delete(name);
  change(parameters);
  return parameters.size === 0 ? bare : `${bare}?${parameters.toString()}`;
}

/** `fields` moves to the query string; of the rest 7.17 takes `index_filter` and `runtime_mappings`. */
function fieldCaps(request: SentRequest): SentRequest {
  const { body, ...rest } = request;
  if (body === undefined || !isJsonObject(body))
    return { ...request, path: withParameters(request.path, () => undefined) };
  const { fields, index_filter: filter, runtime_mappings: mappings } = body;
  const path = withParameters(request.path, (parameters) => {
    if (fields !== undefined)
      parameters.set('fields', (isJsonArray(fields) ? fields : [fields]).map(stringOf).join(','));
  });
  const kept = {
    ...(filter !== undefined && { index_filter: filter }),
    ...(mappings !== undefined && { runtime_mappings: mappings }),
  };
  return { ...rest, path, ...(Object.keys(kept).length > 0 && { body: kept }) };
}

const luceneOperators = /[.?+*|{}[\]()"\\#@&<>~^$-]/g;

/** The judge has no tiers of data: clauses on them in a `bool` would match nothing. */
function withoutTier(clause: JsonValue): JsonValue {
  if (!isJsonObject(clause)) return clause;
  const left = Object.entries(clause).map(([key, value]): [string, JsonValue] => [
    key,
    isJsonArray(value)
      ? value.filter((one) => at(one, 'terms', '_tier') === null).map(withoutTier)
      : withoutTier(value),
  ]);
  return Object.fromEntries(left);
}

/** Terms in order of their keys are what a list of suggestions is. */
function termsEnum(path: string, body: JsonObject): EqualRequest {
  const { field = '', string: prefix = '', size = 10, index_filter: given } = body;
  const filter = given === undefined ? undefined : withoutTier(given);
  const letters = Array.from(stringOf(prefix), (letter) => {
    const escaped = letter.replace(luceneOperators, String.raw`\$&`);
    const [low, high] = [letter.toLowerCase(), letter.toUpperCase()];
    return body['case_insensitive'] === true && low !== high ? `[${low}${high}]` : escaped;
  });
  const terms = { field, size, order: { _key: 'asc' }, include: `${letters.join('')}.*` };
  return {
    request: {
      method: 'POST',
      path: path.replace(/_terms_enum$/, '_search'),
      body: { size: 0, ...(filter !== undefined && { query: filter }), aggs: { terms: { terms } } },
    },
    restore: (answer) => {
      const buckets = at(answer, 'aggregations', 'terms', 'buckets');
      if (!isJsonArray(buckets)) return answer;
      return {
        _shards: at(answer, '_shards'),
        terms: buckets.map((bucket) => at(bucket, 'key')),
        complete: true,
      };
    },
  };
}

/** An index that several parts of an expression name is listed as often. */
function withoutRepeats(answer: JsonValue): JsonValue {
  const indices = at(answer, 'indices');
  if (!isJsonObject(answer) || !isJsonArray(indices)) return answer;
  const byName = new Map(indices.map((index) => [at(index, 'name'), index]));
  return { ...answer, indices: [...byName.values()] };
}

function search(request: SentRequest): EqualRequest {
  const { body, lines } = request;
  return {
    request: {
      ...request,
      path: withParameters(request.path, () => undefined),
      ...(body !== undefined && { body: judgedAggregations(body) }),
      ...(lines && { lines: lines.map(judgedAggregations) }),
    },
    restore: (answer) => {
      if (!lines) return body === undefined ? answer : restoredAggregations(answer, body);
      const responses = at(answer, 'responses');
      if (!isJsonObject(answer) || !isJsonArray(responses)) return answer;
      const restored = responses.map((one, i) =>
        restoredAggregations(one, lines[2 * i + 1] ?? null),
      );
      return { ...answer, responses: restored };
    },
  };
}
