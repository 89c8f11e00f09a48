import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import { claimsOf, featureSet } from '../../fuzz/feature-sets';
import { restrict } from '../../fuzz/requests/restrict';

const documents = {
  fields: [
    { name: 'host', kind: 'keyword', values: ['web-1'] },
    { name: 'ratio', kind: 'decimal', values: [0.5] },
  ],
} as const;

const restricted = (body: JsonObject, features = 'first'): JsonObject =>
  restrict({ parameters: {}, body }, documents, featureSet(features)).body;

test('clauses that are not asked for become others, wherever they stand', () => {
  const strange = { query_string: { query: 'host:x' } };
  const exists = { exists: { field: '@timestamp' } };
  const query = {
    bool: {
      must: strange,
      filter: [{ constant_score: { filter: strange, boost: 2 } }, { term: { host: 'x' } }],
      minimum_should_match: 1,
    },
  };
  expect(restricted({ query, size: 3 })).toEqual({
    query: {
      bool: {
        must: exists,
        filter: [{ constant_score: { filter: exists, boost: 2 } }, { term: { host: 'x' } }],
        minimum_should_match: 1,
      },
    },
    size: 3,
  });
});

test('aggregations that are not asked for become means, or terms where others stand below', () => {
  const aggs = {
    '1': { filter: { match_all: {} }, aggs: { m: { sum: { field: 'ratio' } } }, meta: { a: 1 } },
    '2': { terms: { field: 'host', size: 2 }, aggs: { m: { cardinality: { field: 'host' } } } },
    '3': { range: { field: 'host', ranges: [] }, aggs: { m: { avg: { field: 'ratio' } } } },
  };
  expect(restricted({ aggs })).toEqual({
    aggs: {
      '1': { terms: { field: 'seq' }, aggs: { m: { avg: { field: 'ratio' } } }, meta: { a: 1 } },
      '2': { terms: { field: 'host', size: 2 }, aggs: { m: { avg: { field: 'seq' } } } },
      '3': { terms: { field: 'host' }, aggs: { m: { avg: { field: 'ratio' } } } },
    },
  });
});

test('all features leave a search as it is', () => {
  const body = { query: { query_string: { query: 'x' } }, aggs: { '1': { filters: {} } } };
  expect(restricted(body, 'all')).toEqual(body);
});

test('a feature set has the options of its names and everything about hits to prove', () => {
  const claims = claimsOf(featureSet('query.term,aggregation.avg'));
  expect(claims).toEqual(
    expect.arrayContaining(['query.term', 'query.term.boost', 'aggregation.avg.format', 'sort']),
  );
  expect(claims.filter((claim) => /^query\.(?!term\b)/.test(claim))).toEqual([]);
  expect(claimsOf(featureSet('all')).length).toBeGreaterThan(claims.length);
});

test('what every test run compares leaves out query strings, and nothing of the first', () => {
  const clean = claimsOf(featureSet('clean'));
  expect(clean).toEqual(expect.arrayContaining([...claimsOf(featureSet('first'))]));
  expect(clean).not.toContain('query.query_string');
  expect(clean).toContain('aggregation.percentiles');
});

test('a name that nobody claims is an error', () => {
  expect(() => featureSet('first,query.perhaps')).toThrow(
    'no claim of random searches: query.perhaps',
  );
});
