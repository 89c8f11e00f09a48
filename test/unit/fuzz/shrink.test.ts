import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { FuzzDocuments } from '../../fuzz/documents/field';
import type { FuzzRequest } from '../../fuzz/requests/context';
import { shrinkDocuments, shrinkRequest } from '../../fuzz/run/shrink';
import { long, keyword } from '../../datasets/dataset';

const request = (body: JsonObject, parameters: Record<string, string> = {}): FuzzRequest => ({
  parameters,
  body,
});

/** Fails as long as all of these stand somewhere in the request. */
const holding =
  (...texts: readonly string[]) =>
  (candidate: FuzzRequest): Promise<boolean> =>
    Promise.resolve(texts.every((text) => JSON.stringify(candidate).includes(text)));

describe('a request', () => {
  test('loses every key and parameter that the failure does not need', async () => {
    const large = request(
      { size: 5, sort: ['a'], query: { term: { a: 1 } }, track_total_hits: true },
      { preference: '1', size: '3' },
    );
    expect(await shrinkRequest(large, holding('"term"'))).toEqual(request({ query: { term: {} } }));
  });

  test('has a clause in place of the bools around it', async () => {
    const inner = { range: { at: { gte: 1 } } };
    const large = request({
      query: {
        bool: {
          must: [{ match_all: {} }, { bool: { filter: [inner, { exists: { field: 'b' } }] } }],
          must_not: { term: { c: 1 } },
        },
      },
    });
    expect(await shrinkRequest(large, holding('"query":', '{"range":{"at":{"gte"'))).toEqual(
      request({ query: { range: { at: { gte: 1 } } } }),
    );
  });

  test('has sub-aggregations in place of their bucket', async () => {
    const large = request({
      aggs: {
        '2': {
          terms: { field: 'a', size: 3 },
          aggs: { '3': { terms: { field: 'b' }, aggs: { m: { avg: { field: 'c' } } } } },
        },
      },
    });
    const small = await shrinkRequest(large, holding('"avg"', '"aggs"'));
    expect(JSON.stringify(small)).not.toContain('terms');
  });

  test('stays as it is where nothing smaller fails', async () => {
    const least = request({ query: { match_none: {} } });
    expect(await shrinkRequest(least, () => Promise.resolve(false))).toBe(least);
  });

  test('is given up after the attempts that it may take', async () => {
    const large = request(
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key${String(i)}`, i])),
    );
    let attempts = 0;
    const fails = (): Promise<boolean> => {
      attempts += 1;
      return Promise.resolve(true);
    };
    const small = await shrinkRequest(large, fails, 10);
    expect(attempts).toBe(10);
    expect(Object.keys(small.body)).toHaveLength(40);
  });
});

const documents = (rows: readonly JsonObject[]): FuzzDocuments => ({
  columns: [long('seq'), long('a'), keyword('b')],
  fields: [],
  rows,
  firstMs: 0,
  lastMs: 1,
});

const rows = Array.from({ length: 30 }, (_, seq): JsonObject => ({ seq, a: seq, b: 'x' }));

describe('documents', () => {
  test('are the few that the failure needs, with the columns that the request names', async () => {
    const needed = (values: readonly JsonValue[]) => (candidate: FuzzDocuments) =>
      Promise.resolve(values.every((value) => candidate.rows.some(({ a }) => a === value)));
    const small = await shrinkDocuments(documents(rows), '{"term":{"a":1}}', needed([3, 17]), 200);
    expect(small.rows).toEqual([
      { seq: 3, a: 3 },
      { seq: 17, a: 17 },
    ]);
    expect(small.columns.map(({ name }) => name)).toEqual(['seq', 'a']);
  });

  test('are none for an error that needs none', async () => {
    const small = await shrinkDocuments(documents(rows), '{}', () => Promise.resolve(true));
    expect(small.rows).toEqual([]);
  });

  test('keep the columns that only the failure knows of', async () => {
    const fails = ({ columns, rows: left }: FuzzDocuments): Promise<boolean> =>
      Promise.resolve(columns.length === 3 && left.length > 0);
    const small = await shrinkDocuments(documents(rows), '{}', fails, 200);
    expect(small.columns).toHaveLength(3);
    expect(small.rows).toHaveLength(1);
  });
});
