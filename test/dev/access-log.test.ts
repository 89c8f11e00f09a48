import { type EmbeddedClickHouse, startClickHouse } from '../../dev/clickhouse/embedded';
import { query, runSql } from '../../dev/clickhouse/run-sql';
import { loadAccessLog } from '../../dev/demo/access-log';
import { trafficSpan, warp } from '../../dev/demo/traffic';

jest.setTimeout(60_000);

const now = Date.UTC(2026, 5, 17, 9, 30);
const dayMs = 86_400_000;

describe('the demo table', () => {
  let server: EmbeddedClickHouse;
  const ask = (sql: string): Promise<string> => query(server.url, sql);
  const progress: (readonly number[])[] = [];

  beforeAll(async () => {
    server = await startClickHouse();
    await loadAccessLog(
      { url: server.url },
      { rows: 150_000, now, onProgress: (...step) => progress.push(step) },
    );
  });
  afterAll(() => server.close());

  it('has the columns of a web access log', async () => {
    const columns = await ask(
      "SELECT name, type FROM system.columns WHERE table = 'access_log' ORDER BY position",
    );
    expect(columns.split('\n').map((line) => line.split('\t'))).toEqual([
      ['@timestamp', 'DateTime64(3)'],
      ['host', 'LowCardinality(String)'],
      ['method', 'LowCardinality(String)'],
      ['path', 'String'],
      ['status', 'UInt16'],
      ['bytes', 'UInt64'],
      ['latency_ms', 'Float64'],
      ['client_ip', 'IPv4'],
      ['user_agent', 'LowCardinality(String)'],
      ['referer', 'Nullable(String)'],
      ['message', 'String'],
      ['tags', 'Array(String)'],
      ['labels', 'Map(String, String)'],
      ['price', 'Decimal(10, 2)'],
      ['cached', 'Bool'],
    ]);
  });

  it('has the rows asked for, over the seven days before now', async () => {
    expect(await ask('SELECT count() FROM access_log')).toBe('150000');
    const [first, last] = (
      await ask(
        'SELECT toUnixTimestamp64Milli(min("@timestamp")), toUnixTimestamp64Milli(max("@timestamp")) FROM access_log',
      )
    )
      .split('\t')
      .map(Number);
    expect(first).toBeGreaterThanOrEqual(now - 7 * dayMs);
    expect(first).toBeLessThan(now - 7 * dayMs + 600_000);
    expect(last).toBeLessThanOrEqual(now);
    expect(last).toBeGreaterThan(now - 600_000);
    expect(progress).toEqual([
      [100_000, 150_000],
      [150_000, 150_000],
    ]);
  });

  it('has missing values, empty lists, missing keys and letters beyond ASCII', async () => {
    const kinds = await ask(`SELECT countIf(referer IS NULL) > 0, countIf(referer IS NOT NULL) > 0,
      countIf(empty(tags)) > 0, countIf(length(tags) > 1) > 0,
      countIf(NOT mapContains(labels, 'region')) > 0, countIf(empty(labels)) > 0,
      countIf(price > 0) > 0, uniq(cached) = 2, countIf(path LIKE '%é%') > 0, uniq(status) = 10
      FROM access_log`);
    expect(kinds.split('\t')).toEqual(Array(10).fill('1'));
  });

  it('is busier by day than by night', async () => {
    const [day, night] = (
      await ask(`SELECT countIf(toHour("@timestamp", 'UTC') BETWEEN 12 AND 15),
        countIf(toHour("@timestamp", 'UTC') BETWEEN 0 AND 3) FROM access_log`)
    )
      .split('\t')
      .map(Number);
    expect((day ?? 0) / (night ?? 1)).toBeGreaterThan(1.5);
  });

  it('is the same for the same seed and another for another', async () => {
    const sum = async (database: string, seed: number): Promise<string> => {
      await runSql(server.url, `CREATE DATABASE ${database}`);
      await loadAccessLog({ url: server.url, database }, { rows: 1000, now, seed });
      return ask(`SELECT groupBitXor(cityHash64(*)) FROM ${database}.access_log`);
    };
    const first = await sum('a', 5);
    expect(await sum('b', 5)).toBe(first);
    expect(await sum('c', 6)).not.toBe(first);
  });

  it('is not loaded over a table that is there, and an interrupted load leaves no such table', async () => {
    expect(await loadAccessLog({ url: server.url }, { rows: 10 })).toEqual({
      loaded: false,
      rows: 150_000,
    });
    await runSql(server.url, 'CREATE DATABASE broken');
    const broken = { url: server.url, database: 'broken' };
    const stop = (): void => {
      throw new Error('interrupted');
    };
    await expect(loadAccessLog(broken, { rows: 10, onProgress: stop })).rejects.toThrow(
      'interrupted',
    );
    expect(await ask('EXISTS TABLE broken.access_log')).toBe('0');
    expect(await loadAccessLog(broken, { rows: 10 })).toEqual({ loaded: true, rows: 10 });
  });
});

describe('trafficSpan', () => {
  it('warps to exactly the seven days', () => {
    const span = trafficSpan(now);
    expect(Math.abs(warp(span.evenFrom) - (now - 7 * dayMs))).toBeLessThan(3);
    expect(Math.abs(warp(span.evenTo) - now)).toBeLessThan(3);
  });
});
