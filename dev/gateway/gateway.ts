import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeclarativeConfig, readDeclarativeConfig } from './declarative';
import { Handler } from './handler';
import { Log, type LogLine } from './log';
import { queryCommand, socketPath, startCommand } from './plugin-server/command';
import { dumpPlugin } from './plugin-server/dump';
import { PluginInstances } from './plugin-server/instances';
import { PluginServerProcess } from './plugin-server/process';
import { PluginServerRpc } from './plugin-server/rpc';
import { bundledPlugins } from './plugins/bundled';
import { UpstreamConnections } from './proxy/attempt';
import { Proxy } from './proxy/proxy';
import { resolveConfiguration } from './schema/resolve';

export interface GatewayOptions {
  /** The kong.yml: its path, or what it says. */
  readonly config: DeclarativeConfig | string;
  /** 0 for a free one. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** The plugin directory that kong-js-pluginserver gets, absolute. */
  readonly pluginsDirectory: string;
  /** Takes the lines of the log; none is written without it. */
  readonly log?: LogLine;
  /** How long the plugin server may be silent on one call, in ms; default 60,000, nginx's own default. */
  readonly pluginServerTimeout?: number;
}

/** A running gateway. */
export interface Gateway {
  readonly port: number;
  /** `http://HOST:PORT`. */
  readonly url: string;
  /** The process id of the plugin server; undefined while it is down. */
  pluginServerPid(): number | undefined;
  /** Kills the plugin server (SIGKILL unless another signal is named); it is started again as Kong does. */
  killPluginServer(signal?: NodeJS.Signals): void;
  /** Replaces the configuration as `POST /config` does on Kong; throws DeclarativeConfigError and keeps the old one. */
  replaceConfig(config: DeclarativeConfig): void;
  /** Ends connections, plugin server and everything else that was started. */
  close(): Promise<void>;
}

const MAX_HEADERS = 256 * 1024;
// nginx's keepalive_timeout: longer than clients keep an idle connection.
const KEEP_ALIVE_MS = 75_000;
const SOCKET_LIMIT_MS = 15_000;
const DEFAULT_SILENCE_MS = 60_000;

/**
 * Starts a gateway that treats requests as Kong 3.9 in front of the real kong-js-pluginserver does, and
 * resolves when it answers. Rejects with DeclarativeConfigError when the kong.yml says anything that
 * Kong would refuse or that the gateway cannot honour, and with the plugin server's words when that
 * does not come up; nothing is left behind then.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, pluginsDirectory } = options;
  if (!isAbsolute(pluginsDirectory)) throw new Error('pluginsDirectory must be absolute');
  const declared = typeof config === 'string' ? readDeclarativeConfig(config) : config;
  const prefix = mkdtempSync(join(tmpdir(), 'kong-'));
  const running: (() => Promise<void> | void)[] = [
    () => {
      rmSync(prefix, { recursive: true, force: true });
    },
  ];
  const stop = async (): Promise<void> => {
    for (const end of running.splice(0).reverse()) await end();
  };
  try {
    return await started({ options, declared, prefix, running, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Starting {
  readonly options: GatewayOptions;
  readonly declared: DeclarativeConfig;
  readonly prefix: string;
  /** What has to be ended, in the order it was started. */
  readonly running: (() => Promise<void> | void)[];
  readonly stop: () => Promise<void>;
}

async function started({ options, declared, prefix, running, stop }: Starting): Promise<Gateway> {
  const { pluginsDirectory, host = '127.0.0.1' } = options;
  const log = new Log(options.log ?? (() => undefined));
  const plugin = await dumpPlugin(queryCommand(prefix, pluginsDirectory));
  const known = [...bundledPlugins, plugin];
  const configuration = resolveConfiguration(declared, known);

  const server = new PluginServerProcess(startCommand(prefix, pluginsDirectory), log);
  running.push(() => server.stop());
  await listening(socketPath(prefix));
  const silence = options.pluginServerTimeout ?? DEFAULT_SILENCE_MS;
  const rpc = new PluginServerRpc(socketPath(prefix), silence);
  const connections = new UpstreamConnections();
  running.push(() => {
    rpc.close();
    connections.close();
  });

  const instances = new PluginInstances(rpc, log);
  const parts = { instances, proxy: new Proxy(connections, log), log };
  let handler = new Handler(configuration, parts);
  const limits = { maxHeaderSize: MAX_HEADERS, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS };
  const front = http.createServer(limits, (req, res) => {
    void handler.handle(req, res);
  });
  const port = await bound(front, options.port, host);
  running.push(() => ended(front));
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}`,
    pluginServerPid: () => server.pid,
    killPluginServer: (signal = 'SIGKILL') => void server.kill(signal),
    replaceConfig: (config) => {
      handler = new Handler(resolveConfiguration(config, known), parts);
      instances.renew();
    },
    close: stop,
  };
}

function bound(server: http.Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function ended(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

async function listening(path: string): Promise<void> {
  const until = Date.now() + SOCKET_LIMIT_MS;
  while (!(await accepts(path))) {
    if (Date.now() > until) throw new Error('the plugin server does not listen on its socket');
    await sleep(20);
  }
}
