import { execFile, type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PluginServerRpc } from '../../dev/gateway/plugin-server/rpc';

jest.setTimeout(300_000);

const run = promisify(execFile);
const root = resolve(__dirname, '../..');
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

interface PackedFile {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

describe('the npm package, installed in an empty folder', () => {
  let folder: string;
  let modules: string;
  let plugins: string;
  let packed: PackedFile;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'package-test-'));
    if (!existsSync(join(root, 'dist/plugins'))) await run('npm', ['run', 'build'], { cwd: root });
    // what prepack would build again is there
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, { cwd: root });
    [packed] = JSON.parse(stdout) as [PackedFile];
    const install = join(folder, 'kong');
    mkdirSync(install);
    writeFileSync(join(install, 'package.json'), '{ "private": true }\n');
    const tarball = join(folder, packed.filename);
    await run('npm', ['install', '--omit=dev', '--prefer-offline', ...quiet, tarball], {
      cwd: install,
    });
    modules = join(install, 'node_modules');
    plugins = join(modules, 'kong-plugin-kibana-clickhouse/dist/plugins');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const server = (): string => join(modules, '.bin/kong-js-pluginserver');
  const unrelated = (name: string): string => {
    const directory = join(folder, name);
    mkdirSync(directory, { recursive: true });
    return directory;
  };

  it('contains what an operator needs and nothing of development', () => {
    const names = packed.files.map(({ path }) => path);
    const tops = new Set(names.map((path) => path.split('/')[0]));
    expect([...tops].sort()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'dist',
        'docker',
        'docs',
        'kong.yml',
      ].concat('package.json'),
    );
    expect(names).toContain('dist/plugins/kibana-clickhouse/index.js');
    expect(names.filter((path) => /^dist\/(?!plugins\/|schema\/)/.test(path))).toEqual([]);
  });

  it('does not bring the embedded engine along', () => {
    const installed = readdirSync(modules);
    expect(installed).toContain('kong-pdk');
    for (const name of ['chdb', '@chdb', 'ffi-rs', '@yuuang', 'jest', 'tsx']) {
      expect(installed).not.toContain(name);
    }
  });

  it('dumps one plugin as pure JSON and ends, from any working directory', async () => {
    const { stdout } = await run(server(), ['-d', plugins, '--dump-all-plugins'], {
      cwd: unrelated('elsewhere'),
      env: { PATH: process.env['PATH'] },
      timeout: 30_000,
    });
    const dump = JSON.parse(stdout) as readonly { readonly Name: string }[];
    expect(dump.map(({ Name }) => Name)).toEqual(['kibana-clickhouse']);
  });

  it('starts an instance in the plugin server', async () => {
    const prefix = unrelated('prefix');
    const child: ChildProcess = spawn(server(), ['-p', prefix, '-d', plugins], {
      cwd: prefix,
      env: { PATH: process.env['PATH'], TS_NODE_SKIP_PROJECT: 'true' },
      stdio: 'ignore',
    });
    const ended = new Promise((done) => child.once('exit', done));
    const socket = join(prefix, 'js_pluginserver.sock');
    const rpc = new PluginServerRpc(socket, 20_000);
    try {
      while (!existsSync(socket) && child.exitCode === null) await sleep(50);
      const config = { role: 'proxy', failure_mode: 'strict', log_level: 'error' };
      const answer = await rpc.call('StartInstance', {
        Name: 'kibana-clickhouse',
        Config: JSON.stringify(config),
      });
      expect(answer).toMatchObject({ Name: 'kibana-clickhouse', Id: expect.any(Number) });
    } finally {
      rpc.close();
      child.kill('SIGKILL');
      await ended;
    }
  });
});
