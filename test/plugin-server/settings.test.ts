import { setTimeout as sleep } from 'node:timers/promises';
import { KongSide, type PdkAnswers } from './support/kong-side';
import {
  built,
  INSPECTION,
  startPluginServer,
  type RunningPluginServer,
} from './support/plugin-server';
import { standIn, type StandIn, type StandInEvent } from './support/stand-in';

// Processes are started or many modules compiled: slow on a busy machine.
jest.setTimeout(60_000);

/** The product's class and cures; only the answer process behind it is a stand-in. */
const plugin = (main: string): string => `
require(${JSON.stringify(built('kong/cures.js'))}).cureKongPdk();
const { KongPlugin } = require(${JSON.stringify(built('kong/plugin.js'))});
const { AnswerProcess } = require(${JSON.stringify(built('kong/answer-process.js'))});
${INSPECTION}
const answers = new AnswerProcess({ main: ${JSON.stringify(main)}, log: () => undefined });
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
};

let child: StandIn;
let server: RunningPluginServer;
let kong: KongSide;

beforeEach(async () => {
  child = standIn();
  server = await startPluginServer({
    plugin: { source: plugin(child.main) },
    nodeOptions: ['--expose-gc'],
  });
  kong = await KongSide.connect(server.socket);
});

afterEach(async () => {
  kong.close();
  await server.stop();
  child.remove();
});

const path = (uri: string): PdkAnswers => ({
  'kong.nginx.get_var': uri,
  'kong.router.get_service': { protocol: 'http', path: null },
});

/** Whether a search of the index goes to the answer process. */
async function isOurs(instance: number, index: string): Promise<boolean> {
  const calls = await kong.access(instance, path(`/${index}/_search`));
  return calls.some(({ Method }) => Method === 'kong.service.set_target');
}

async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(10);
}

const events = (kind: StandInEvent['event']): readonly StandInEvent[] =>
  child.events().filter(({ event }) => event === kind);

test('the first request decides by what the settings say, not by kong.yml', async () => {
  child.tell(['metrics'], { proxy: { whiteIndexList: ['metrics'] } });
  const instance = await kong.startInstance(CONFIG);
  expect(await isOurs(instance, 'metrics')).toBe(true);
  expect(await isOurs(instance, 'logs')).toBe(false);
});

test('it is acknowledged, and a change acts on every instance of the configuration', async () => {
  const instances = [
    await kong.startInstance(CONFIG),
    await kong.startInstance({ ...CONFIG, failure_mode: 'strict', role: 'proxy' }),
  ];
  for (const instance of instances) await isOurs(instance, 'logs');
  await eventually(() => events('taken').length === 1);
  child.tell(['metrics'], {});
  await eventually(() => events('taken').length === 2);
  for (const uri of ['/metrics/_search'])
    for (const instance of instances)
      expect((await kong.access(instance, path(uri))).at(-1)?.Args).toEqual(['127.0.0.1', 4711]);
  expect(await isOurs(instances[0] ?? 0, 'logs')).toBe(false);
});

test('pass-through alone starts the answer process and has it read the settings', async () => {
  await isOurs(await kong.startInstance(CONFIG), 'other');
  expect(events('configured')).toHaveLength(1);
});

test('settings that cannot be read: all first requests share two seconds, then kong.yml rules', async () => {
  child.mute();
  const instance = await kong.startInstance(CONFIG);
  const connections = await Promise.all(
    Array.from({ length: 5 }, () => KongSide.connect(server.socket)),
  );
  const startedAt = performance.now();
  await Promise.all(connections.map((one) => one.access(instance, path('/other/_search'))));
  const waitedMs = performance.now() - startedAt;
  for (const one of connections) one.close();
  expect(waitedMs).toBeGreaterThan(1_800);
  expect(await isOurs(instance, 'logs')).toBe(true);
  expect(await isOurs(instance, 'other')).toBe(false);
});

test('the last known list outlives the answer process, and the next one is told what was known', async () => {
  const overlay = { proxy: { whiteIndexList: ['metrics'] } };
  child.tell(['metrics'], overlay);
  const instance = await kong.startInstance(CONFIG);
  expect(await isOurs(instance, 'metrics')).toBe(true);
  child.mute();
  const [started] = events('started');
  process.kill(started?.pid ?? 0, 'SIGKILL');
  expect(await isOurs(instance, 'metrics')).toBe(true);
  expect(await isOurs(instance, 'logs')).toBe(false);
  await eventually(() => events('configured').length === 2);
  expect(events('configured').at(-1)?.lastKnown).toEqual(overlay);
  expect(await isOurs(instance, 'metrics')).toBe(true);
  expect(await isOurs(instance, 'logs')).toBe(false);
});

test('a list from before the store was read does not replace one that was read', async () => {
  child.tell(['metrics'], {});
  const instance = await kong.startInstance(CONFIG);
  expect(await isOurs(instance, 'metrics')).toBe(true);
  child.tell(['logs']);
  await eventually(() => events('taken').length === 2);
  expect(await isOurs(instance, 'metrics')).toBe(true);
});

test('an answer process that dies is started again without a request of ours', async () => {
  await isOurs(await kong.startInstance(CONFIG), 'other');
  process.kill(events('started')[0]?.pid ?? 0, 'SIGKILL');
  await eventually(() => events('configured').length === 2);
});

test('a configuration that Kong replaces by an equal one keeps what is known', async () => {
  child.tell(['metrics'], {});
  const first = await kong.startInstance({ ...CONFIG, __seq__: 1 });
  expect(await isOurs(first, 'metrics')).toBe(true);
  const second = await kong.startInstance({ ...CONFIG, __seq__: 2 });
  await kong.call('CloseInstance', first);
  child.mute();
  expect(await isOurs(second, 'metrics')).toBe(true);
  expect(events('released')).toEqual([]);
});

test('a configuration that no instance has is released', async () => {
  const instance = await kong.startInstance(CONFIG);
  await isOurs(instance, 'logs');
  await kong.call('CloseInstance', instance);
  await eventually(() => events('released').length === 1);
  expect(events('released')[0]?.runtime).toBe(events('configured')[0]?.runtime);
});

/** `PUSHES=10000` for the long run. */
const PUSHES = Number(process.env['PUSHES'] ?? 2_000);
/** A leaked configuration would cost more than this alone. */
const ALLOWED_BYTES_PER_PUSH = 400;

test(`after ${String(PUSHES)} pushes of configurations the heap is flat`, async () => {
  const names = Array.from({ length: 100 }, (_, i) => `index-${String(i)}`);
  let last: number | undefined;
  const push = async (n: number): Promise<void> => {
    const started = await kong.startInstance({
      ...CONFIG,
      settings: { proxy: { whiteIndexList: [`logs-${String(n)}`, ...names] } },
    });
    if (last !== undefined) await kong.call('CloseInstance', last);
    last = started;
    await kong.access(started, path('/other/_search'));
  };
  const inspect = async (): Promise<number> =>
    ((await kong.call('Inspect')) as { readonly heapUsed: number }).heapUsed;
  for (let n = 0; n < 200; n++) await push(n);
  const before = await inspect();
  for (let n = 0; n < PUSHES; n++) await push(200 + n);
  const perPush = ((await inspect()) - before) / PUSHES;
  if (process.env['PUSHES'] !== undefined)
    process.stderr.write(`${JSON.stringify({ PUSHES, perPush })}\n`);
  expect(perPush).toBeLessThan(ALLOWED_BYTES_PER_PUSH);
}, 600_000);
