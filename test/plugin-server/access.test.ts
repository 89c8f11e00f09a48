import { setTimeout as sleep } from 'node:timers/promises';
import { decodeHandover, type Handover } from '../../plugins/kibana-clickhouse/gateway/handover';
import { KongSide, type PdkAnswers, type PdkCall } from './support/kong-side';
import {
  built,
  INSPECTION,
  startPluginServer,
  type RunningPluginServer,
} from './support/plugin-server';
import { standIn, type StandIn } from './support/stand-in';

// Processes are started or many modules compiled: slow on a busy machine.
jest.setTimeout(60_000);

/** The product's class and cures; only the answer process behind it is a stand-in. */
const plugin = (main: string): string => `
require(${JSON.stringify(built('kong/cures.js'))}).cureKongPdk();
const { KongPlugin } = require(${JSON.stringify(built('kong/plugin.js'))});
const { AnswerProcess } = require(${JSON.stringify(built('kong/answer-process.js'))});
const { stderrLog } = require(${JSON.stringify(built('kong/log.js'))});
${INSPECTION}
const answers = new AnswerProcess({ main: ${JSON.stringify(main)}, log: stderrLog('info') });
exports.Name = 'kibana-clickhouse';
exports.Plugin = class extends KongPlugin {
  constructor(config) { super(config, answers); }
};
`;

const CONFIG = {
  role: 'proxy',
  failure_mode: 'drop-in',
  log_level: 'info',
  metadata_config: { hosts: ['http://es.example:9200'] },
  settings: { proxy: { whiteIndexList: ['logs'] } },
  route_id: 'a-route',
  __key__: 'k',
  __seq__: 1,
};

const KONG: PdkAnswers = {
  'kong.nginx.get_var': '/logs/_search',
  'kong.router.get_service': { protocol: 'http', path: null },
  'kong.client.get_consumer': null,
};

let child: StandIn;
let server: RunningPluginServer;
let kong: KongSide;

beforeEach(async () => {
  child = standIn();
  server = await startPluginServer({ plugin: { source: plugin(child.main) } });
  kong = await KongSide.connect(server.socket);
});

afterEach(async () => {
  kong.close();
  await server.stop();
  child.remove();
});

const names = (calls: readonly PdkCall[]): readonly string[] => calls.map(({ Method }) => Method);

const path = (uri: string): PdkAnswers => ({ ...KONG, 'kong.nginx.get_var': uri });

function handoverIn(calls: readonly PdkCall[]): Handover | undefined {
  const set = calls.find(({ Method }) => Method === 'kong.service.request.set_headers');
  const [headers] = (set?.Args ?? []) as readonly Readonly<Record<string, string>>[];
  return decodeHandover(headers?.['x-kibana-clickhouse'] ?? '');
}

function exitIn(calls: readonly PdkCall[]): unknown {
  const [status, body, headers] = calls.at(-1)?.Args ?? [];
  return {
    status,
    body: JSON.parse(Buffer.from(body as Uint8Array).toString()) as unknown,
    headers,
  };
}

test('a request for a whitelisted index is handed over with one header', async () => {
  const calls = await kong.access(await kong.startInstance(CONFIG), {
    ...KONG,
    'kong.client.get_consumer': { id: '1', username: 'grüße, "Kibana"', custom_id: 'c' },
  });
  expect(names(calls)).toEqual([
    'kong.nginx.get_var',
    'kong.router.get_service',
    'kong.client.get_consumer',
    'kong.service.request.set_headers',
    'kong.service.set_target',
  ]);
  expect(calls[0]?.Args).toEqual(['upstream_uri']);
  expect(handoverIn(calls)).toEqual({
    secret: expect.stringMatching(/^\d+$/),
    runtime: child.events().find(({ event }) => event === 'configured')?.runtime,
    role: 'proxy',
    prefix: '',
    consumer: 'grüße, "Kibana"',
  });
  expect(calls.at(-1)?.Args).toEqual(['127.0.0.1', 4711]);
});

