import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import type { FuzzRequest } from '../requests/context';

const objectsIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  (isJsonArray(value) ? value : [value]).filter(isJsonObject);

const isObject = (value: JsonValue | undefined): value is JsonObject => isJsonObject(value);

/** Names beside the field of a clause. */
const besideField: readonly string[] = ['boost', '_name'];

/** Clauses whose options stand beside their name, not below a field. */
const flatClauses: readonly string[] = [
  'constant_score',
  'exists',
  'match_all',
  'match_none',
  'query_string',
  'simple_query_string',
];

/** `query.term`, `query.term.case_insensitive`, and those of all clauses within. */
function ofQuery(query: JsonValue | undefined): readonly string[] {
  const [name, body] = Object.entries(isObject(query) ? query : {})[0] ?? [];
  if (name === undefined) return [];
  const own = `query.${name}`;
  if (!isObject(body)) return [own];
  if (name === 'bool') return [own, ...ofBool(own, body)];
  const keys = flatClauses.includes(name) ? Object.keys(body) : optionsOf(body);
  return [own, ...keys.map((key) => `${own}.${key}`), ...ofQuery(body['filter'])];
}

/** Options below the field of a clause, and those beside it. */
function optionsOf(body: JsonObject): readonly string[] {
  const [, value] = Object.entries(body).find(([key]) => !besideField.includes(key)) ?? [];
  const beside = Object.keys(body).filter((key) => besideField.includes(key));
  return isObject(value) ? [...Object.keys(value), ...beside] : beside;
}

function ofBool(own: string, body: JsonObject): readonly string[] {
  const clauses = Object.values(body).flatMap((value) => objectsIn(value).flatMap(ofQuery));
  return [...Object.keys(body).map((key) => `${own}.${key}`), ...clauses];
}

const besideType: readonly string[] = ['aggs', 'aggregations', 'meta'];

function ofAggregations(aggs: JsonValue | undefined, depth: number): readonly string[] {
  return Object.values(isObject(aggs) ? aggs : {})
    .filter(isObject)
    .flatMap((definition) => {
      const types = Object.entries(definition).filter(([key]) => !besideType.includes(key));
      const own = types.flatMap(([type, body]) => [
        `aggregation.${type}`,
        ...Object.keys(isObject(body) ? body : {}).map((key) => `aggregation.${type}.${key}`),
      ]);
      const meta = definition['meta'] === undefined ? [] : ['aggregation.meta'];
      return [
        ...own,
        ...meta,
        `aggregation depth ${String(depth)}`,
        ...ofAggregations(definition['aggs'], depth + 1),
      ];
    });
}

function ofSort(sort: JsonValue | undefined): readonly string[] {
  if (sort === undefined) return [];
  const keys = isJsonArray(sort) ? sort : [sort];
  return [
    'sort',
    ...keys.flatMap((key) => {
      if (!isObject(key))
        return typeof key === 'string' && key.startsWith('_') ? [`sort.${key}`] : [];
      return Object.entries(key).flatMap(([name, body]) => [
        ...(name.startsWith('_') ? [`sort.${name}`] : []),
        ...Object.entries(isObject(body) ? body : {}).map(
          ([option, value]) =>
            `sort.${option}${option === 'missing' && !['_first', '_last'].some((place) => place === value) ? ' (a value)' : ''}`,
        ),
      ]);
    }),
  ];
}

function ofSelectors(key: string, value: JsonValue | undefined): readonly string[] {
  return objectsIn(value).flatMap((item) => Object.keys(item).map((option) => `${key}.${option}`));
}

/** Everything that a request uses of what the product claims: clauses, options, aggregations, keys of the body. */
export function featuresOf({ parameters, body }: FuzzRequest): ReadonlySet<string> {
  const source = body['_source'];
  return new Set([
    ...Object.keys(parameters).map((name) => `parameter ${name}`),
    ...Object.keys(body).map((key) => `body.${key}`),
    ...(isObject(source) ? Object.keys(source).map((key) => `body._source.${key}`) : []),
    ...ofQuery(body['query']),
    ...ofAggregations(body['aggs'], 1),
    ...ofSort(body['sort']),
    ...ofSelectors('fields', body['fields']),
    ...ofSelectors('docvalue_fields', body['docvalue_fields']),
  ]);
}
