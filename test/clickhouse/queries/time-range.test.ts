import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseQuery } from '../../../plugins/kibana-clickhouse/search/queries/registry';
import { splitCondition } from '../../../plugins/kibana-clickhouse/search/queries/split-time-range';
import { isAlwaysTrue } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { type Documents, now, openDocuments } from './documents';

let documents: Documents;
beforeAll(async () => {
  documents = await openDocuments([
    `CREATE TABLE docs (id UInt32, ts DateTime64(3), other DateTime, host String) ENGINE = MergeTree ORDER BY ts
      SETTINGS index_granularity = 1024`,
    `INSERT INTO docs SELECT number, toDateTime64('2024-01-01 00:00:00', 3, 'UTC') + toIntervalSecond(number),
      toDateTime('2024-01-01 00:00:00', 'UTC') + number, toString(number % 10) FROM numbers(100000)`,
  ]);
});
afterAll(() => documents.close());

const range = (field: string, bounds: JsonValue): JsonValue => ({ range: { [field]: bounds } });
const minute = { gte: '2024-01-01T12:00:00Z', lt: '2024-01-01T12:01:00Z' };
const host = { term: { 'host.keyword': '3' } };
const split = (query: JsonValue) =>
  splitCondition(parseQuery(query), { table: documents.table, now });

test('a range on the time field reads what the primary key leaves', async () => {
  const query = { bool: { filter: [range('ts', minute), host] } };
  expect(await documents.find(query)).toHaveLength(6);
  expect(await documents.rowsRead(query)).toBeLessThanOrEqual(3 * 1024);
});

test('the range stands apart from the rest, also deep in required clauses', () => {
  for (const query of [
    range('ts', minute),
    { bool: { filter: range('ts', minute) } },
    { bool: { must: [{ bool: { filter: [range('ts', minute)] } }] } },
    {
      constant_score: {
        filter: { bool: { should: [range('ts', minute)], minimum_should_match: 1 } },
      },
    },
  ]) {
    const { where, timeRange, span } = split(query);
    expect([isAlwaysTrue(where), timeRange !== undefined]).toEqual([true, true]);
    expect(span('ts')).toEqual({
      field: 'ts',
      from: Date.UTC(2024, 0, 1, 12),
      to: Date.UTC(2024, 0, 1, 12, 1) - 1,
      before: Date.UTC(2024, 0, 1, 12, 1),
    });
  }
});

test('what need not hold stays where it is', async () => {
  for (const query of [
    { bool: { should: [range('ts', minute), host] } },
    { bool: { must_not: range('ts', minute) } },
    { bool: { must: [host], should: [range('ts', minute)] } },
    host,
  ]) {
    const { timeRange, span } = split(query);
    expect(timeRange).toBeUndefined();
    expect(span('ts')).toEqual({ field: 'ts' });
  }
  expect(await documents.find({ bool: { must_not: range('ts', minute) } })).toHaveLength(99_940);
  expect(
    await documents.find({
      bool: { should: [range('ts', minute), range('ts', { lt: '2024-01-01T00:00:05Z' })] },
    }),
  ).toHaveLength(65);
});

test('several ranges meet; the table’s own time field wins over another', async () => {
  const query = {
    bool: {
      filter: [
        range('other', { gte: '2024-01-01T12:00:30Z' }),
        range('ts', minute),
        range('ts', { lte: '2024-01-01T12:00:40Z' }),
      ],
    },
  };
  const { timeRange, where, span } = split(query);
  expect(timeRange?.kind).toBe('and');
  expect(isAlwaysTrue(where)).toBe(false);
  expect(span('ts').to).toBe(Date.UTC(2024, 0, 1, 12, 0, 40, 999));
  expect(span('other').from).toBe(Date.UTC(2024, 0, 1, 12, 0, 30));
  expect(await documents.find(query)).toHaveLength(11);
  expect(split(range('other', minute)).timeRange).toBeDefined();
});

test('no query is all documents', () => {
  const { where, timeRange, span } = splitCondition(undefined, { table: documents.table, now });
  expect([isAlwaysTrue(where), timeRange, span('ts')]).toEqual([true, undefined, { field: 'ts' }]);
});
