import { startClickHouse, type EmbeddedClickHouse } from '../../../dev/clickhouse/embedded';
import { bindablePort } from '../../../dev/clickhouse/free-port';
import { runSql } from '../../../dev/clickhouse/run-sql';
import {
  createCatalog,
  type Catalog,
} from '../../../plugins/kibana-clickhouse/clickhouse/catalog/load-catalog';
import {
  createExecutor,
  type ClickHouseExecutor,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';

jest.setTimeout(60_000);

const columns = 'ts UInt64, host String';
const rows = (count: number): string =>
  `SELECT 1767225600000 + number * 10, toString(number % 3) FROM numbers(${String(count)})`;
const TABLES = `
CREATE TABLE hosts_first (${columns}) ENGINE = MergeTree ORDER BY (host, intHash64(ts)) SAMPLE BY intHash64(ts);
CREATE TABLE times_first (${columns}) ENGINE = MergeTree ORDER BY (ts, intHash64(ts)) SAMPLE BY intHash64(ts);
CREATE TABLE times_first_few (${columns}) ENGINE = MergeTree ORDER BY (ts, intHash64(ts)) SAMPLE BY intHash64(ts);
CREATE TABLE empty (${columns}) ENGINE = MergeTree ORDER BY (ts, intHash64(ts)) SAMPLE BY intHash64(ts);
INSERT INTO hosts_first ${rows(300_000)};
INSERT INTO times_first ${rows(300_000)};
INSERT INTO times_first_few ${rows(50_000)};
CREATE TABLE all_hosts_first AS hosts_first ENGINE = Distributed('pair', 'default', 'hosts_first');
CREATE TABLE all_times_first AS times_first ENGINE = Distributed('pair', 'default', 'times_first');
`;

let server: EmbeddedClickHouse;
let executor: ClickHouseExecutor;
let catalog: Catalog;

beforeAll(async () => {
  const nobody = await bindablePort();
  server = await startClickHouse({
    extraXml: `<remote_servers><pair><shard><replica><host>127.0.0.1</host><port>${String(nobody)}</port></replica></shard></pair></remote_servers>`,
  });
  await runSql(server.url, TABLES);
  executor = createExecutor({ url: server.url });
  catalog = createCatalog(executor, 'default');
});

afterAll(async () => {
  catalog.close();
  await executor.close();
  await server.close();
});

test.each([
  ['hosts_first', true],
  ['times_first', false],
  ['all_hosts_first', true],
  ['all_times_first', false],
  // too small to tell
  ['times_first_few', true],
  ['empty', true],
])('SAMPLE of %s reads less: %s', async (index, expected) => {
  const table = await catalog.table(index);
  expect(table?.samplingKey).toBe('intHash64(ts)');
  expect(table && (await catalog.sampleReadsLess(table))).toBe(expected);
});

test('it is asked once for a structure', async () => {
  const table = await catalog.table('times_first');
  if (!table) throw new Error('no table');
  expect(await catalog.sampleReadsLess(table)).toBe(false);
  await runSql(server.url, 'TRUNCATE TABLE times_first');
  expect(await catalog.sampleReadsLess(table)).toBe(false);
  expect(await catalog.sampleReadsLess({ ...table, sortingKey: 'another' })).toBe(true);
});