test('the configuration that the answer process gets is without what Kong adds', async () => {
  await kong.access(await kong.startInstance(CONFIG), KONG);
  const { role, failure_mode, log_level, metadata_config, settings } = CONFIG;
  const configured = child.events().find(({ event }) => event === 'configured');
  expect(configured?.config).toEqual({
    role,
    failure_mode,
    log_level,
    metadata_config,
    settings,
  });
});

test('everything else passes with one call', async () => {
  const instance = await kong.startInstance(CONFIG);
  await kong.access(instance, path('/.kibana/_search'));
  for (const uri of ['/.kibana/_search', '/_bulk', '/', '/other/_search', '/_cat/shards'])
    expect(names(await kong.access(instance, path(uri)))).toEqual(['kong.nginx.get_var']);
});

test.each([
  [{ id: '1', username: null, custom_id: 'c' }, 'c'],
  [{ id: '1' }, '1'],
  [{}, undefined],
])('the consumer %j is handed over as %s', async (consumer, name) => {
  const answers = { ...KONG, 'kong.client.get_consumer': consumer };
  const calls = await kong.access(await kong.startInstance(CONFIG), answers);
  expect(handoverIn(calls)?.consumer).toBe(name);
});

test('requests that come at once start one answer process and configure it once', async () => {
  const instance = await kong.startInstance(CONFIG);
  const connections = await Promise.all(
    Array.from({ length: 20 }, () => KongSide.connect(server.socket)),
  );
  const all = await Promise.all(connections.map((one) => one.access(instance, KONG)));
  for (const connection of connections) connection.close();
  expect(new Set(all.map((calls) => handoverIn(calls)?.secret)).size).toBe(1);
  const events = child.events().map(({ event }) => event);
  expect(events.filter((event) => event !== 'taken')).toEqual(['started', 'configured']);
});

test('an https Service is made http for the answer process', async () => {
  const calls = await kong.access(await kong.startInstance(CONFIG), {
    ...KONG,
    'kong.router.get_service': { protocol: 'https' },
  });
  expect(calls.slice(-2)).toEqual([
    { Method: 'kong.service.request.set_scheme', Args: ['http'] },
    { Method: 'kong.service.set_target', Args: ['127.0.0.1', 4711] },
  ]);
});

test.each([
  ['/es/v1', '/es/v1/logs/_search', '/es/v1'],
  ['/es/v1/', '/es/v1/logs/_search', '/es/v1'],
  ['/', '/logs/_search', ''],
])("the Service's path %s is taken off %s and handed over", async (servicePath, uri, prefix) => {
  const calls = await kong.access(await kong.startInstance(CONFIG), {
    ...path(uri),
    'kong.router.get_service': { protocol: 'http', path: servicePath },
  });
  expect(handoverIn(calls)?.prefix).toBe(prefix);
});

test('a plugin without a route asks for the Service of each request', async () => {
  const { route_id, ...global } = CONFIG;
  expect(route_id).toBe('a-route');
  const instance = await kong.startInstance(global);
  for (let i = 0; i < 2; i++)
    expect(names(await kong.access(instance, path('/other/_search')))).toContain(
      'kong.router.get_service',
    );
});

test('the admin role hands over every request', async () => {
  const calls = await kong.access(
    await kong.startInstance({ ...CONFIG, role: 'admin' }),
    path('/config/all'),
  );
  expect(handoverIn(calls)).toMatchObject({ role: 'admin' });
});

test('both roles of one configuration share a runtime, another configuration has its own', async () => {
  const runtimeOf = async (config: unknown): Promise<string | undefined> =>
    handoverIn(await kong.access(await kong.startInstance(config), KONG))?.runtime;
  const own = await runtimeOf(CONFIG);
  const { settings, metadata_config, ...rest } = CONFIG;
  expect(await runtimeOf({ settings, ...rest, metadata_config, role: 'admin', __seq__: 2 })).toBe(
    own,
  );
  expect(await runtimeOf({ ...CONFIG, metadata_config: {} })).not.toBe(own);
  expect(child.events().filter(({ event }) => event === 'configured')).toHaveLength(2);
});

