import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { type EmbeddedClickHouse, startClickHouse } from '../../../dev/clickhouse/embedded';
import {
  type Catalog,
  createCatalog,
} from '../../../plugins/kibana-clickhouse/clickhouse/catalog/load-catalog';
import {
  type ClickHouseExecutor,
  createExecutor,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';
import {
  type CompiledStatement,
  compileSelect,
} from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import { planSearch, statementsOf } from '../../../plugins/kibana-clickhouse/search/run-search';

/*
 * What ClickHouse reads of a table for the statements of a search, as EXPLAIN tells: a time range leaves out parts, an equal
 * value and a range leave out granules, whatever the type of the column.
 */

let server: EmbeddedClickHouse;
let client: ClickHouseClient;
let executor: ClickHouseExecutor;
let catalog: Catalog;

beforeAll(async () => {
  server = await startClickHouse();
  client = createClient({ url: server.url });
  executor = createExecutor({ url: server.url });
  catalog = createCatalog(executor, 'default');
});
afterAll(async () => {
  catalog.close();
  await Promise.all([executor.close(), client.close()]);
  await server.close();
});

interface Read {
  readonly parts: number;
  readonly granules: number;
}

/** Parts and granules that are read, of how many. */
async function readBy(
  index: string,
  query: JsonObject,
  tables: Catalog = catalog,
): Promise<{ read: Read; of: Read }> {
  const table = await tables.table(index);
  if (table === undefined) throw new Error(`no table ${index}`);
  const request = parseSearchRequest({
    body: { query, size: 0, track_total_hits: true, aggs: { n: { sum: { field: 'n' } } } },
    parameters: new Map(),
  });
  const [statement] = statementsOf(planSearch(request, { table, now: Date.UTC(2024, 6, 1) }));
  if (statement === undefined) throw new Error('no statement');
  return explain(compileSelect(statement));
}

async function explain({ sql, parameters }: CompiledStatement): Promise<{ read: Read; of: Read }> {
  const result = await client.query({
    query: `EXPLAIN indexes = 1 ${sql}`,
    query_params: { ...parameters },
    format: 'JSONCompactEachRow',
  });
  const lines = (await result.json<[string]>()).map(([line]) => line).join('\n');
  const shares = (name: string): readonly (readonly [number, number])[] =>
    [...lines.matchAll(new RegExp(`${name}: (\\d+)/(\\d+)`, 'g'))].map(([, read, of]) => [
      Number(read),
      Number(of),
    ]);
  const none = [0, 0] as const;
  const [parts, granules] = [shares('Parts'), shares('Granules')];
  const [first = none, last = none] = [parts[0], parts.at(-1)];
  if (first === none) throw new Error(`no index is used:\n${sql}\n${lines}`);
  const [all = none, left = none] = [granules[0], granules.at(-1)];
  return {
    read: { parts: last[0], granules: left[0] },
    of: { parts: first[1], granules: all[1] },
  };
}

const run = async (query: string): Promise<void> => {
  await client.command({ query });
};

const rows = 100_000;
const granule = 1000;
const settings = `SETTINGS index_granularity = ${String(granule)}, allow_nullable_key = 1, add_minmax_index_for_numeric_columns = 0`;

/** Tables are made once for a type. */
let made = 0;
const newName = (): string => `t${String((made += 1))}`;

describe('an equal value leaves out granules', () => {
  test.each<[string, string, JsonValue, string?]>([
    ['String', `concat('key-', leftPad(toString(number), 6, '0'))`, 'key-050000', 'k.keyword'],
    [
      'Nullable(String)',
      `concat('key-', leftPad(toString(number), 6, '0'))`,
      'key-050000',
      'k.keyword',
    ],
    [
      'LowCardinality(String)',
      `concat('key-', leftPad(toString(intDiv(number, 1000)), 6, '0'))`,
      'key-000050',
    ],
    [
      'LowCardinality(Nullable(String))',
      `concat('key-', leftPad(toString(intDiv(number, 1000)), 6, '0'))`,
      'key-000050',
    ],
    ['FixedString(8)', `leftPad(toString(number), 8, '0')`, '00050000'],
    ['FixedString(12)', `leftPad(toString(number), 8, '0')`, '00050000'],
    ['UInt8', 'intDiv(number, 1000)', 50],
    ['UInt16', 'intDiv(number, 10)', 5000],
    ['UInt32', 'number', 50_000],
    ['UInt64', 'number', '50000'],
    ['UInt128', 'number', 50_000],
    ['UInt256', 'number', 50_000],
    ['Int8', 'intDiv(number, 1000)', 50],
    ['Int16', 'intDiv(number, 10)', 5000],
    ['Int32', 'number', 50_000],
    ['Int64', 'number', 50_000],
    ['Nullable(Int64)', 'number', 50_000],
    ['Int128', 'number', 50_000],
    ['Int256', 'number', 50_000],
    ['Float32', 'number', 50_000],
    ['Float64', 'number / 4', 12_500.25],
    ['Decimal(18, 4)', 'number / 4', 12_500.25],
    ['Decimal(50, 4)', 'number / 4', 12_500.25],
    ['Bool', 'number >= 50000', true],
    [
      'UUID',
      `toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(number), 12, '0')))`,
      '00000000-0000-4000-8000-000000050000',
    ],
    ['IPv4', 'toIPv4(toUInt32(167772160 + number))', '10.0.195.80'],
    ['IPv4', 'toIPv4(toUInt32(167772160 + number))', '10.0.195.0/24'],
    [
      'IPv6',
      `toIPv6(concat('2001:db8::', toString(intDiv(number, 65536)), ':', leftPad(lower(hex(toUInt16(number % 65536))), 4, '0')))`,
      '2001:db8::0:c350',
    ],
    ['IPv6', `toIPv6(toIPv4(toUInt32(167772160 + number)))`, '10.0.195.0/24'],
    ["Enum8('a' = 1, 'b' = 2, 'c' = 3, 'd' = 4)", 'intDiv(number, 25000) + 1', 'b'],
    [
      "Nullable(Enum16('a' = 1, 'b' = 200, 'c' = 300, 'd' = 400))",
      `['a', 'b', 'c', 'd'][intDiv(number, 25000) + 1]`,
      'b',
    ],
    ['Date', `toDate('2000-01-01') + intDiv(number, 10)`, '2013-09-09'],
    ['Date32', `toDate32('2000-01-01') + intDiv(number, 10)`, '2013-09-09'],
    ['DateTime', `toDateTime('2024-01-01 00:00:00') + number`, '2024-01-01T13:53:20Z'],
    [
      'DateTime64(3)',
      `toDateTime64('2024-01-01 00:00:00', 3) + number`,
      '2024-01-01T13:53:20.000Z',
    ],
    [
      'DateTime64(9)',
      `toDateTime64('2024-01-01 00:00:00', 9) + number`,
      '2024-01-01T13:53:20.000000000Z',
    ],
  ])('%s %s', async (type, value, wanted, field = 'k') => {
    const name = newName();
    await run(
      `CREATE TABLE ${name} (n UInt32, k ${type}) ENGINE = MergeTree ORDER BY k ${settings}`,
    );
    await run(`INSERT INTO ${name} SELECT number, ${value} FROM numbers(${String(rows)})`);
    for (const query of [{ term: { [field]: wanted } }, { terms: { [field]: [wanted] } }]) {
      const { read, of } = await readBy(name, query);
      expect(of.granules).toBeGreaterThanOrEqual(rows / granule);
      expect(read.granules).toBeGreaterThan(0);
      expect(read.granules).toBeLessThan(of.granules * 0.6);
    }
  });
});

const second = 1_704_067_200;

describe('a time range leaves out parts and granules', () => {
  test.each<[string, string, string]>([
    ['DateTime', `toDateTime(${String(second)} + number * 60)`, 'toDate(at)'],
    ["DateTime('Asia/Tokyo')", `toDateTime(${String(second)} + number * 60)`, 'toDate(at)'],
    ['Nullable(DateTime)', `toDateTime(${String(second)} + number * 60)`, 'toDate(at)'],
    [
      'DateTime64(3)',
      `fromUnixTimestamp64Milli(toInt64((${String(second)} + number * 60) * 1000))`,
      'toYYYYMM(at)',
    ],
    [
      "Nullable(DateTime64(3, 'UTC'))",
      `fromUnixTimestamp64Milli(toInt64((${String(second)} + number * 60) * 1000))`,
      'toYYYYMM(at)',
    ],
    [
      'DateTime64(6)',
      `fromUnixTimestamp64Milli(toInt64((${String(second)} + number * 60) * 1000))`,
      'toStartOfDay(at)',
    ],
    [
      'DateTime64(9)',
      `fromUnixTimestamp64Milli(toInt64((${String(second)} + number * 60) * 1000))`,
      'toDate(at)',
    ],
    ['Date', `toDate('2024-01-01') + intDiv(number, 1440)`, 'toYYYYMM(at)'],
    ['Date32', `toDate32('2024-01-01') + intDiv(number, 1440)`, 'toYYYYMM(at)'],
    ['UInt32', `${String(second)} + number * 60`, 'toDate(toDateTime(at))'],
    ['Int32', `${String(second)} + number * 60`, 'intDiv(at, 86400)'],
    [
      'UInt64',
      `(${String(second)} + number * 60) * 1000`,
      `toYYYYMMDD(toDateTime(at / 1000, 'Asia/Shanghai'))`,
    ],
    ['UInt64', `(${String(second)} + number * 60) * 1000`, 'toDate(intDiv(at, 1000))'],
    ['Nullable(UInt64)', `(${String(second)} + number * 60) * 1000`, 'intDiv(at, 86400000)'],
    ['Int64', `(${String(second)} + number * 60) * 1000000`, 'intDiv(at, 86400000000)'],
    ['UInt64', `(${String(second)} + number * 60) * 1000000000`, 'intDiv(at, 86400000000000)'],
  ])('%s %s by %s', async (type, value, partition) => {
    const name = newName();
    const columns = partition.replaceAll(/\bat\b/g, 'at_time');
    await run(
      `CREATE TABLE ${name} (n UInt32, host UInt8, at_time ${type}) ENGINE = MergeTree PARTITION BY ${columns} ORDER BY (at_time) ${settings}`,
    );
    await run(
      `INSERT INTO ${name} SELECT number, number % 3, ${value} FROM numbers(${String(rows)}) SETTINGS max_partitions_per_insert_block = 1000`,
    );
    for (const range of [
      { gte: '2024-01-10T00:00:00.000Z', lt: '2024-01-12T00:00:00.000Z' },
      { gte: 1_704_844_800_000, lte: 1_705_017_600_000, format: 'epoch_millis' },
    ]) {
      const { read, of } = await readBy(name, { range: { at_time: range } });
      expect(of.parts).toBeGreaterThanOrEqual(3);
      expect(read.parts).toBeGreaterThan(0);
      expect(read.parts).toBeLessThan(of.parts * 0.7);
      expect(read.granules).toBeLessThan(of.granules * 0.2);
    }
  });
});

test('a range of numbers leaves out granules', async () => {
  for (const type of ['Int32', 'UInt64', 'Int128', 'UInt256', 'Float64', 'Decimal(18, 4)']) {
    const name = newName();
    await run(
      `CREATE TABLE ${name} (n UInt32, k ${type}) ENGINE = MergeTree ORDER BY k ${settings}`,
    );
    await run(`INSERT INTO ${name} SELECT number, number FROM numbers(${String(rows)})`);
    const { read, of } = await readBy(name, { range: { k: { gte: 20_000, lt: 30_000 } } });
    expect({ type, granules: read.granules < of.granules * 0.2 }).toEqual({ type, granules: true });
  }
});

test('the key of a declared JSON path leaves out granules', async () => {
  const name = newName();
  await run(
    `CREATE TABLE ${name} (n UInt32, j JSON(host String, at DateTime64(3))) ENGINE = MergeTree ORDER BY (j.host, j.at) ${settings}`,
  );
  await run(
    `INSERT INTO ${name} SELECT number, toJSONString(map('host', leftPad(toString(intDiv(number, 1000)), 4, '0'), 'at', toString(toDateTime64('2024-01-01 00:00:00', 3) + number))) FROM numbers(${String(rows)})`,
  );
  const { read, of } = await readBy(name, { term: { 'j.host.keyword': '0050' } });
  expect(read.granules).toBeLessThan(of.granules * 0.1);
});

test('an equal value leaves out granules where the empty string is no value', async () => {
  const name = newName();
  await run(
    `CREATE TABLE ${name} (n UInt32, k LowCardinality(String)) ENGINE = MergeTree ORDER BY k ${settings}`,
  );
  await run(
    `INSERT INTO ${name} SELECT number, toString(intDiv(number, 1000)) FROM numbers(${String(rows)})`,
  );
  const tables = createCatalog(executor, 'default', () => ({ emptyIsMissing: true }));
  for (const query of [{ term: { k: '50' } }, { terms: { k: ['50', '51'] } }]) {
    const { read, of } = await readBy(name, query, tables);
    expect(read.granules).toBeLessThan(of.granules * 0.1);
  }
  tables.close();
});

test('an index of the keys and values of a Map leaves out granules', async () => {
  const name = newName();
  await run(
    `CREATE TABLE ${name} (n UInt32, m Map(LowCardinality(String), String),
      INDEX map_keys mapKeys(m) TYPE bloom_filter(0.01) GRANULARITY 1, INDEX map_values mapValues(m) TYPE bloom_filter(0.01) GRANULARITY 1)
      ENGINE = MergeTree ORDER BY n ${settings}`,
  );
  await run(
    `INSERT INTO ${name} SELECT number, map('k', concat('v', toString(number)), concat('x', toString(intDiv(number, 1000))), 'y') FROM numbers(${String(rows)})`,
  );
  for (const query of [
    { term: { 'm.k.keyword': 'v500' } },
    { terms: { 'm.k.keyword': ['v500', 'v501'] } },
    { match_phrase: { 'm.x5.keyword': 'y' } },
    { exists: { field: 'm.x5' } },
  ]) {
    const { read, of } = await readBy(name, query);
    expect({ query, granules: read.granules < of.granules * 0.1 }).toEqual({
      query,
      granules: true,
    });
  }
});
