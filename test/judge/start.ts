import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { elasticsearch, type Engine, opensearch } from './engines';
import { javaProgram } from './java';
import { type PreparedEngine, prepareEngine } from './prepare';
import { judgeRequest, type JudgeAnswer } from './request';
import { warmUp } from './warm-up';

export interface JudgeOptions {
  /** Java heap in MB; default 512. */
  readonly heapMegabytes?: number;
}

/** A running Elasticsearch or OpenSearch. */
export interface Judge {
  /** `http://127.0.0.1:port`, or what the environment names. */
  readonly url: string;
  /** What `GET /` says. */
  readonly version: string;
  /** Undefined for a server that was not started here. */
  readonly pid: number | undefined;
  /** Where its data lies; undefined for a server that was not started here. */
  readonly home: string | undefined;
  /** Ends the process and removes its data; leaves a server that was not started here alone. */
  close(): Promise<void>;
}

const startLimitMs = 180_000;
const orderlyEndMs = 60_000;

/**
 * Gives the Elasticsearch that decides what is right: the one `ELASTICSEARCH_URL` names, else 7.17.29 started here on a
 * free port of 127.0.0.1. It ends with this process, even when this one is killed. The first start on a machine fetches
 * and compiles (about a minute). Throws with Java's, Maven's or the server's last output when it does not come up.
 */
export const startElasticsearch = (options: JudgeOptions = {}): Promise<Judge> =>
  useOrStart(elasticsearch, options);

/** As `startElasticsearch`, for OpenSearch 2.19.1 and `OPENSEARCH_URL`. */
export const startOpenSearch = (options: JudgeOptions = {}): Promise<Judge> =>
  useOrStart(opensearch, options);

async function useOrStart(engine: Engine, options: JudgeOptions): Promise<Judge> {
  const url = process.env[engine.variable];
  if (url === undefined || url === '') return startEngine(engine, options);
  const version = await readVersion(url);
  return { url, version, pid: undefined, home: undefined, close: () => Promise.resolve() };
}

/** Starts an engine of our own, whatever the environment names. */
export async function startEngine(engine: Engine, options: JudgeOptions = {}): Promise<Judge> {
  const prepared = await prepareEngine(engine);
  const server = spawnServer(engine, prepared, options);
  try {
    const port = await server.listening;
    const url = `http://127.0.0.1:${String(port)}`;
    const { credentials } = engine;
    const own = credentials === undefined ? url : `http://${credentials}@127.0.0.1:${String(port)}`;
    const version = await readVersion(own);
    await warmUp(own);
    letParentEnd(server.child);
    return { url, version, pid: server.child.pid, home: server.home, close: () => server.end() };
  } catch (error) {
    await server.kill();
    throw error;
  }
}

async function readVersion(url: string): Promise<string> {
  const { status, body, text } = await firstAnswer(url);
  const number = (body as { readonly version?: { readonly number?: string } } | undefined)?.version
    ?.number;
  if (status !== 200 || number === undefined) {
    throw new Error(`GET / is not Elasticsearch's answer: ${String(status)} ${text}`);
  }
  return number;
}

/** How long a server may not know its users, in ms. */
const usersLimitMs = 30_000;

/** One with users answers 503 until it reads them, and for a moment 401 to those that it has not read yet. */
async function firstAnswer(url: string): Promise<JudgeAnswer> {
  const began = Date.now();
  for (;;) {
    const answer = await judgeRequest(url, 'GET', '/');
    const limit = { 401: usersLimitMs, 503: startLimitMs }[answer.status] ?? 0;
    if (Date.now() - began >= limit) return answer;
    await sleep(100);
  }
}

/**
 * `-Djava.locale.providers` is what Elasticsearch's own launcher passes: without it `EEEE` gives `Mon` and weeks begin on
 * Sunday. The garbage collector and the compiler are chosen for a short start.
 */
