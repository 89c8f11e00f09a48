import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The official plugin server, as Kong starts it. */
export const PLUGIN_SERVER = resolve(__dirname, '../../../node_modules/.bin/kong-js-pluginserver');

/** Absolute path of a compiled file of the plugin: `kong/cures.js`. */
export function built(file: string): string {
  const folder = process.env['BUILT_PLUGIN'];
  if (folder === undefined) throw new Error('BUILT_PLUGIN is not set: run by jest');
  return join(folder, 'plugins/kibana-clickhouse', file);
}

/** Folder that is handed to Kong: it holds the plugin and nothing else. */
export const builtPlugins = (): string => resolve(built('..'));

/**
 * Beginning of a test plugin's source: adds the RPC `plugin.Inspect` to the server, which says what
 * the process holds.
 */
export const INSPECTION = `
const [, { exports: Server }] = Object.entries(require.cache)
  .find(([path]) => path.endsWith('/kong-pdk/server.js'));
globalThis.closed = 0;
Server.prototype.Inspect = async function () {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return { events: this.events.size, closed: globalThis.closed, heapUsed, rss };
};
`;

export interface RunningPluginServer {
  readonly socket: string;
  readonly process: ChildProcess;
  /** What it has written to stderr and stdout so far. */
  readonly output: () => string;
  /** Resolves with the exit code (null after a signal) when the process ends. */
  readonly ended: Promise<number | null>;
  /** Kills it and removes its folder. */
  stop(): Promise<void>;
}

interface PluginServerOptions {
  /** Source of the only plugin, or a folder of plugins. */
  readonly plugin: { readonly source: string } | { readonly folder: string };
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the plugin server and waits until it listens. */
export async function startPluginServer(
  options: PluginServerOptions,
): Promise<RunningPluginServer> {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-server-'));
  const plugins = 'folder' in options.plugin ? options.plugin.folder : join(folder, 'plugins');
  if ('source' in options.plugin) {
    mkdirSync(plugins);
    writeFileSync(join(plugins, 'kibana-clickhouse.js'), options.plugin.source);
  }
  const args = ['-p', folder, '--sock-name', 's', '-d', plugins];
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), PLUGIN_SERVER, ...args], {
    cwd: folder,
    env: { ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const socket = join(folder, 's');
  while (!(await isListening(socket))) {
    if (child.exitCode !== null) throw new Error(`the plugin server ended: ${output}`);
    await sleep(20);
  }
  return {
    socket,
    process: child,
    output: () => output,
    ended,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A socket's file is there a moment before anybody listens on it. */
function isListening(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => {
      done(false);
    });
  });
}
