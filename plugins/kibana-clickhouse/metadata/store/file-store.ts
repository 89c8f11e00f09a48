import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeUnavailable } from '../../common/errors/catalogue';
import type { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { SettingsStore, StoredSettings, StoreState } from './settings-store';

/** The form of the file, so that another one can follow. */
const FORMAT = 1;
/** Only its owner reads it: it names addresses and users. */
const MODE = 0o600;
/** A lock that is older was left behind by a process that died, in ms: a write takes milliseconds. */
const STALE_LOCK_MS = 10_000;
const LOCK_RETRY_MS = 20;

/**
 * Keeps the settings in one file: `{"format":1,"version":n,"overlay":{…}}`. A write goes to another
 * file first, is flushed to disk and takes the place of the old one at once, so that a reader finds
 * either. Writers, of other processes too, take turns by a lock file beside it.
 */
export function createFileStore(path: string): SettingsStore {
  return {
    kind: 'file',
    read: async (signal) => ({ stored: await read(path, signal), token: undefined }),
    write: (next, before, signal) =>
      locked(`${path}.lock`, signal, async () => {
        if (!isSame(await read(path, signal), before)) return false;
        await replace(path, { format: FORMAT, ...next });
        return true;
      }),
    close: () => Promise.resolve(),
  };
}

const isSame = (stored: StoredSettings | undefined, before: StoreState): boolean =>
  stored?.version === before.stored?.version;

async function read(path: string, signal: AbortSignal): Promise<StoredSettings | undefined> {
  let text: string;
  try {
    text = await readFile(path, { encoding: 'utf8', signal });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unavailable('read', codeOf(error), error);
  }
  return parsed(text);
}

/** A file that is not ours is never written over. */
function parsed(text: string): StoredSettings {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw unavailable('read', 'it is no JSON');
  }
  if (!isContent(content)) throw unavailable('read', 'it does not hold stored settings');
  const { version, overlay } = content;
  return { version, overlay };
}

const isContent = (content: unknown): content is StoredSettings =>
  typeof content === 'object' &&
  content !== null &&
  'format' in content &&
  content.format === FORMAT &&
  'version' in content &&
  Number.isSafeInteger(content.version) &&
  'overlay' in content;

async function replace(path: string, content: object): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await flushed(temporary, JSON.stringify(content, undefined, 2));
    await rename(temporary, path);
    await flushDirectory(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw unavailable('written', codeOf(error), error);
  }
}

async function flushed(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', MODE);
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The new name of a file is on disk only when its directory is. */
async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function locked<T>(lock: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  while (!(await taken(lock))) {
    if (signal.aborted) throw unavailable('written', `${lock} is held by another process`);
    await sleep(LOCK_RETRY_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', MODE)).close();
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unavailable('written', codeOf(error), error);
  }
  const left = await stat(lock).catch(() => undefined);
  if (left && Date.now() - left.mtimeMs > STALE_LOCK_MS) await rm(lock, { force: true });
  return false;
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'unknown error';

const unavailable = (what: 'read' | 'written', why: string, cause?: unknown): ElasticsearchError =>
  storeUnavailable(`[kibana-clickhouse] state_file cannot be ${what}: ${why}`, cause);
