import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AsyncSearchChange, AsyncSearchRecord, AsyncSearchStore } from './async-search-store';

/** What changes stands in a file of its own: nobody writes back what another node has changed meanwhile. */
const CHANGING: readonly (keyof AsyncSearchChange)[] = ['aliveAt', 'expiresAt', 'outcome'];
const RECORD = 'json';
/** Only its owner reads it: it holds documents. */
const MODE = 0o600;

/** Searches in a directory, for an installation without Elasticsearch; made with the first one. Ids are names of files. */
export function fileAsyncSearchStore(directory: string): AsyncSearchStore {
  const pathOf = (id: string, part: string): string => join(directory, `${id}.${part}`);
  const removeAll = (id: string): Promise<unknown> =>
    Promise.all([RECORD, ...CHANGING].map((part) => rm(pathOf(id, part), { force: true })));
  const read = async (id: string): Promise<AsyncSearchRecord | undefined> => {
    const record = (await readJson(pathOf(id, RECORD))) as AsyncSearchRecord | undefined;
    if (!record) return undefined;
    const changed = await Promise.all(
      CHANGING.map(async (part) => [part, await readJson(pathOf(id, part))] as const),
    );
    const known = changed.filter(([, value]) => value !== undefined);
    return { ...record, ...(Object.fromEntries(known) as AsyncSearchChange) };
  };
  return {
    create: async (id, record) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeJson(pathOf(id, RECORD), record);
    },
    read,
    expiries: async (ids) => {
      const found = await Promise.all(ids.map(async (id) => [id, await read(id)] as const));
      return new Map(found.flatMap(([id, one]) => (one ? [[id, one.expiresAt] as const] : [])));
    },
    update: async (id, change) => {
      if ((await readJson(pathOf(id, RECORD))) === undefined) return false;
      for (const part of CHANGING)
        if (change[part] !== undefined) await writeJson(pathOf(id, part), change[part]);
      // one that was removed meanwhile leaves nothing
      if ((await readJson(pathOf(id, RECORD))) !== undefined) return true;
      await removeAll(id);
      return false;
    },
    remove: async (id) => {
      const isThere = (await readJson(pathOf(id, RECORD))) !== undefined;
      await removeAll(id);
      return isThere;
    },
    removeExpired: async (now) => {
      const names = await readdir(directory).catch(() => []);
      const ids = names.flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
      for (const id of ids) {
        const record = await read(id);
        if (record && record.expiresAt <= now) await removeAll(id);
      }
    },
  };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

const isAbsence = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

/** The whole of it or nothing. */
async function writeJson(path: string, content: unknown): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify(content), { mode: MODE });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
