import { buildTable } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/build-table';
import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';

/** Fields that the samples speak of: by ClickHouse type and Elasticsearch's mapping. */
const fields: readonly (readonly [name: string, clickHouse: string, elasticsearch: JsonObject])[] =
  [
    ['k', 'LowCardinality(Nullable(String))', { type: 'keyword' }],
    ['t', 'Nullable(String)', { type: 'text', fields: { keyword: { type: 'keyword' } } }],
    ['l', 'Nullable(Int64)', { type: 'long' }],
    ['f', 'Nullable(Float64)', { type: 'double' }],
    ['b', 'Nullable(Bool)', { type: 'boolean' }],
    ['ts', "Nullable(DateTime64(3, 'UTC'))", { type: 'date' }],
    ['ip', 'Nullable(IPv6)', { type: 'ip' }],
    ['p', 'Tuple(lat Float64, lon Float64)', { type: 'geo_point' }],
    [
      'obj',
      'Nested(a LowCardinality(String), n Int64)',
      { type: 'nested', properties: { a: { type: 'keyword' }, n: { type: 'long' } } },
    ],
  ];

export const table: Table = buildTable({
  database: 'default',
  name: 'samples',
  engine: 'MergeTree',
  sortingKey: 'l',
  columns: fields.map(([name, type]) => ({ name, type, defaultKind: '' })),
});

export const mapping: JsonObject = {
  dynamic: 'strict',
  properties: Object.fromEntries(fields.map(([name, , type]) => [name, type])),
};

const term: JsonObject = { term: { k: 'a' } };
const box: JsonObject = { top_left: { lat: 10, lon: 0 }, bottom_right: { lat: 0, lon: 10 } };

