import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { runSql } from '../../dev/clickhouse/run-sql';
import type { Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { admin, bothRoles, update } from './admin';
import { ask, closeClient, type Answer } from './client';
import { doorTo, type Door } from './door';
import {
  answerProcessOf,
  eventually,
  pluginConfig,
  reader,
  startProduct,
  startTables,
} from './product';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(180_000);

const SECRET_KEY = 'a key that nobody is told, of 32 and more characters';

let clickHouse: EmbeddedClickHouse;
let door: Door;
let upstream: Upstream;
let gateway: Gateway;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  await runSql(
    clickHouse.url,
    `CREATE DATABASE other;
     CREATE TABLE other.logs ("@timestamp" DateTime64(3), second_time DateTime, host String) ENGINE = MergeTree ORDER BY cityHash64(host) SAMPLE BY cityHash64(host);
     INSERT INTO other.logs VALUES ('2026-01-01 00:00:00', '2026-01-01 00:00:00', 'only');`,
  );
  door = await doorTo(clickHouse.url);
  gateway = await startProduct(
    bothRoles(
      `http://127.0.0.1:${String(upstream.port)}`,
      pluginConfig(door.url, { state_file: join(folder, 'settings.json'), secret_key: SECRET_KEY }),
    ),
  );
});

afterAll(async () => {
  closeClient();
  await gateway.close();
  await Promise.all([upstream.close(), door.close()]);
  await clickHouse.close();
  rmSync(folder, { recursive: true });
});

const search = (index: string): Promise<Answer> =>
  ask(gateway.url, `/${index}/_search?size=0&track_total_hits=true`);
const isOurs = async (index: string): Promise<boolean> =>
  (await search(index)).headers['x-elastic-product'] !== undefined;

const totalOf = async (index: string): Promise<unknown> => {
  const { hits } = (await search(index)).json() as {
    readonly hits?: { readonly total: { readonly value: number } };
  };
  return hits?.total.value;
};

const healthOf = async (): Promise<Readonly<Record<string, unknown>>> =>
  (await admin(gateway, '/health')).json();

const ck = (over: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  update(gateway, 'updateCk', {
    url: door.url,
    user: reader.name,
    pass: reader.password,
    defaultCkDatabase: 'default',
    ...over,
  });

describe('the lists', () => {
  it('a change of the whitelist acts on the very next request, again and again', async () => {
    for (let i = 0; i < 20; i++) {
      await update(gateway, 'updateWhiteIndexList', { list: 'logs' });
      expect(await isOurs('wide')).toBe(false);
      await update(gateway, 'updateWhiteIndexList', { list: 'logs,wide' });
      expect(await isOurs('wide')).toBe(true);
    }
  });

  it('so does one of the blacklist', async () => {
    await update(gateway, 'updateBlackIndexList', { list: 'logs' });
    expect(await isOurs('logs')).toBe(false);
    await update(gateway, 'updateBlackIndexList', { list: '' });
    expect(await isOurs('logs')).toBe(true);
  });

  it('outlive the answer process: no request is decided by kong.yml in between', async () => {
    await update(gateway, 'updateWhiteIndexList', { list: 'logs' });
    process.kill(answerProcessOf(gateway.pluginServerPid()) ?? 0, 'SIGKILL');
    for (let i = 0; i < 50; i++)
      expect((await search('wide')).headers['x-elastic-product']).toBeUndefined();
    expect(await eventually(() => isOurs('logs'))).toBe(true);
    expect(await isOurs('wide')).toBe(false);
    await update(gateway, 'updateWhiteIndexList', { list: 'logs,slow,wide,absent' });
  });
});

describe('the ClickHouse connection', () => {
  it('follows its settings, once the new one answers', async () => {
    expect(await totalOf('logs')).toBe(600);
    await ck({ defaultCkDatabase: 'other' });
    expect(await eventually(async () => (await totalOf('logs')) === 1)).toBe(true);
    await ck();
    expect(await eventually(async () => (await totalOf('logs')) === 600)).toBe(true);
  });

  it.each([
    ['an address that refuses', { url: '127.0.0.1:1' }],
    ['a wrong password', { pass: 'wrong-and-secret' }],
  ])('%s: the old one is kept, and /health says so', async (_what, over) => {
    await ck(over);
    expect(await eventually(async () => (await healthOf())['status'] === 'degraded')).toBe(true);
    expect(await totalOf('logs')).toBe(600);
    const health = await admin(gateway, '/health');
    expect(health.status).toBe(200);
    expect(health.json()['problems']).toEqual([
      expect.stringMatching(/^clickhouse: the address of the settings is not in use, because /),
    ]);
    expect(health.text).not.toContain('wrong-and-secret');
    expect(health.text).not.toContain('127.0.0.1');
    await ck();
    expect(await eventually(async () => (await healthOf())['status'] === 'up')).toBe(true);
  });

  it('requests under way are not cut off when it changes', async () => {
    const running = ask(gateway.url, '/wide/_search', {
      method: 'POST',
      body: { size: 10_000, sort: ['@timestamp'] },
    });
    await ck({ defaultCkDatabase: 'other' });
    expect(((await running).json()['hits'] as { hits: unknown[] }).hits).toHaveLength(10_000);
    expect(await eventually(async () => (await totalOf('logs')) === 1)).toBe(true);
    await ck();
    expect(await eventually(async () => (await totalOf('logs')) === 600)).toBe(true);
  });
});

describe('spellings of CKibana', () => {
  const found = async (query: string): Promise<unknown> => {
    const path = `/logs/_search?size=0&track_total_hits=true&q=${encodeURIComponent(query)}`;
    const { hits } = (await ask(gateway.url, path)).json() as {
      readonly hits: { readonly total: { readonly value: number } };
    };
    return hits.total.value;
  };

  it('are understood as soon as the settings say so, and for one table otherwise', async () => {
    const set = async (body: JsonObject): Promise<void> => {
      expect((await admin(gateway, '/config/all', body)).status).toBe(200);
    };
    const hosts = await found('host:*');
    expect(await found('host.caseIgnore:E')).toBe(0);
    await set({ proxy: { ckibanaSyntax: true } });
    expect(await found('host.caseIgnore.keyword:WEB-1')).toBe(await found('host.keyword:web-1'));
    expect(await found('host:"%"')).toBe(hosts);
    await set({ tables: { logs: { ckibanaSyntax: false } } });
    expect(await found('host.caseIgnore:E')).toBe(0);
    await set({ proxy: { ckibanaSyntax: false } });
  });
});

describe('the metadata cluster', () => {
  const mixed = async (): Promise<Answer> =>
    ask(gateway.url, '/_msearch', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: '{"index":"logs"}\n{"size":0}\n{"index":"elsewhere"}\n{"size":0}\n',
    });

  it('moves the foreign lines of an _msearch, never what passes natively', async () => {
    const other = await startUpstream();
    other.answer(({ url }, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(url.startsWith('/_msearch') ? '{"responses":[{"from":"other"}]}' : '{}');
    });
    const host = `127.0.0.1:${String(other.port)}`;
    await update(gateway, 'updateEs', { host, headers: '' });
    const isMoved = async (): Promise<boolean> => (await mixed()).text.includes('"from":"other"');
    expect(await eventually(isMoved)).toBe(true);
    upstream.reset();
    await ask(gateway.url, '/elsewhere/_search');
    expect(upstream.received.map(({ url }) => url)).toEqual(['/elsewhere/_search']);
    await update(gateway, 'updateEs', { host: '127.0.0.1:1', headers: '' });
    expect(
      await eventually(async () =>
        String((await healthOf())['problems']).includes(
          'elasticsearch: the address of the settings',
        ),
      ),
    ).toBe(true);
    expect(await isMoved()).toBe(true);
    await update(gateway, 'updateEs', { host: '', headers: '' });
    expect(await eventually(async () => !(await isMoved()))).toBe(true);
    expect(await eventually(async () => (await healthOf())['status'] === 'up')).toBe(true);
    await other.close();
  });
});

