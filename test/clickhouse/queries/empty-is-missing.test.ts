import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { type Documents, openDocuments } from './documents';

const statements = [
  `CREATE TABLE docs (
    id UInt32, s String, lc LowCardinality(String), n Nullable(String), fs FixedString(2), tags Array(String),
    low Array(LowCardinality(String)) DEFAULT tags, labels Map(String, String), u UUID, count UInt8
  ) ENGINE = MergeTree ORDER BY id`,
  `INSERT INTO docs (id, s, lc, n, fs, tags, labels) VALUES
    (1, 'x', 'x', 'x', 'x', ['x', ''], {'team': 'x'}),
    (2, '', '', '', '', [''], {'team': ''}),
    (3, '', '', NULL, '', [], {})`,
];
const texts = ['s', 's.keyword', 'lc', 'n', 'fs', 'tags', 'low', 'labels.team'];

const exists = (field: string): JsonValue => ({ exists: { field } });
const isEmpty = (field: string): JsonValue => ({ term: { [field]: '' } });

describe('with emptyIsMissing', () => {
  let documents: Documents;
  beforeAll(async () => {
    documents = await openDocuments(statements, 'docs', { emptyIsMissing: true });
  });
  afterAll(() => documents.close());

  test.each(texts)('%s: an empty string is no value', async (field) => {
    expect(await documents.find(exists(field))).toEqual([1]);
    expect(await documents.find({ bool: { must_not: exists(field) } })).toEqual([2, 3]);
    expect(await documents.find(isEmpty(`${field.replace('.keyword', '')}.keyword`))).toEqual([]);
    expect(await documents.find({ term: { [field]: 'x' } })).toEqual([1]);
    expect(
      await documents.find({ terms: { [`${field.replace('.keyword', '')}.keyword`]: ['', 'x'] } }),
    ).toEqual([1]);
  });

  test('what is no text is as it was', async () => {
    expect(await documents.find(exists('count'))).toEqual([1, 2, 3]);
    expect(await documents.find(exists('u'))).toEqual([1, 2, 3]);
  });
});

describe('without it', () => {
  let documents: Documents;
  beforeAll(async () => {
    documents = await openDocuments(statements);
  });
  afterAll(() => documents.close());

  test.each([
    ['s', [1, 2, 3]],
    ['n', [1, 2]],
    ['tags', [1, 2]],
    ['labels.team', [1, 2]],
  ] as const)('%s: an empty string is a value', async (field, ids) => {
    expect(await documents.find(exists(field))).toEqual(ids);
  });
});
