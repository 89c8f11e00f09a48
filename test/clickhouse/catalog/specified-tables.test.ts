import { startClickHouse } from '../../../dev/clickhouse/embedded';
import { bindablePort } from '../../../dev/clickhouse/free-port';
import { runSql } from '../../../dev/clickhouse/run-sql';
import {
  type Catalog,
  createCatalog,
} from '../../../plugins/kibana-clickhouse/clickhouse/catalog/load-catalog';
import {
  type ClickHouseExecutor,
  createExecutor,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import { responseText } from '../../../plugins/kibana-clickhouse/search/response/write-response';
import { runSearch } from '../../../plugins/kibana-clickhouse/search/run-search';
import { execution } from '../search/indexed-tables';

/* Tables as the specification has them: local and Distributed, epoch ms, host first, SAMPLE BY, the helper text column. */

const columns = `
  \`@timestamp\` UInt64,
  http_host String,
  request_time Float64,
  ck_assembly_extension String`;
const local = (place: string): string => `
  CREATE TABLE ${place} (${columns}, INDEX timestamp_index \`@timestamp\` TYPE minmax GRANULARITY 8192) ENGINE = MergeTree
  PARTITION BY (toYYYYMMDD(toDateTime(\`@timestamp\` / 1000, 'Asia/Shanghai')), toHour(toDateTime(\`@timestamp\` / 1000, 'Asia/Shanghai')))
  ORDER BY (http_host, intHash64(\`@timestamp\`)) SAMPLE BY intHash64(\`@timestamp\`);`;

/** Both shards are databases of the one server. */
const clusterXml = (port: number): string => {
  const shards = ['a', 'b'].map(
    (database) =>
      `<shard><replica><default_database>${database}</default_database><host>127.0.0.1</host><port>${String(port)}</port></replica></shard>`,
  );
  return `<remote_servers><clickhouse_cluster>${shards.join('')}</clickhouse_cluster></remote_servers>`;
};

const start = Date.UTC(2024, 4, 14, 22, 0);
const extensions = [
  { user: { name: 'Jane Doe', id: 17 }, level: 'warn', retries: 3, ok: true, ratio: 1 },
  { level: 'info', retries: 0, ok: false, ratio: 0.5, tags: ['a', 'b'], 'trace.id': 'abc' },
  { user: { name: 'John' }, level: 'warn', tags: 'c', mixed: 1 },
  { mixed: 'one', deep: { er: { x: 1 } }, http_host: 'not this one' },
  {},
  undefined,
] as const;
const rowOf = (i: number): JsonObject => {
  const extension = extensions[i];
  return {
    '@timestamp': start + i * 600_000,
    http_host: `host-${String(i % 2)}`,
    request_time: i / 4,
    ck_assembly_extension: extension === undefined ? '' : JSON.stringify(extension),
  };
};
const insert = (place: string, rows: readonly number[]): string =>
  `INSERT INTO ${place} FORMAT JSONEachRow ${rows.map((i) => JSON.stringify(rowOf(i))).join('\n')};`;

let close: () => Promise<void>;
let executor: ClickHouseExecutor;
let catalog: Catalog;

beforeAll(async () => {
  const tcp = await bindablePort();
  const server = await startClickHouse({ tcp, extraXml: clusterXml(tcp) });
  const script = [
    'CREATE DATABASE a;',
    'CREATE DATABASE b;',
    ...['a.table_local', 'b.table_local', 'default.table_local'].map(local),
    `CREATE TABLE table_all AS table_local ENGINE = Distributed('clickhouse_cluster', '', 'table_local', rand());`,
    insert('a.table_local', [0, 2, 4]),
    insert('b.table_local', [1, 3, 5]),
    insert('default.table_local', [0, 1, 2, 3, 4, 5]),
  ];
  await runSql(server.url, script.join('\n'));
  executor = createExecutor({ url: server.url });
  catalog = createCatalog(executor, 'default');
  close = async () => {
    catalog.close();
    await executor.close();
    await server.close();
  };
}, 60_000);
afterAll(() => close());

async function answer(index: string, body: JsonObject): Promise<JsonObject> {
  const table = await catalog.table(index);
  if (table === undefined) throw new Error(`no table ${index}`);
  const request = parseSearchRequest({ body, parameters: new Map() });
  const now = start + 86_400_000;
  const search = { table, executor, execution, now, indexName: 'the_index' };
  const found = parseJson(await responseText(await runSearch(request, search))) as JsonObject;
  return { ...found, took: 0 };
}

/** What the local and the Distributed table both answer. */
async function both(body: JsonObject): Promise<JsonObject> {
  const [one, all] = await Promise.all([answer('table_local', body), answer('table_all', body)]);
  expect(all).toEqual(one);
  return all;
}

const times = async (query: JsonObject): Promise<readonly JsonValue[]> => {
  const { hits } = await both({ query, sort: [{ '@timestamp': 'asc' }], _source: ['@timestamp'] });
  return (hits as unknown as { hits: { _source: { '@timestamp': number } }[] }).hits.map(
    ({ _source }) => (_source['@timestamp'] - start) / 600_000,
  );
};

test('the fields inside of the helper column are fields of the table', async () => {
  for (const index of ['table_local', 'table_all']) {
    const table = await catalog.table(index);
    expect(table?.timeField).toBe('@timestamp');
    expect([...(table?.fields.values() ?? [])].map(({ name, type }) => `${name} ${type}`)).toEqual([
      '@timestamp date',
      'http_host text',
      'http_host.keyword keyword',
      'request_time double',
      'ck_assembly_extension text',
      'ck_assembly_extension.keyword keyword',
      'deep object',
      'deep.er keyword',
      'level text',
      'level.keyword keyword',
      'mixed text',
      'mixed.keyword keyword',
      'ok boolean',
      'ratio double',
      'retries long',
      'tags text',
      'tags.keyword keyword',
      'trace object',
      'trace.id text',
      'trace.id.keyword keyword',
      'user object',
      'user.id long',
      'user.name text',
      'user.name.keyword keyword',
    ]);
  }
});

test.each<[JsonObject, readonly number[]]>([
  [{ term: { 'level.keyword': 'warn' } }, [0, 2]],
  [{ match: { 'user.name': 'doe' } }, [0]],
  [{ range: { retries: { gte: 1 } } }, [0]],
  [{ range: { ratio: { lt: 1 } } }, [1]],
  [{ term: { ok: false } }, [1]],
  [{ term: { 'user.id': 17 } }, [0]],
  [{ term: { 'tags.keyword': 'c' } }, [2]],
  [{ term: { 'tags.keyword': 'b' } }, [1]],
  [{ term: { 'trace.id.keyword': 'abc' } }, [1]],
  [{ term: { 'mixed.keyword': '1' } }, [2]],
  [{ exists: { field: 'user' } }, [0, 2]],
  [{ bool: { must_not: [{ exists: { field: 'level' } }] } }, [3, 4, 5]],
  [{ term: { http_host: 'not this one' } }, []],
  [{ query_string: { query: 'level:warn AND retries:>2' } }, [0]],
  [{ term: { 'never.seen': 'x' } }, []],
  [{ exists: { field: 'never_seen' } }, []],
  [
    { range: { '@timestamp': { gte: '2024-05-14T22:10:00Z', lt: '2024-05-14T22:40:00Z' } } },
    [1, 2, 3],
  ],
  [{ range: { '@timestamp': { gt: start, lte: start + 600_000 } } }, [1]],
])('%j finds %j', async (query, found) => {
  expect(await times(query)).toEqual(found);
});

test('what a dashboard asks', async () => {
  const { aggregations } = await both({
    size: 0,
    query: { range: { '@timestamp': { gte: start, lte: start + 86_400_000 } } },
    aggs: {
      time: { date_histogram: { field: '@timestamp', fixed_interval: '30m' } },
      levels: {
        terms: { field: 'level.keyword' },
        aggs: { retries: { avg: { field: 'retries' } }, hosts: { terms: { field: 'http_host' } } },
      },
      p: { percentiles: { field: 'request_time', percents: [50] } },
    },
  });
  expect(aggregations).toMatchObject({
    time: { buckets: [{ doc_count: 3 }, { doc_count: 3 }] },
    levels: {
      buckets: [
        { key: 'warn', doc_count: 2, retries: { value: 3 } },
        { key: 'info', doc_count: 1, retries: { value: 0 } },
      ],
    },
    p: { values: { '50.0': 0.625 } },
  });
});

test('what Discover asks', async () => {
  const { hits } = await both({
    size: 500,
    sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'boolean' } }],
    fields: [{ field: '*', include_unmapped: 'true' }],
    stored_fields: ['*'],
    _source: false,
    track_total_hits: true,
    query: { bool: { filter: [{ match_phrase: { level: 'WARN' } }] } },
  });
  expect(hits).toMatchObject({
    total: { value: 2 },
    hits: [
      { fields: { '@timestamp': ['2024-05-14T22:20:00.000Z'], tags: ['c'], mixed: ['1'] } },
      {
        fields: {
          '@timestamp': ['2024-05-14T22:00:00.000Z'],
          'user.name': ['Jane Doe'],
          ok: [true],
        },
      },
    ],
  });
});

test.each<[JsonObject, string]>([
  [{ query: { term: { 'deep.er': 1 } } }, 'an object inside of the column [ck_assembly_extension]'],
  [{ query: { range: { never_seen: { gte: 1 } } } }, 'type of its values is not known'],
])('%j is refused', async (body, reason) => {
  await expect(answer('table_all', body)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(reason) as string,
  });
});
