import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pluginConfigFields } from '../../schema/plugin-config';
import { version } from '../../package.json';
import { encodeHandover, decodeHandover } from '../../plugins/kibana-clickhouse/gateway/handover';
import { KongSide, type PdkCall } from './support/kong-side';
import {
  built,
  builtPlugins,
  INSPECTION,
  PLUGIN_SERVER,
  startPluginServer,
} from './support/plugin-server';

// Processes are started or many modules compiled: slow on a busy machine.
jest.setTimeout(60_000);

const run = promisify(execFile);

const dump = async (cwd: string): Promise<unknown> => {
  const args = [PLUGIN_SERVER, '-d', builtPlugins(), '--dump-all-plugins'];
  const { stdout } = await run(process.execPath, args, { cwd, env: {}, timeout: 20_000 });
  return JSON.parse(stdout) as unknown;
};

test('the dump is pure JSON and ends, from any working directory and without environment', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'cwd-'));
  const info = {
    Name: 'kibana-clickhouse',
    Version: version,
    Priority: 765,
    Phases: ['access'],
    Schema: {
      name: 'kibana-clickhouse',
      fields: [{ config: { type: 'record', fields: pluginConfigFields } }],
    },
  };
  for (const cwd of ['/', empty, resolve(__dirname, '../..')])
    expect(await dump(cwd)).toEqual([info]);
  rmSync(empty, { recursive: true });
});

test('the shipped plugin loads its cures: ids are seeded, ended events forgotten', async () => {
  const server = await startPluginServer({ plugin: { folder: builtPlugins() } });
  const kong = await KongSide.connect(server.socket);
  const instance = await kong.startInstance({ role: 'proxy', route_id: 'r' });
  expect(instance).toBeGreaterThan(0);
  const calls = await kong.access(instance, { 'kong.nginx.get_var': '/other/_search' });
  expect(calls.map(({ Method }) => Method)).toEqual([
    'kong.nginx.get_var',
    'kong.router.get_service',
  ]);
  const two = [kong.message('GetStatus'), kong.message('GetStatus')];
  kong.write(Buffer.concat(two.map(({ bytes }) => bytes)));
  expect(await Promise.all(two.map(({ result }) => result))).toHaveLength(2);
  kong.close();
  await server.stop();
});

test('the deciding process loads nothing of what answers', async () => {
  const source = `
    ${INSPECTION}
    Server.prototype.Loaded = async () => Object.keys(require.cache);
    module.exports = require(${JSON.stringify(built('index.js'))});`;
  const server = await startPluginServer({ plugin: { source } });
  const kong = await KongSide.connect(server.socket);
  const instance = await kong.startInstance({
    role: 'proxy',
    route_id: 'r',
    settings: { proxy: { whiteIndexList: ['logs'] } },
  });
  await kong.access(instance, { 'kong.nginx.get_var': '/logs/_search' });
  const loaded = (await kong.call('Loaded')) as readonly string[];
  const own = loaded.filter((path) => path.includes('/plugins/kibana-clickhouse/'));
  expect(own.some((path) => path.endsWith('/kong/plugin.js'))).toBe(true);
  expect(
    own.filter((path) =>
      /\/(clickhouse|search|metadata|answer-process\/main)\b/.test(
        path.split('/plugins/kibana-clickhouse/')[1] ?? '',
      ),
    ),
  ).toEqual([]);
  expect(
    loaded.filter((path) => /node_modules\/(fastify|undici|@clickhouse)\//.test(path)),
  ).toEqual([]);
  kong.close();
  await server.stop();
});

const HEADER = 'x-kibana-clickhouse';

/** What Kong would send where `access()` said: the target's port and the header it set. */
function handedOver(calls: readonly PdkCall[]): { readonly port: number; readonly header: string } {
  const argsOf = (method: string): readonly unknown[] =>
    calls.find(({ Method }) => Method === method)?.Args ?? [];
  const [headers] = argsOf('kong.service.request.set_headers');
  const [, port] = argsOf('kong.service.set_target');
  return {
    port: port as number,
    header: (headers as Readonly<Record<string, string>>)[HEADER] ?? '',
  };
}

test('the answer process takes what is handed over, and nothing else', async () => {
  const server = await startPluginServer({ plugin: { folder: builtPlugins() } });
  const kong = await KongSide.connect(server.socket);
  const instance = await kong.startInstance({ role: 'admin', route_id: 'r' });
  const access = (): Promise<readonly PdkCall[]> =>
    kong.access(instance, {
      'kong.nginx.get_var': '/health/live',
      'kong.router.get_service': { protocol: 'http' },
    });
  let calls = await access();
  // a busy machine may take longer to start it than a request waits
  while (calls.at(-1)?.Method === 'kong.response.exit') calls = await access();
  const { port, header } = handedOver(calls);
  const get = async (path: string, value: string | undefined): Promise<Response> =>
    fetch(`http://127.0.0.1:${String(port)}${path}`, {
      headers: value === undefined ? {} : { [HEADER]: value },
    });
  expect((await get('/health/live', header)).status).toBe(200);
  expect((await get('/health/live', undefined)).status).toBe(403);
  const handover = decodeHandover(header);
  if (!handover) throw new Error('no hand-over');
  const forged = encodeHandover({ ...handover, secret: 'guessed' });
  expect((await get('/health/live', forged)).status).toBe(403);
  const refusing = encodeHandover({ ...handover, refusal: 'because', refusalStatus: 503 });
  const refused = await get('/health/live', refusing);
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain('because');
  kong.close();
  await server.stop();
  // It ends with its parent; until then it may still answer.
  const untilGone = async (): Promise<never> => {
    for (;;) await get('/health/live', header);
  };
  await expect(untilGone()).rejects.toThrow('fetch failed');
});
