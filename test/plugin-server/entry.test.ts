import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pluginConfigFields } from '../../schema/plugin-config';
import { version } from '../../package.json';
import { KongSide } from './support/kong-side';
import { builtPlugins, PLUGIN_SERVER, startPluginServer } from './support/plugin-server';

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