test('strict sends everything else to Elasticsearch itself, with its scheme', async () => {
  const strict = { ...CONFIG, failure_mode: 'strict' };
  const passed = await kong.access(await kong.startInstance(strict), path('/other/_search'));
  expect(passed.at(-1)).toEqual({
    Method: 'kong.service.set_target',
    Args: ['es.example', 9200],
  });
  expect(names(passed)).not.toContain('kong.service.request.set_scheme');
  const secure = { ...strict, metadata_config: { hosts: ['https://es.example'] } };
  const calls = await kong.access(await kong.startInstance(secure), path('/other/_search'));
  expect(calls.slice(-2)).toEqual([
    { Method: 'kong.service.request.set_scheme', Args: ['https'] },
    { Method: 'kong.service.set_target', Args: ['es.example', 443] },
  ]);
});

test('strict without an Elasticsearch refuses through the answer process', async () => {
  const strict = { ...CONFIG, failure_mode: 'strict', metadata_config: {} };
  const calls = await kong.access(await kong.startInstance(strict), path('/other/_search'));
  expect(calls.at(-1)?.Args).toEqual(['127.0.0.1', 4711]);
  expect(handoverIn(calls)).toMatchObject({
    refusal: expect.stringContaining('metadata_config.hosts names no Elasticsearch'),
    refusalStatus: 502,
  });
});

test('a malformed path is refused as the fault of the request', async () => {
  const calls = await kong.access(await kong.startInstance(CONFIG), path('/lo%zzgs/_search'));
  expect(handoverIn(calls)).toMatchObject({
    refusal: 'malformed percent-escape in path [lo%zzgs]',
    refusalStatus: 400,
  });
});

test('a failure while deciding is refused, never passed on to Elasticsearch', async () => {
  const instance = await kong.startInstance(CONFIG);
  const calls = await kong.access(instance, { ...KONG, 'kong.nginx.get_var': null });
  expect(handoverIn(calls)?.refusal).toContain('Kong says no path');
  expect(calls.at(-1)).toEqual({
    Method: 'kong.service.set_target',
    Args: ['127.0.0.1', 4711],
  });
});

test.each([null, 7, 'text', []])(
  'a configuration like %j breaks no constructor',
  async (config) => {
    const calls = await kong.access(await kong.startInstance(config), KONG);
    expect(exitIn(calls)).toMatchObject({ status: 503 });
  },
);

test('an answer process that was killed is started again and configured again', async () => {
  const instance = await kong.startInstance(CONFIG);
  const before = handoverIn(await kong.access(instance, KONG));
  process.kill(Number(before?.secret), 'SIGKILL');
  await sleep(200);
  const after = handoverIn(await kong.access(instance, KONG));
  expect(after?.secret).not.toBe(before?.secret);
  expect(after?.runtime).toBe(before?.runtime);
  expect(child.events().filter(({ event }) => event === 'configured')).toHaveLength(2);
});

test('without an answer process the request ends at once with an Elasticsearch error', async () => {
  child.breakNext();
  const calls = await kong.access(await kong.startInstance(CONFIG), KONG);
  expect(names(calls).at(-1)).toBe('kong.response.exit');
  expect(names(calls)).not.toContain('kong.service.set_target');
  expect(exitIn(calls)).toEqual({
    status: 503,
    headers: {
      'content-type': 'application/json; charset=UTF-8',
      'x-elastic-product': 'Elasticsearch',
    },
    body: expect.objectContaining({
      status: 503,
      error: expect.objectContaining({ reason: expect.stringContaining('answer process') }),
    }),
  });
  // Pauses of 100, 200, 400, 800 and 1600 ms lie between the attempts of 3 s: no busy loop. Once the
  // pause is longer than that, a request does not wait for its end.
  expect(child.events().length).toBeLessThanOrEqual(7);
  expect(child.events().length).toBeGreaterThan(1);
  const passed = await kong.access(await kong.startInstance(CONFIG), path('/other/_search'));
  expect(names(passed)).toEqual(['kong.nginx.get_var', 'kong.router.get_service']);
});

test('the answer process ends with its parent', async () => {
  const handover = handoverIn(await kong.access(await kong.startInstance(CONFIG), KONG));
  const pid = Number(handover?.secret);
  expect(isAlive(pid)).toBe(true);
  server.process.kill('SIGKILL');
  await server.ended;
  for (let i = 0; i < 100 && isAlive(pid); i++) await sleep(20);
  expect(isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
