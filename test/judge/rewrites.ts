import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import { stringOf } from '../../plugins/kibana-clickhouse/search/values/field-value';

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
 * body and parameters of an 8.x `_field_caps`, parameters that 8.x and 9.x added, and the aggregations `top_metrics` and
 * `random_sampler`. Other requests stay as they are.
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

/** Terms in order of their keys are what a list of suggestions is. */
function termsEnum(path: string, body: JsonObject): EqualRequest {
  const { field = '', string: prefix = '', size = 10, index_filter: filter } = body;
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

function at(value: JsonValue, ...names: readonly string[]): JsonValue {
  return names.reduce<JsonValue>(
    (object, name) => (isJsonObject(object) ? (object[name] ?? null) : null),
    value,
  );
}

/** An index that several parts of an expression name is listed as often. */
function withoutRepeats(answer: JsonValue): JsonValue {
  const indices = at(answer, 'indices');
  if (!isJsonObject(answer) || !isJsonArray(indices)) return answer;
  const byName = new Map(indices.map((index) => [at(index, 'name'), index]));
  return { ...answer, indices: [...byName.values()] };
}

const bodyKeys = ['aggs', 'aggregations'] as const;

function search(request: SentRequest): EqualRequest {
  const { body, lines } = request;
  return {
    request: {
      ...request,
      path: withParameters(request.path, () => undefined),
      ...(body !== undefined && { body: judgedBody(body) }),
      ...(lines && { lines: lines.map(judgedBody) }),
    },
    restore: (answer) => {
      if (!lines) return body === undefined ? answer : restoredBody(answer, body);
      const responses = at(answer, 'responses');
      if (!isJsonObject(answer) || !isJsonArray(responses)) return answer;
      const restored = responses.map((one, i) => restoredBody(one, lines[2 * i + 1] ?? null));
      return { ...answer, responses: restored };
    },
  };
}

function judgedBody(body: JsonValue): JsonValue {
  if (!isJsonObject(body)) return body;
  const key = bodyKeys.find((name) => isJsonObject(body[name] ?? null));
  if (key === undefined) return body;
  const aggregations = Object.entries(body[key] as JsonObject);
  return {
    ...body,
    [key]: Object.fromEntries(aggregations.map(([name, one]) => [name, judgedAggregation(one)])),
  };
}

function judgedAggregation(definition: JsonValue): JsonValue {
  const inner = judgedBody(definition);
  if (!isJsonObject(inner)) return inner;
  const { top_metrics: metrics, random_sampler: sampler, ...rest } = inner;
  if (metrics !== undefined && isJsonObject(metrics))
    return { ...rest, top_hits: topHits(metrics) };
  if (at(inner, 'random_sampler', 'probability') === 1 && sampler !== undefined)
    return { ...rest, filter: { match_all: {} } };
  return inner;
}

/** The fields of a `top_metrics`, in the order asked for. */
function metricFields({ metrics = [] }: JsonObject): readonly string[] {
  return (isJsonArray(metrics) ? metrics : [metrics]).map((one) => stringOf(at(one, 'field')));
}

const topHits = (metrics: JsonObject): JsonObject => ({
  size: metrics['size'] ?? 1,
  _source: false,
  docvalue_fields: [...metricFields(metrics)],
  ...(metrics['sort'] !== undefined && { sort: metrics['sort'] }),
});

function restoredBody(answer: JsonValue, body: JsonValue): JsonValue {
  if (!isJsonObject(answer) || !isJsonObject(answer['aggregations'] ?? null)) return answer;
  return { ...answer, aggregations: restoredTree(answer['aggregations'] ?? null, body) };
}

/** `answer` has a member for every aggregation that stands in `parent`, beside others. */
function restoredTree(answer: JsonValue, parent: JsonValue): JsonValue {
  const key = bodyKeys.find((name) => isJsonObject(at(parent, name)));
  if (key === undefined || !isJsonObject(answer)) return answer;
  const entries = Object.entries(answer).map(([name, one]): [string, JsonValue] => {
    const definition = at(parent, key, name);
    return [name, isJsonObject(definition) ? restored(one, definition) : one];
  });
  return Object.fromEntries(entries);
}

function restored(answer: JsonValue, definition: JsonObject): JsonValue {
  const metrics = definition['top_metrics'];
  if (metrics !== undefined && isJsonObject(metrics)) return topMetrics(answer, metrics);
  if (!isJsonObject(answer)) return answer;
  const { buckets } = answer;
  const inBucket = (bucket: JsonValue): JsonValue => restoredTree(bucket, definition);
  if (buckets === undefined) return inBucket(answer);
  if (isJsonArray(buckets)) return { ...answer, buckets: buckets.map(inBucket) };
  if (!isJsonObject(buckets)) return answer;
  const keyed = Object.entries(buckets).map(([key, bucket]) => [key, inBucket(bucket)] as const);
  return { ...answer, buckets: Object.fromEntries(keyed) };
}

function topMetrics(answer: JsonValue, metrics: JsonObject): JsonValue {
  const hits = at(answer, 'hits', 'hits');
  if (!isJsonArray(hits)) return answer;
  const fields = metricFields(metrics);
  const valueOf = (hit: JsonValue, field: string): JsonValue => {
    const values = at(hit, 'fields', field);
    return isJsonArray(values) ? (values[0] ?? null) : null;
  };
  const top = hits.map((hit) => ({
    sort: at(hit, 'sort') ?? [],
    metrics: Object.fromEntries(fields.map((field) => [field, valueOf(hit, field)])),
  }));
  return { top };
}