describe('GET /check/{index}', () => {
  const check = async (index: string): Promise<Readonly<Record<string, unknown>>> =>
    (await admin(gateway, `/check/${index}`)).json();

  it('a served index, with its table', async () => {
    expect(await check('logs')).toEqual({
      index: 'logs',
      goesTo: 'clickhouse',
      reason: 'proxy.whiteIndexList names it, and proxy.blackIndexList does not',
      whitelisted: true,
      blacklisted: false,
      table: expect.objectContaining({
        found: true,
        database: 'default',
        name: 'logs',
        engine: 'MergeTree',
        sampleBy: null,
        timeField: '@timestamp',
        timeFieldCandidates: ['@timestamp'],
        columns: 12,
      }),
    });
  });

  it('a blacklisted one, and one that is not whitelisted', async () => {
    await update(gateway, 'updateBlackIndexList', { list: 'logs' });
    expect(await check('logs')).toMatchObject({
      goesTo: 'elasticsearch',
      reason: 'proxy.blackIndexList names it',
      table: { found: true },
    });
    await update(gateway, 'updateBlackIndexList', { list: '' });
    expect(await check('other.logs')).toMatchObject({
      goesTo: 'elasticsearch',
      reason: 'proxy.whiteIndexList does not name it',
      table: { found: true, database: 'other', sampleBy: 'cityHash64(host)' },
    });
  });

  it('one without a table, and one whose name cannot be served', async () => {
    expect(await check('absent')).toMatchObject({
      goesTo: 'clickhouse',
      table: { found: false, problem: expect.stringContaining('no table [absent]') },
    });
    expect(await check('.kibana')).toMatchObject({
      goesTo: 'elasticsearch',
      reason: expect.stringContaining('cannot be served'),
      table: { found: false },
    });
  });

  it('unknown parameters and other methods are refused', async () => {
    expect((await admin(gateway, '/check/logs?nothing=1')).status).toBe(400);
    expect((await ask(gateway.url, '/admin/check/logs', { method: 'DELETE' })).status).toBe(405);
    expect((await ask(gateway.url, '/check/logs')).headers['x-elastic-product']).toBeUndefined();
  });
});

