import { compileSelect } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import { planSearch } from '../../../plugins/kibana-clickhouse/search/run-search';
import { type IndexedTables, execution, startIndexedTables } from '../search/indexed-tables';

const rows = 500_000;
let tables: IndexedTables;
let wholeBytes = 0;

beforeAll(async () => {
  tables = await startIndexedTables(`
    CREATE TABLE wide_rows (
      ts DateTime64(3, 'UTC'), latency Float64, bytes Nullable(UInt64), a String, b String
    ) ENGINE = MergeTree ORDER BY ts;
    INSERT INTO wide_rows SELECT
      toDateTime64('2024-01-01 00:00:00', 3, 'UTC') + toIntervalMillisecond(number),
      cityHash64(number) % 1000000, cityHash64(number, 1) % 1000000, repeat(toString(number), 10), repeat('b', 50)
    FROM numbers(${String(rows)});
    OPTIMIZE TABLE wide_rows FINAL;`);
  wholeBytes = (await read({ size: 1, sort: ['_doc'] })).readBytes;
}, 60_000);
afterAll(() => tables.close());

/** What the statement of a search's hits reads. */
async function read(
  body: JsonValue,
): Promise<{ readonly readRows: number; readonly readBytes: number }> {
  const request = parseSearchRequest({ body, parameters: new Map() });
  const table = await tables.table('wide_rows');
  const { hits } = planSearch(request, { table, now: 0 });
  if (hits === undefined) throw new Error('no hits planned');
  const { summary } = await tables.executor.rows(compileSelect(hits.statement), execution);
  return summary;
}

const filtered = { range: { latency: { gte: 1000 } } };

test('index order alone reads all', () => {
  expect(wholeBytes).toBeGreaterThan(rows * 50);
});

test.each<[string, JsonValue]>([
  ['newest first', { sort: [{ ts: 'desc' }] }],
  ['newest first of some', { sort: [{ ts: 'desc' }], query: filtered }],
  ['newest first, ties in index order', { sort: [{ ts: 'desc' }, '_doc'], query: filtered }],
  ['no order', {}],
  ['all fields instead of _source', { sort: [{ ts: 'desc' }], _source: false, fields: ['*'] }],
])('%s: the hash costs no more rows', async (_name, body) => {
  const { readRows } = await read({ ...(body as object), size: 100 });
  expect(readRows).toBeLessThan(rows / 5);
});

test.each(['latency', 'bytes'])(
  'ties of [%s] in index order: the hash is not computed for every row',
  async (field) => {
    const { readBytes } = await read({ sort: [{ [field]: 'desc' }, '_doc'], size: 10 });
    expect(readBytes).toBeLessThan(wholeBytes / 2);
  },
);