function javaFlags(archive: ClassArchive, home: string, options: JudgeOptions): readonly string[] {
  const heap = `${String(options.heapMegabytes ?? 512)}m`;
  return [
    `-Xms${heap}`,
    `-Xmx${heap}`,
    '-Djava.locale.providers=SPI,COMPAT',
    '-Dfile.encoding=UTF-8',
    `-Djava.io.tmpdir=${join(home, 'tmp')}`,
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    archive.recording === undefined
      ? `-XX:SharedArchiveFile=${archive.file}`
      : `-XX:ArchiveClassesAtExit=${archive.recording}`,
  ];
}

/** Java's archive of loaded classes, which halves the start. The first server on a machine records it. */
interface ClassArchive {
  readonly file: string;
  /** Where this server writes it at its end; undefined when there is one. */
  readonly recording?: string;
}

function classArchive(file: string): ClassArchive {
  return existsSync(file) ? { file } : { file, recording: `${file}-${randomUUID()}` };
}

interface Server {
  readonly child: ChildProcessWithoutNullStreams;
  readonly home: string;
  /** The HTTP port; rejects when the process ends before, or after 180 s. */
  readonly listening: Promise<number>;
  /** Ends it, in good order where that leaves a class archive for later starts. */
  end(): Promise<void>;
  kill(): Promise<void>;
}

function spawnServer(engine: Engine, prepared: PreparedEngine, options: JudgeOptions): Server {
  const home = mkdtempSync(join(tmpdir(), `judge-${engine.name}-`));
  for (const name of ['config', 'tmp']) mkdirSync(join(home, name));
  engine.configure?.(home);
  const archive = classArchive(prepared.archive);
  const child = spawn(
    javaProgram('java'),
    [...javaFlags(archive, home, options), '-cp', prepared.classpath, engine.mainClass, home],
    // a group of its own: an interrupt is for the parent, whose end the server sees by its standard input
    { detached: true, env: { ...process.env, TZ: 'UTC' } },
  );
  // the server may be gone when it is told to end
  child.stdin.on('error', () => undefined);
  const ended = endOf(child);
  const kill = async (): Promise<void> => {
    child.ref();
    child.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  };
  const end = async (): Promise<void> => {
    if (archive.recording !== undefined) await record(child, ended, archive);
    await kill();
  };
  return {
    child,
    home,
    listening: listeningPort(child, `${engine.name} ${engine.version}`),
    end,
    kill,
  };
}

/** Resolves when the process is gone, or never came to be. */
function endOf(child: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((done) => {
    child.once('exit', () => {
      done();
    });
    child.once('error', () => {
      done();
    });
  });
}

async function record(
  child: ChildProcessWithoutNullStreams,
  ended: Promise<void>,
  { file, recording = '' }: ClassArchive,
): Promise<void> {
  child.ref();
  child.stdin.write('exit\n');
  await Promise.race([ended, sleep(orderlyEndMs, undefined, { ref: false })]);
  if (child.exitCode === 0 && existsSync(recording) && !existsSync(file))
    renameSync(recording, file);
  rmSync(recording, { force: true });
}

/** From now on neither the process nor its pipes keep this one alive. */
function letParentEnd(child: ChildProcessWithoutNullStreams): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    (stream as unknown as { unref?: () => void }).unref?.();
  }
}

const keptCharacters = 8192;

function listeningPort(child: ChildProcessWithoutNullStreams, name: string): Promise<number> {
  let output = '';
  const lastOutput = (): string => (output === '' ? '' : `:\n${output.trim()}`);
  return new Promise((done, fail) => {
    const limit = setTimeout(() => {
      fail(
        new Error(`${name} did not answer within ${String(startLimitMs / 1000)} s${lastOutput()}`),
      );
    }, startLimitMs);
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-keptCharacters);
      const port = /^listening (\d+)$/m.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(limit);
      done(Number(port));
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => {
      clearTimeout(limit);
      fail(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      const how = signal ?? `exit code ${String(code)}`;
      fail(new Error(`${name} ended (${how}) before it could be asked${lastOutput()}`));
    });
  });
}