describe('options of one table', () => {
  it('name its time field, and refuse id columns that are not there', async () => {
    const options = { 'other.logs': { timeField: 'second_time', idColumns: ['host'] } };
    const { proxy } = (await admin(gateway, '/config/all')).json();
    const replace = (tables: object): Promise<Answer> =>
      admin(gateway, '/config/all', {
        proxy: { ...(proxy as object), whiteIndexList: ['logs', 'other.logs'] },
        tables,
      } as never);
    expect((await replace(options)).status).toBe(200);
    expect((await admin(gateway, '/check/other.logs')).json()['table']).toMatchObject({
      timeField: 'second_time',
      timeFieldCandidates: ['@timestamp', 'second_time'],
    });
    expect((await ask(gateway.url, '/other.logs/_search')).status).toBe(200);
    await replace({ 'other.logs': { idColumns: ['nothing'] } });
    const refused = await ask(gateway.url, '/other.logs/_search');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('idColumns names [nothing]');
    await replace({});
    await update(gateway, 'updateWhiteIndexList', { list: 'logs,slow,wide,absent' });
  });
});

describe('GET /health', () => {
  it('everything up', async () => {
    const health = await admin(gateway, '/health');
    expect(health.status).toBe(200);
    expect(health.json()).toEqual({
      status: 'up',
      problems: [],
      parts: {
        clickhouse: { status: 'up', problems: [] },
        elasticsearch: { status: 'none', problems: [] },
        settings: { status: 'up', problems: [], store: 'file', readAt: expect.any(String) },
        monitor: { status: 'none', problems: [] },
        black_list: expect.objectContaining({ status: 'up' }),
        sampling: { status: 'none', problems: [] },
        time_fields: { status: 'none', problems: [] },
        time_limits: expect.objectContaining({ problems: [] }),
        result_cache: { status: 'none', problems: [] },
      },
    });
  });

  it('names the time fields of the settings that are none', async () => {
    const set = async (body: JsonObject): Promise<void> => {
      expect((await admin(gateway, '/config/all', body)).status).toBe(200);
    };
    const timeFields = async (): Promise<unknown> =>
      ((await healthOf())['parts'] as Readonly<Record<string, unknown>>)['time_fields'];
    await set({ tables: { logs: { timeField: '@timestamp' } } });
    expect(await timeFields()).toEqual({ status: 'up', problems: [] });
    await set({ tables: { logs: { timeField: 'nothing' }, elsewhere: { timeField: 'x' } } });
    expect(await timeFields()).toEqual({
      status: 'degraded',
      problems: [expect.stringMatching(/^\[logs\]: timeField of the table names \[nothing\]/)],
    });
    await set({ tables: {}, proxy: { defaultTimeFieldName: 'host' } });
    expect((await healthOf())['status']).toBe('degraded');
    expect(await timeFields()).toEqual({
      status: 'degraded',
      problems: expect.arrayContaining([
        expect.stringMatching(/^\[logs\]: defaultTimeFieldName names \[host\], which is no single/),
      ]),
    });
    await set({ proxy: { defaultTimeFieldName: 'nothing' } });
    expect(await timeFields()).toEqual({
      status: 'degraded',
      problems: ['proxy.defaultTimeFieldName names [nothing], which is a field of no served table'],
    });
    await set({ proxy: { defaultTimeFieldName: '' } });
  });

  it('ClickHouse down: 503 with the reason, and up again when it is back', async () => {
    await door.shut();
    const down = await admin(gateway, '/health');
    expect(down.status).toBe(503);
    expect(down.json()).toMatchObject({
      status: 'down',
      problems: [expect.stringContaining('clickhouse: ClickHouse is not reachable')],
    });
    expect((await admin(gateway, '/health/live')).status).toBe(200);
    expect((await search('logs')).status).toBe(503);
    await door.open();
    expect(await eventually(async () => (await healthOf())['status'] === 'up')).toBe(true);
    expect((await search('logs')).status).toBe(200);
  });
});

describe('GET /metrics', () => {
  it('counts requests and statements, and holds no secret', async () => {
    await search('logs');
    const metrics = await admin(gateway, '/metrics');
    expect(metrics.status).toBe(200);
    expect(metrics.headers['content-type']).toContain('text/plain');
    for (const line of [
      /^kibana_clickhouse_requests_total\{endpoint="search",status="200"\} \d+$/m,
      /^kibana_clickhouse_requests_total\{endpoint="config-update",status="200"\} \d+$/m,
      /^kibana_clickhouse_request_duration_seconds_count\{endpoint="search"\} \d+$/m,
      /^kibana_clickhouse_statements_total\{outcome="ok"\} \d+$/m,
      /^kibana_clickhouse_read_rows_total [1-9]\d*$/m,
      /^kibana_clickhouse_monitor_queue_records 0$/m,
      /^process_resident_memory_bytes \d+$/m,
    ])
      expect(metrics.text).toMatch(line);
    for (const secret of [SECRET_KEY, reader.password, 'wrong-and-secret'])
      expect(metrics.text).not.toContain(secret);
  });
});