/** Bodies that are answered, by clause: together they have all that the clauses take. */
export const clauseSamples: Readonly<Record<string, readonly JsonObject[]>> = {
  bool: [
    {
      must: [term],
      filter: term,
      should: [term, term],
      must_not: [term],
      minimum_should_match: 1,
      boost: 1.5,
      adjust_pure_negative: true,
    },
  ],
  boosting: [{ positive: term, negative: term, negative_boost: 0.5, boost: 2 }],
  constant_score: [{ filter: term, boost: 1.5 }],
  dis_max: [{ queries: [term], tie_breaker: 0.5, boost: 1 }],
  exists: [{ field: 'k', boost: 1 }],
  function_score: [
    { query: term, functions: [{ filter: term, weight: 2 }], boost_mode: 'sum', score_mode: 'max' },
    { query: term, weight: 2, max_boost: 4 },
  ],
  fuzzy: [
    { k: 'abc' },
    {
      k: {
        value: 'abc',
        fuzziness: 1,
        prefix_length: 1,
        max_expansions: 50,
        transpositions: true,
        rewrite: 'constant_score',
        boost: 1,
      },
    },
  ],
  geo_bounding_box: [
    { p: box },
    { p: { top: 10, left: 0, bottom: 0, right: 10 }, validation_method: 'STRICT' },
    { p: { wkt: 'BBOX (0, 10, 10, 0)' }, type: 'memory', ignore_unmapped: false },
  ],
  geo_distance: [
    { distance: '5km', p: { lat: 1, lon: 2 } },
    { distance: 5, unit: 'km', p: [2, 1], distance_type: 'arc', validation_method: 'STRICT' },
  ],
  geo_shape: [
    {
      p: {
        shape: {
          type: 'envelope',
          coordinates: [
            [0, 10],
            [10, 0],
          ],
        },
        relation: 'intersects',
      },
    },
    {
      p: {
        shape: {
          type: 'polygon',
          coordinates: [
            [
              [0, 0],
              [10, 0],
              [10, 10],
              [0, 0],
            ],
          ],
        },
      },
      ignore_unmapped: true,
    },
  ],
  ids: [{ values: ['a', 'b'], boost: 1 }],
  match: [
    { t: 'hello world' },
    {
      t: {
        query: 'hello world',
        operator: 'and',
        minimum_should_match: '50%',
        zero_terms_query: 'all',
        lenient: true,
        auto_generate_synonyms_phrase_query: true,
        boost: 1,
      },
    },
    { k: { query: 'abc', fuzziness: 'AUTO', prefix_length: 1, max_expansions: 10 } },
    { l: 5 },
  ],
  match_all: [{ boost: 1.5 }],
  match_bool_prefix: [{ t: 'hello wor' }, { t: { query: 'hello wor', operator: 'and' } }],
  match_none: [{ boost: 1.5 }],
  match_phrase: [{ t: 'hello world' }, { t: { query: 'hello world', slop: 0, boost: 1 } }],
  match_phrase_prefix: [
    { t: 'hello wor' },
    { t: { query: 'hello wor', max_expansions: 10, slop: 0 } },
  ],
  multi_match: [
    { query: 'hello', fields: ['t', 'k^2'], type: 'best_fields', operator: 'or' },
    { query: 'hello world', fields: ['t'], type: 'cross_fields', minimum_should_match: '1' },
    { query: 5, fields: ['*'], lenient: true, tie_breaker: 0.5, type: 'phrase', slop: 0 },
  ],
  nested: [{ path: 'obj', query: { term: { 'obj.a': 'x' } }, score_mode: 'avg', boost: 1 }],
  prefix: [{ k: 'ab' }, { k: { value: 'ab', case_insensitive: true, rewrite: 'constant_score' } }],
  query_string: [
    {
      query: 't:hello AND l:[1 TO 5] OR k:a*',
      default_field: 'k',
      default_operator: 'AND',
      analyze_wildcard: true,
      allow_leading_wildcard: true,
      lenient: true,
      time_zone: 'Europe/Warsaw',
      phrase_slop: 0,
      minimum_should_match: 1,
      quote_field_suffix: '.keyword',
      escape: false,
      boost: 1,
    },
    { query: 'hello', fields: ['t', 'k'], type: 'phrase', fuzziness: 'AUTO', tie_breaker: 0 },
  ],
  range: [
    { l: { gte: 1, lt: 10, boost: 1 } },
    {
      ts: { gt: '2024-01-01', lte: 'now', format: 'yyyy-MM-dd||epoch_millis', time_zone: '+01:00' },
    },
    { ip: { from: '10.0.0.0', to: '10.0.0.9', include_lower: true, include_upper: false } },
    { k: { gte: 'a', relation: 'within' } },
  ],
  regexp: [
    { k: 'a.*' },
    { k: { value: 'a.*', flags: 'ALL', case_insensitive: false, max_determinized_states: 100 } },
  ],
  script: [
    {
      script: { source: "doc['l'].size() > 0 && doc['l'].value > params.a", params: { a: 5 } },
      boost: 1,
    },
    { script: "doc['k'].empty" },
  ],
  script_score: [{ query: term, script: { source: '1' }, boost: 1 }],
  simple_query_string: [
    {
      query: 'hello + wor* | "a b"',
      fields: ['t', 'k'],
      default_operator: 'and',
      flags: 'ALL',
      lenient: true,
      analyze_wildcard: true,
      minimum_should_match: '1',
      quote_field_suffix: '.keyword',
      fuzzy_prefix_length: 0,
      boost: 1,
    },
  ],
  term: [
    { k: 'a' },
    { k: { value: 'a', case_insensitive: true, boost: 1 } },
    { l: 5 },
    { ts: '2024-01-01' },
    { ip: '10.0.0.0/8' },
    { b: true },
  ],
  terms: [{ k: ['a', 'b'], boost: 1 }, { l: [1, 2] }, { ts: ['2024-01-01', 5] }],
  wildcard: [
    { k: 'a*' },
    { k: { wildcard: 'a?', case_insensitive: true, rewrite: 'constant_score' } },
  ],
};
