import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import type { SearchRequest } from '../../../plugins/kibana-clickhouse/search/request/search-request';

const parse = (body: JsonValue | undefined, url = ''): SearchRequest =>
  parseSearchRequest({ body, parameters: new Map(new URLSearchParams(url)) });

test('the defaults', () => {
  expect(parse(undefined)).toMatchObject({
    query: { type: 'match_all' },
    aggregations: [],
    sort: [],
    from: 0,
    size: 10,
    source: { enabled: true, includes: [], excludes: [] },
    fields: [],
    docvalueFields: [],
    showsId: true,
    totalHits: { kind: 'upTo', limit: 10000 },
    totalAsInteger: false,
    version: false,
    seqNoPrimaryTerm: false,
    trackScores: false,
  });
});

test('the query string stands before the body', () => {
  expect(
    parse(
      { size: 1, from: 1, version: false, sort: 'a', timeout: '1s' },
      'size=2&from=3&version=&sort=b:desc&docvalue_fields=c&seq_no_primary_term=true',
    ),
  ).toMatchObject({
    size: 2,
    from: 3,
    version: true,
    seqNoPrimaryTerm: true,
    // the body's keys come first
    sort: [
      { field: 'a', order: 'asc' },
      { field: 'b', order: 'desc' },
    ],
    docvalueFields: [{ pattern: 'c' }],
  });
});

test('numbers and booleans as strings', () => {
  expect(parse({ size: '5', from: '1.9', version: 'true', terminate_after: 0 })).toMatchObject({
    size: 5,
    from: 1,
    version: true,
  });
});

test('script fields change nothing where no hits are asked for', () => {
  expect(parse({ size: 0, script_fields: { a: { script: 'x' } } }).size).toBe(0);
});

test('both names of aggregations', () => {
  const a = { a: { terms: { field: 'x' } } };
  expect(parse({ aggs: a }).aggregations).toHaveLength(1);
  expect(parse({ aggregations: a }).aggregations).toHaveLength(1);
});

test('fields and doc values', () => {
  expect(
    parse({
      fields: ['a', { field: 'b*', format: 'epoch_millis', include_unmapped: 'true' }],
      docvalue_fields: ['c', { field: 'd', format: 'use_field_mapping' }],
    }),
  ).toMatchObject({
    fields: [{ pattern: 'a' }, { pattern: 'b*', format: 'epoch_millis' }],
    docvalueFields: [{ pattern: 'c' }, { pattern: 'd' }],
  });
});

test.each<JsonValue>([
  { script_fields: {}, runtime_mappings: {}, ext: {}, suggest: {}, rescore: [], indices_boost: [] },
  { size: '10', script_fields: {} },
  { explain: false, profile: 'false', min_score: 0, stats: ['group'] },
  {
    highlight: {
      fields: { '*': {} },
      pre_tags: [''],
      fragment_size: 1,
      require_field_match: false,
    },
  },
])('what changes nothing is accepted: %j', (body) => {
  expect(parse(body).size).toBe(10);
});

test.each<[JsonValue, string, string]>([
  [[], 'parsing_exception', 'Expected [START_OBJECT] but found [START_ARRAY]'],
  [null, 'parsing_exception', 'Expected [START_OBJECT] but found [VALUE_NULL]'],
  [{ foo: 1 }, 'parsing_exception', 'Unknown key for a VALUE_NUMBER in [foo].'],
  [{ foo: {} }, 'parsing_exception', 'Unknown key for a START_OBJECT in [foo].'],
  [{ constructor: 'x' }, 'parsing_exception', 'Unknown key for a VALUE_STRING in [constructor].'],
  [{ size: {} }, 'parsing_exception', 'Unknown key for a START_OBJECT in [size].'],
  [{ query: null }, 'parsing_exception', 'Unknown key for a VALUE_NULL in [query].'],
  [{ size: -5 }, 'illegal_argument_exception', '[size] parameter cannot be negative, found [-5]'],
  [{ size: 'abc' }, 'number_format_exception', 'For input string: "abc"'],
  [
    { size: 9_999_999_999 },
    'illegal_argument_exception',
    'Value [9999999999] is out of range for an integer',
  ],
  [{ from: -2 }, 'illegal_argument_exception', '[from] parameter cannot be negative but was [-2]'],
  [
    { version: 'yes' },
    'illegal_argument_exception',
    'Failed to parse value [yes] as only [true] or [false] are allowed.',
  ],
  [
    { track_total_hits: -2 },
    'illegal_argument_exception',
    '[track_total_hits] parameter must be positive or equals to -1, got -2',
  ],
  [
    { timeout: '5' },
    'illegal_argument_exception',
    'failed to parse setting [timeout] with value [5] as a time value: unit is missing or unrecognized',
  ],
  [{ terminate_after: -1 }, 'illegal_argument_exception', 'terminateAfter must be > 0'],
  [{ fields: [{ format: 'x' }] }, 'illegal_argument_exception', 'Required [field]'],
  [
    { fields: [{ field: 'a', foo: 1 }] },
    'x_content_parse_exception',
    '[fetch_field_and_format] unknown field [foo]',
  ],
  [{ highlight: { foo: 1 } }, 'x_content_parse_exception', '[highlight] unknown field [foo]'],
  [
    { stored_fields: '_none_', _source: true },
    'action_request_validation_exception',
    'Validation Failed: 1: [stored_fields] cannot be disabled if [_source] is requested;',
  ],
])('%j is an error', (body, type, message) => {
  expect(() => parse(body)).toThrow(
    expect.objectContaining({ status: 400, phase: 'request', type, message }),
  );
});

test.each<[string, JsonValue]>([
  ['collapse', { collapse: { field: 'a' } }],
  ['suggest', { suggest: { a: {} } }],
  ['rescore', { rescore: { query: {} } }],
  ['slice', { slice: { id: 0, max: 2 } }],
  ['min_score', { min_score: 0.5 }],
  ['indices_boost', { indices_boost: [{ a: 1 }] }],
  ['knn', { knn: {} }],
  ['profile', { profile: true }],
  ['explain', { explain: 'true' }],
  ['retriever', { retriever: {} }],
])('[%s] is refused by name', (key, body) => {
  expect(() => parse(body)).toThrow(`[kibana-clickhouse] unsupported: [${key}] in a search`);
});

test.each([
  ['size=abc', 'Failed to parse int parameter [size] with value [abc]'],
  ['version=1', 'Failed to parse value [1] as only [true] or [false] are allowed.'],
])('%s', (url, message) => {
  expect(() => parse({}, url)).toThrow(message);
});
