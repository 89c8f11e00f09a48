import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type EmbeddedClickHouse, startClickHouse } from '../../dev/clickhouse/embedded';
import { connect, query, runSql } from '../../dev/clickhouse/run-sql';
import { sampleFolder } from '../datasets/samples';

jest.setTimeout(300_000);

const root = resolve(__dirname, '../..');

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function load(...args: readonly string[]): Outcome {
  const program = ['--import', 'tsx', 'dev/load/load.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    cwd: root,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

const mapping = {
  orders: {
    mappings: {
      properties: {
        at: { type: 'date' },
        when: { type: 'alias', path: 'at' },
        geo: { properties: { src: { type: 'keyword' }, place: { type: 'geo_point' } } },
        note: { type: 'text', fields: { keyword: { type: 'keyword' } } },
        items: { properties: { price: { type: 'double' } } },
        ip: { type: 'ip' },
        n: { type: 'long' },
      },
    },
  },
};

const documents = [
  {
    at: '2024-01-01T00:00:00.123Z',
    geo: { src: 'PL', place: { lat: 52.5, lon: 21 } },
    note: 'it\'s "quoted"\n',
    items: [{ price: 1.5 }, { price: 2 }],
    ip: '10.0.0.1',
    n: 1,
  },
  {
    at: '2024-01-02T00:00:00+01:00',
    geo: { src: 'DE' },
    items: { price: 3 },
    ip: '::1',
    n: 2,
    extra: true,
  },
];

describe('the loader of documents', () => {
  let server: EmbeddedClickHouse;
  let folder = '';
  const put = (name: string, content: string | Buffer): string => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const rowsOf = async (sql: string): Promise<readonly unknown[]> => {
    const client = connect({ url: server.url });
    try {
      const found = await client.query({
        query: sql,
        format: 'JSONCompactEachRow',
        clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
      });
      return await found.json();
    } finally {
      await client.close();
    }
  };
  const target = (): readonly string[] => ['--clickhouse', server.url];

  beforeAll(async () => {
    server = await startClickHouse();
    folder = mkdtempSync(join(tmpdir(), 'load-'));
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await server.close();
  });

  it('makes a table of a mapping and documents', async () => {
    const { orders } = mapping;
    const files = [
      ...['--mapping', put('orders.mapping.json', JSON.stringify(orders))],
      ...['--documents', put('orders.ndjson.gz', gzipSync(lines(documents)))],
    ];
    const loaded = load(...files, ...target(), '--order-by', 'at');
    expect(loaded).toEqual({ code: 0, stdout: 'orders: 2 rows\n', stderr: '' });
    const columns = await rowsOf(
      "SELECT name, type FROM system.columns WHERE table = 'orders' ORDER BY position",
    );
    expect(columns.map((column) => (column as readonly string[]).join(' '))).toEqual([
      'line UInt32',
      "at DateTime64(3, 'UTC')",
      "when DateTime64(3, 'UTC')",
      'geo.src LowCardinality(String)',
      'geo.place Array(Tuple(lat Float64, lon Float64))',
      'note Nullable(String)',
      'items.price Array(Float64)',
      'ip IPv6',
      'n Int64',
      'extra Nullable(Bool)',
    ]);
    expect(await rowsOf('SELECT * EXCEPT when FROM orders ORDER BY line')).toEqual([
      [
        0,
        '2024-01-01 00:00:00.123',
        'PL',
        [{ lat: 52.5, lon: 21 }],
        'it\'s "quoted"\n',
        [1.5, 2],
        '::ffff:10.0.0.1',
        1,
        null,
      ],
      [1, '2024-01-01 23:00:00.000', 'DE', [], null, [3], '::1', 2, true],
    ]);
    const again = load(...files, ...target());
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toContain('already exists');
    const named = load(...files, ...target(), '--table', 'other');
    expect(named.stdout).toBe('other: 2 rows\n');
  });

  it('says what is missing and what it cannot load', async () => {
    expect(load().code).toBe(2);
    expect(load('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: ') as string,
    });
    const bad = put(
      'bad.mapping.json',
      JSON.stringify({ properties: { a: { type: 'histogram' } } }),
    );
    const file = put('bad.ndjson', '{"a": 1}\n');
    const unknown = load('--mapping', bad, '--documents', file, ...target());
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      '[a]: no ClickHouse type for [histogram]\n',
    ]);
    const noObject = put('list.ndjson', '[1]\n');
    const good = put('good.mapping.json', JSON.stringify({ properties: { a: { type: 'long' } } }));
    const list = load('--mapping', good, '--documents', noObject, ...target());
    expect([list.code, list.stderr]).toEqual([1, `${noObject}, line 1: a document is an object\n`]);
    expect(
      await query(server.url, "SELECT count() FROM system.tables WHERE name = 'list'"),
    ).toMatch(/^0/);
    await runSql(server.url, 'DROP TABLE IF EXISTS list');
  });

  const samples = sampleFolder();
  if (samples === undefined)
    process.stdout.write('Skipped: loading real documents (SAMPLE_DATA names no folder)\n');

  (samples === undefined ? it.skip : it)('loads the sample documents', async () => {
    const counts = { logs: 14_074, flights: 13_059, ecommerce: 4_675 };
    for (const [name, count] of Object.entries(counts)) {
      const file = join(samples ?? '', name);
      const loaded = load(
        ...['--mapping', `${file}.mapping.json`, '--documents', `${file}.ndjson.gz`],
        ...target(),
        ...['--order-by', name === 'ecommerce' ? 'order_date' : 'timestamp'],
      );
      expect(loaded).toEqual({ code: 0, stdout: `${name}: ${String(count)} rows\n`, stderr: '' });
    }
    const prices = await query(
      server.url,
      'SELECT countIf(length(`products.price`) > 1), countIf(length(`products.price`) != length(`products.sku`)) FROM ecommerce',
    );
    expect(prices.trim().split('\t').map(Number)).toEqual([expect.any(Number), 0]);
    expect(Number(prices.split('\t')[0])).toBeGreaterThan(1000);
  });
});

const lines = (all: readonly object[]): string =>
  all.map((one) => `${JSON.stringify(one)}\n`).join('');
