import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { type Documents, openDocuments } from './documents';

/* What Elasticsearch 7.17 answers for the same documents, asked once: no JSON writer of the scenarios keeps a -0.0. */

const statements = [
  'CREATE TABLE docs (id UInt32, d Nullable(Float64), f Float32, ds Array(Float64)) ENGINE = MergeTree ORDER BY id',
  'INSERT INTO docs SELECT 1, 0., 0., [0.] UNION ALL SELECT 2, -0., -0., [-0.] UNION ALL SELECT 3, 1., 1., [1., -0.] UNION ALL SELECT 4, -1., -1., []',
];

const longList = (...first: readonly JsonValue[]): JsonValue => [
  ...first,
  ...Array.from({ length: 80 }, (_, i) => i + 2),
];

const cases: readonly (readonly [JsonValue, readonly number[]])[] = [
  [{ term: { d: 0 } }, [1]],
  [{ term: { d: '-0' } }, [2]],
  [{ term: { f: '-0.0' } }, [2]],
  [{ term: { f: '1e-60' } }, [1]],
  [{ term: { ds: 0 } }, [1]],
  [{ term: { ds: '-0' } }, [2, 3]],
  [{ terms: { d: ['-0.0', 1] } }, [2, 3]],
  [{ terms: { d: longList('-0') } }, [2]],
  [{ terms: { d: longList(0) } }, [1]],
  [{ terms: { ds: longList('-0') } }, [2, 3]],
  [{ range: { d: { gte: 0 } } }, [1, 3]],
  [{ range: { d: { gte: '-0.0' } } }, [1, 2, 3]],
  [{ range: { d: { gt: 0 } } }, [3]],
  [{ range: { d: { gt: '-0.0' } } }, [1, 3]],
  [{ range: { d: { lt: 0 } } }, [2, 4]],
  [{ range: { d: { lt: '-0.0' } } }, [4]],
  [{ range: { d: { lte: 0 } } }, [1, 2, 4]],
  [{ range: { d: { lte: '-0.0' } } }, [2, 4]],
  [{ range: { d: { gte: '-0.0', lt: 0 } } }, [2]],
  [{ range: { f: { lt: 0 } } }, [2, 4]],
  [{ range: { f: { lt: '-1e-60' } } }, [4]],
  [{ range: { ds: { lt: 0 } } }, [2, 3]],
  [{ bool: { must_not: { range: { d: { gte: 0 } } } } }, [2, 4]],
  [{ query_string: { query: String.raw`d:\-0` } }, [2]],
];

describe('zeros with a sign', () => {
  let documents: Documents;
  beforeAll(async () => {
    documents = await openDocuments(statements);
  });
  afterAll(() => documents.close());

  test.each(cases)('%j', async (query, ids) => {
    expect(await documents.find(query)).toEqual(ids);
  });
});
