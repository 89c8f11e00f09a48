import { claims } from '../../fuzz/claims';
import type { FuzzRequest } from '../../fuzz/requests/context';
import { featuresOf } from '../../fuzz/run/features';
import { printReport } from '../../fuzz/run/report';
import { type Outcome, openTally } from '../../fuzz/run/tally';

const search: FuzzRequest = {
  parameters: { size: '3' },
  body: {
    query: {
      bool: {
        must: { constant_score: { filter: { term: { a: { value: 1, boost: 2 } } } } },
        must_not: [{ range: { at: { gte: 1, format: 'epoch_millis' } } }],
        minimum_should_match: 1,
      },
    },
    sort: [{ a: { missing: 7, order: 'asc' } }, '_doc'],
    fields: ['a', { field: 'b', format: 'x' }],
    aggs: {
      x: {
        terms: { field: 'a', size: 2 },
        meta: { y: 1 },
        aggs: { m: { avg: { field: 'a' } } },
      },
    },
  },
};

test('a search shows every clause, option, aggregation and key that it uses', () => {
  expect([...featuresOf(search)].sort()).toEqual(
    [
      ...[
        'query.bool',
        'query.bool.must',
        'query.bool.must_not',
        'query.bool.minimum_should_match',
      ],
      ...['query.constant_score', 'query.constant_score.filter'],
      ...['query.term', 'query.term.value', 'query.term.boost'],
      ...['query.range', 'query.range.gte', 'query.range.format'],
      ...['sort', 'sort.missing (a value)', 'sort.order', 'sort._doc'],
      ...['fields.field', 'fields.format'],
      ...['aggregation.terms', 'aggregation.terms.field', 'aggregation.terms.size'],
      ...['aggregation.avg', 'aggregation.avg.field', 'aggregation.meta'],
      ...['aggregation depth 1', 'aggregation depth 2'],
      ...['body.query', 'body.sort', 'body.fields', 'body.aggs', 'parameter size'],
    ].sort(),
  );
});

test('only equal answers with documents prove a claim', () => {
  const tally = openTally(['query.term', 'query.range', 'query.terms']);
  const others: readonly Outcome[] = ['empty', 'error', 'refused', 'excluded', 'different'];
  for (const outcome of others) tally.add({ request: search, outcome });
  expect(tally.unseen()).toEqual(['query.term', 'query.range', 'query.terms']);
  tally.add({ request: search, outcome: 'equal' });
  tally.add({ request: search, outcome: 'equal' });
  expect([...tally.seen]).toEqual([
    ['query.term', 2],
    ['query.range', 2],
    ['query.terms', 0],
  ]);
  expect(tally.unseen()).toEqual(['query.terms']);
  expect(tally.total()).toBe(7);
});

test('the report names the seed, every claim with its count, reasons, and what was never seen', () => {
  const tally = openTally(['query.term', 'query.terms']);
  tally.add({ request: search, outcome: 'equal' });
  tally.add({ request: search, outcome: 'refused', reason: 'not done' });
  const text = printReport({ seed: 42, tally, found: ['a difference'], seconds: 1.4 });
  expect(text.split('\n')).toEqual([
    '2 random searches with seed 42 in 1 s: 1 equal, 1 refused',
    'in how many equal answers with documents it stood:',
    '      1  query.term',
    '      0  query.terms',
    'refused by the product, or excluded:',
    '      1  not done',
    'claimed, and in no such answer: query.terms',
    '1 kinds of differences',
    'a difference',
  ]);
});

test('every claim is a word that a search can show', () => {
  const words = /^(query|aggregation|sort|fields|docvalue_fields|body|parameter)\b/;
  expect(claims.filter((claim) => !words.test(claim))).toEqual([]);
});
