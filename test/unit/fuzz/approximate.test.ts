import type { FuzzRequest } from '../../fuzz/requests/context';
import { isApproximate } from '../../fuzz/run/approximate';

const documents = {
  fields: [
    { name: 'bytes', kind: 'integer', values: [-(2n ** 53n), 7, 2 ** 40] },
    { name: 'ratio', kind: 'decimal', values: [0.5, 3] },
  ],
} as const;

const request: FuzzRequest = {
  parameters: {},
  body: {
    aggs: {
      '2': {
        terms: { field: 'host' },
        aggs: {
          m1: { avg: { field: 'bytes' } },
          m2: { avg: { field: 'ratio' } },
          p: { percentiles: { field: 'bytes' } },
        },
      },
    },
  },
};

const differs = (path: string, ours: number, theirs: number): boolean =>
  isApproximate({ path, ours, theirs }, request, documents);

test('means differ by the rounding of their largest value, and no more', () => {
  expect(differs('aggregations.2.buckets.0.m1.value', 1, 5)).toBe(true);
  expect(differs('aggregations.2.buckets.0.m1.value', 1, 50)).toBe(false);
  expect(differs('aggregations.2.buckets.0.m2.value', 1, 1.001)).toBe(false);
});

test('percentiles differ by the rounding between their values', () => {
  const path = 'aggregations.2.buckets.0.p.values.1.0';
  expect(differs(path, 9007199254740991, 9007199254740990)).toBe(true);
  expect(differs(path, 9007199254740991, 9007199254740900)).toBe(false);
});

test('nothing but means is rounded', () => {
  expect(differs('aggregations.2.buckets.0.doc_count', 1, 2)).toBe(false);
  expect(differs('aggregations.2.buckets.0.key', 1, 2)).toBe(false);
  expect(differs('hits.total.value', 1, 2)).toBe(false);
});

test('Elasticsearch may not know the error of its counts', () => {
  expect(differs('aggregations.2.doc_count_error_upper_bound', 0, -1)).toBe(true);
  expect(differs('aggregations.2.doc_count_error_upper_bound', 0, 3)).toBe(false);
});
