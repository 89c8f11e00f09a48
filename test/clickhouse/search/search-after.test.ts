import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import { responseText } from '../../../plugins/kibana-clickhouse/search/response/write-response';
import { runSearch } from '../../../plugins/kibana-clickhouse/search/run-search';
import { type IndexedTables, execution, startIndexedTables } from './indexed-tables';

/** Rows that tie in every column but their number, with the values that stand for missing ones, too. */
const ties = `
CREATE TABLE ties (
  n UInt16,
  ts DateTime64(3, 'UTC'),
  nanos Nullable(DateTime64(9, 'UTC')),
  event_time UInt64,
  l Nullable(Int64), u Nullable(UInt64), i Nullable(Int32), f Float32, d Nullable(Float64),
  k LowCardinality(Nullable(String)), ip Nullable(IPv4), many Array(Int64)
) ENGINE = MergeTree ORDER BY (k, ts) SETTINGS allow_nullable_key = 1;
INSERT INTO ties SELECT
  number,
  toDateTime64('2024-01-01 00:00:00', 3, 'UTC') + toIntervalMillisecond(intDiv(number, 25)),
  [NULL, fromUnixTimestamp64Nano(0), fromUnixTimestamp64Nano(1704067200000000001), fromUnixTimestamp64Nano(1704067200000000002)][number % 4 + 1],
  1704067200000000 + number % 3 * 500 + intDiv(number, 100) * 1000,
  [NULL, 9223372036854775807, -9223372036854775808, 0][number % 4 + 1],
  [NULL, 18446744073709551615, 0, 5][number % 4 + 1],
  [NULL, 1, 1, 2][number % 4 + 1],
  [nan, inf, -inf, 1.5][number % 4 + 1],
  [NULL, nan, inf, 0.1, -inf][number % 5 + 1],
  [NULL, '', 'a', 'b'][number % 4 + 1],
  [NULL, toIPv4('10.0.0.1'), toIPv4('9.0.0.1')][number % 3 + 1],
  [[], [1, 5], [5], [1]][number % 4 + 1]
FROM numbers(200);`;

let tables: IndexedTables;
let table: Table;

beforeAll(async () => {
  tables = await startIndexedTables(ties);
  table = await tables.table('ties');
}, 60_000);
afterAll(() => tables.close());

interface Hit {
  readonly _id: string;
  readonly sort: JsonValue;
}

async function hits(body: JsonObject): Promise<readonly Hit[]> {
  const request = parseSearchRequest({
    body: { _source: false, query: { range: { ts: { gte: '2024-01-01' } } }, ...body },
    parameters: new Map(),
  });
  const response = await runSearch(request, {
    table,
    executor: tables.executor,
    execution,
    now: 0,
  });
  const answer = parseJson(await responseText(response)) as JsonObject;
  return (answer['hits'] as JsonObject)['hits'] as unknown as readonly Hit[];
}

async function pages(sort: JsonValue, size: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let last: JsonValue | undefined;
  for (;;) {
    const page = await hits({ sort, size, ...(last !== undefined && { search_after: last }) });
    last = page.at(-1)?.sort;
    if (last === undefined) return ids;
    ids.push(...page.map(({ _id: id }) => id));
  }
}

type Case = readonly [field: string, order: 'asc' | 'desc', missing: '_first' | '_last'];

const cases: readonly Case[] = [
  ...['ts', 'nanos', 'event_time', 'l', 'u', 'i', 'f', 'd', 'k', 'ip', 'many'].flatMap(
    (field): readonly Case[] => [
      [field, 'asc', '_last'],
      [field, 'desc', '_first'],
    ],
  ),
  // whose missing values stand for the other end of the type then
  ...['nanos', 'l', 'u', 'd'].flatMap((field): readonly Case[] => [
    [field, 'asc', '_first'],
    [field, 'desc', '_last'],
  ]),
];

describe('pages behind a hit', () => {
  test.each(cases)('%s %s, missing %s: each hit once, in order', async (field, order, missing) => {
    const sort: JsonValue = [{ [field]: { order, missing } }, { _doc: order }];
    const all = await hits({ sort, size: 1000 });
    const ids = all.map(({ _id: id }) => id);
    expect(new Set(ids).size).toBe(200);
    expect(await pages(sort, 101)).toEqual(ids);
  });

  test.each([
    ['formats', [{ ts: { order: 'desc', format: 'strict_date_optional_time' } }, '_doc']],
    [
      'nanoseconds of a format',
      [
        {
          nanos: {
            order: 'asc',
            format: 'strict_date_optional_time_nanos',
            numeric_type: 'date_nanos',
          },
        },
        '_doc',
      ],
    ],
    ['nanoseconds as dates', [{ nanos: { order: 'desc', numeric_type: 'date' } }, '_doc']],
    ['several keys', [{ i: 'desc' }, { k: 'asc' }, { ts: 'desc' }, { _doc: 'asc' }]],
    ['a field that there is not', [{ nope: { unmapped_type: 'long' } }, { ts: 'desc' }, '_doc']],
    ['scores', [{ _score: 'asc' }, { ts: 'asc' }, '_doc']],
    ['index order', ['_doc']],
    ['a value for missing ones', [{ i: { order: 'asc', missing: 2 } }, '_doc']],
  ] satisfies (readonly [string, JsonValue])[])('%s: each hit once, in order', async (_, sort) => {
    const all = await hits({ sort, size: 1000 });
    const ids = all.map(({ _id: id }) => id);
    expect(new Set(ids).size).toBe(200);
    expect(await pages(sort, 101)).toEqual(ids);
  });
});
