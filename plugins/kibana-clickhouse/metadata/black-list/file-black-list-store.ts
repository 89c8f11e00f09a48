import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { BlackListEntry } from '../../../../schema/black-list-entry';
import { documentOf, storedEntry, type BlackListStore } from './black-list-store';

/**
 * The query blacklist in one file, for an installation without Elasticsearch: a JSON object of the
 * entries by id. It is replaced as a whole, so that a crash leaves the old or the new one. Nodes that
 * share the file see each other's entries; two of them that write at the same moment do not.
 */
export function fileBlackListStore(path: string): BlackListStore {
  let last: Promise<unknown> = Promise.resolve();
  /** One change after the other. */
  const change = <T>(apply: (entries: Map<string, BlackListEntry>) => T): Promise<T> => {
    const changing = last
      .catch(() => undefined)
      .then(async () => {
        const entries = new Map((await readEntries(path)).map((entry) => [entry.id, entry]));
        const result = apply(entries);
        await writeEntries(path, [...entries.values()]);
        return result;
      });
    last = changing;
    return changing;
  };
  return {
    kind: 'file',
    read: () => readEntries(path),
    add: (entry) =>
      change((entries) => {
        if (entries.has(entry.id)) return false;
        entries.set(entry.id, entry);
        return true;
      }),
    remove: (id) => change((entries) => entries.delete(id)),
    touch: (matchedAt) =>
      change((entries) => {
        for (const [id, lastMatchedAt] of matchedAt) {
          const entry = entries.get(id);
          if (entry) entries.set(id, { ...entry, lastMatchedAt });
        }
      }),
    reasonOf: (error) => {
      const code = nodeCode(error);
      const what = code === undefined ? 'it holds no JSON object' : `[${code}]`;
      return `the file of the query blacklist cannot be used: ${what}`;
    },
  };
}

async function readEntries(path: string): Promise<readonly BlackListEntry[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (nodeCode(error) === 'ENOENT') return '{}';
    throw error;
  });
  const documents = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return Object.entries(documents).flatMap(([id, document]) => storedEntry(id, document) ?? []);
}

async function writeEntries(path: string, entries: readonly BlackListEntry[]): Promise<void> {
  const documents = Object.fromEntries(entries.map((entry) => [entry.id, documentOf(entry)]));
  const draft = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(draft, `${JSON.stringify(documents, undefined, 2)}\n`, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Node's name of a failure: `ENOENT`, `EACCES`; undefined for other errors. */
function nodeCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
