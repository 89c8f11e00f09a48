import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineLibrary } from './engine-library';
import { bindablePort } from './free-port';
import { type ServerConfig, writeServerConfig } from './users';

export interface EmbeddedOptions extends ServerConfig {
  /** Kept at `close()`; default: a temporary directory that `close()` removes. */
  readonly dataDirectory?: string;
  /** HTTP port on 127.0.0.1; default: a free one. */
  readonly port?: number;
  /**
   * Also listen for the native protocol, for Distributed tables. Off by default: this listener ends
   * the whole process when a client resets its connection in the middle of a query. A number is the port, for a
   * configuration that names it.
   */
  readonly tcp?: boolean | number;
}

export interface EmbeddedClickHouse {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly port: number;
  /** Port of the native protocol, when asked for. */
  readonly tcpPort?: number;
  readonly pid: number;
  readonly dataDirectory: string;
  /** Resolves with the reason when the process has ended, whoever ended it. */
  readonly ended: Promise<string>;
  /** Stops the server and removes what was temporary. */
  close(): Promise<void>;
  /** Ends the process as a crash would; the data directory stays. */
  kill(): Promise<void>;
}

const startLimitMs = 30_000;
const portAttempts = 3;

/**
 * Starts a real ClickHouse server (HTTP, loopback) in a child process that ends with this one, even
 * when this one is killed. Throws an error with ClickHouse's reason when it does not come up: no
 * engine for the platform, port taken, data directory in use by another server.
 */
export async function startClickHouse(options: EmbeddedOptions = {}): Promise<EmbeddedClickHouse> {
  const library = engineLibrary();
  for (let attempt = 1; ; attempt += 1) {
    const port = await choosePort(options.port);
    try {
      return await startOn(port, library, options);
    } catch (error) {
      const lostRace =
        options.port === undefined && String(error).includes('Address already in use');
      if (!lostRace || attempt === portAttempts) throw error;
    }
  }
}

async function choosePort(wanted: number | undefined): Promise<number> {
  try {
    return await bindablePort(wanted);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new Error(
      `ClickHouse cannot listen on 127.0.0.1:${String(wanted)}: ` +
        (code === 'EADDRINUSE' ? 'another program uses this port' : code),
      { cause: error },
    );
  }
}

interface Directories {
  readonly data: string;
  readonly configFile?: string;
  /** Removed when the server ends. */
  readonly temporary: readonly string[];
}

function prepareDirectories(options: EmbeddedOptions): Directories {
  const temporary: string[] = [];
  const makeTemporary = (what: string): string => {
    const directory = mkdtempSync(join(tmpdir(), `kibana-clickhouse-${what}-`));
    temporary.push(directory);
    return directory;
  };
  const data =
    options.dataDirectory === undefined ? makeTemporary('data') : resolve(options.dataDirectory);
  mkdirSync(data, { recursive: true });
  if (options.users === undefined && options.extraXml === undefined) return { data, temporary };
  return { data, configFile: writeServerConfig(makeTemporary('config'), options), temporary };
}

const removeAll = (directories: readonly string[]): void => {
  for (const directory of directories) {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
};

async function startOn(
  port: number,
  library: string,
  options: EmbeddedOptions,
): Promise<EmbeddedClickHouse> {
  const { tcp = false } = options;
  const tcpPort = tcp === true ? await bindablePort() : tcp === false ? undefined : tcp;
  const directories = prepareDirectories(options);
  const child = forkEngine({
    library,
    port,
    tcpPort,
    dataDirectory: directories.data,
    configFile: directories.configFile,
    temporary: directories.temporary,
  });
  const ended = watchEnd(child, directories.data);
  const end = async (): Promise<void> => {
    // the caller waits for this end
    child.ref();
    child.kill('SIGKILL');
    await ended;
  };
  try {
    await untilReady(port, ended);
  } catch (error) {
    await end();
    removeAll(directories.temporary);
    throw error;
  }
  return {
    url: `http://127.0.0.1:${String(port)}`,
    port,
    ...(tcpPort === undefined ? {} : { tcpPort }),
    pid: child.pid ?? 0,
    dataDirectory: directories.data,
    ended,
    kill: end,
    close: async () => {
      await end();
      removeAll(directories.temporary);
    },
  };
}

/** Starts the child so that neither it nor its pipes keep this process alive. */
function forkEngine(settings: object): ChildProcess {
  const child = fork(join(__dirname, 'engine-process.cjs'), [JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // loaders of this process (tsx) are not the child's
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '', TZ: 'UTC' },
  });
  child.unref();
  child.channel?.unref();
  (child.stderr as unknown as { unref?: () => void } | null)?.unref?.();
  return child;
}

const keptErrorBytes = 8192;

/** Resolves with a readable reason when the process is gone: ClickHouse's last error, else its exit. */
function watchEnd(child: ChildProcess, dataDirectory: string): Promise<string> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-keptErrorBytes);
  });
  return new Promise((done) => {
    child.once('error', (error) => {
      done(`ClickHouse did not start: ${error.message}`);
    });
    child.once('close', (code, signal) => {
      done(explainEnd(errors, signal ?? `exit code ${String(code)}`, dataDirectory));
    });
  });
}

function explainEnd(errors: string, how: string, dataDirectory: string): string {
  if (errors.includes('Cannot lock file')) {
    return `The data directory ${dataDirectory} is in use by another ClickHouse server`;
  }
  const exception = /Code: \d+\. DB::.*/.exec(errors)?.[0];
  const reason = exception ?? errors.trim().split('\n').slice(-5).join('\n');
  return `ClickHouse ended (${how})${reason === '' ? '' : `: ${reason}`}`;
}

async function untilReady(port: number, ended: Promise<string>): Promise<void> {
  let reason: string | undefined;
  void ended.then((text) => {
    reason = text;
  });
  const limit = performance.now() + startLimitMs;
  while (performance.now() < limit) {
    const answers = await ping(port);
    // whoever answers on the port after the child's end is not the child
    if (reason !== undefined) throw new Error(reason);
    if (answers) return;
    await sleep(25);
  }
  throw new Error(`ClickHouse did not answer within ${String(startLimitMs / 1000)} s`);
}

function ping(port: number): Promise<boolean> {
  return new Promise((done) => {
    const request = get(
      { host: '127.0.0.1', port, path: '/ping', agent: false, timeout: 2000 },
      (response) => {
        response.resume();
        response.once('close', () => {
          done(response.statusCode === 200);
        });
      },
    );
    request.once('timeout', () => request.destroy());
    request.once('error', () => {
      done(false);
    });
  });
}
