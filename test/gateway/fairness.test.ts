import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { runSql } from '../../dev/clickhouse/run-sql';
import { startGateway, type Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { admin } from './admin';
import { ask, closeClient } from './client';
import { eventually, pluginConfig, pluginsDirectory, startTables } from './product';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(60_000);

const directory = mkdtempSync(join(tmpdir(), 'fairness-'));
let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let gateway: Gateway;

/** A search of it takes a quarter of a second. */
const TABLE = `
CREATE TABLE brief ("@timestamp" DateTime64(3), n UInt64, wait UInt8 ALIAS sleepEachRow(0.025)) ENGINE = MergeTree ORDER BY n;
INSERT INTO brief SELECT now64(3), number FROM numbers(10);
`;

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  await runSql(clickHouse.url, TABLE);
  const pool = { coreSize: 1, queueSize: 100 };
  const plugin = pluginConfig(clickHouse.url, { state_file: join(directory, 'state.json') });
  const settings = {
    ...(plugin['settings'] as JsonObject),
    threadPool: { commonProperty: pool, msearchProperty: pool },
  };
  const proxy = {
    ...(settings as { proxy?: JsonObject }).proxy,
    whiteIndexList: ['logs', 'brief'],
  };
  const own = (role: string): JsonObject => ({
    name: 'kibana-clickhouse',
    config: { ...plugin, role, settings: { ...settings, proxy } },
  });
  const config = {
    _format_version: '3.0',
    services: [
      {
        url: `http://127.0.0.1:${String(upstream.port)}`,
        routes: [
          { paths: ['/'], plugins: [{ name: 'key-auth', config: {} }, own('proxy')] },
          { paths: ['/admin'], plugins: [own('admin')] },
        ],
      },
    ],
    consumers: ['busy', 'brief'].map((name) => ({
      username: name,
      keyauth_credentials: [{ key: `key-of-${name}` }],
    })),
  };
  gateway = await startGateway({
    config,
    port: 0,
    pluginsDirectory,
  });
  const isReady = async (): Promise<boolean> => (await search('brief', 'logs')).status === 200;
  expect(await eventually(isReady)).toBe(true);
});

afterAll(async () => {
  closeClient();
  await gateway.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
  rmSync(directory, { recursive: true, force: true });
});

const body: JsonObject = { size: 0, query: { term: { wait: 0 } } };
const headersOf = (consumer: string) => ({ apikey: `key-of-${consumer}` });
const search = (consumer: string, index: string) =>
  ask(gateway.url, `/${index}/_search`, {
    method: 'POST',
    headers: headersOf(consumer),
    body: index === 'brief' ? body : {},
  });
const msearch = (consumer: string, count: number) =>
  ask(gateway.url, '/brief/_msearch', {
    method: 'POST',
    headers: { ...headersOf(consumer), 'content-type': 'application/x-ndjson' },
    body: `{}\n${JSON.stringify(body)}\n`.repeat(count),
  });

async function queued(pool: string): Promise<number> {
  const { text } = await admin(gateway, '/metrics');
  const name = `kibana_clickhouse_pool_${pool}_queued_statements`;
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

test.each([
  [
    'common',
    (consumer: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => search(consumer, 'brief'))),
  ],
  ['msearch', (consumer: string, count: number) => msearch(consumer, count)],
] as const)(
  'a consumer with many statements in the pool %s does not hold up another',
  async (pool, send) => {
    let isBusyDone = false;
    const busy = send('busy', 10).finally(() => (isBusyDone = true));
    expect(await eventually(async () => (await queued(pool)) >= 7)).toBe(true);
    await send('brief', 1);
    // it has had its turn behind the one that ran, not behind all that waited
    expect(isBusyDone).toBe(false);
    expect(await queued(pool)).toBeGreaterThan(2);
    await busy;
    expect(await queued(pool)).toBe(0);
  },
);
