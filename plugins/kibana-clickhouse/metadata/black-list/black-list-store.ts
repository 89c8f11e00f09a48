import type { BlackListEntry, StoredBlackListEntry } from '../../../../schema/black-list-entry';

/** Where the query blacklist is kept. All calls throw what `reasonOf` of the store explains. */
export interface BlackListStore {
  readonly kind: 'elasticsearch' | 'file';
  /** All entries; those that were stored before this resolves are among them. */
  read(): Promise<readonly BlackListEntry[]>;
  /** Keeps an entry. An entry of that id stays as it is: false. */
  add(entry: BlackListEntry): Promise<boolean>;
  /** False where there is no such entry. */
  remove(id: string): Promise<boolean>;
  /** Keeps when entries last matched, epoch ms by id. Those that are gone are passed over. */
  touch(matchedAt: ReadonlyMap<string, number>): Promise<void>;
  /** Why a call failed, in words without a secret. */
  reasonOf(error: unknown): string;
}

/** Reads what a store holds; undefined for what is no entry, such as another program's document. */
export function storedEntry(id: string, document: unknown): BlackListEntry | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const { range, sql, createdAt, lastMatchedAt } = document as Partial<
    Record<keyof StoredBlackListEntry, unknown>
  >;
  if (typeof range !== 'number' || typeof sql !== 'string') return undefined;
  return {
    id,
    range,
    sql,
    createdAt: typeof createdAt === 'number' ? createdAt : 0,
    ...(typeof lastMatchedAt === 'number' && { lastMatchedAt }),
  };
}

/** The document of an entry. */
export function documentOf(entry: BlackListEntry): StoredBlackListEntry {
  const { range, sql, createdAt, lastMatchedAt } = entry;
  return { range, sql, createdAt, ...(lastMatchedAt !== undefined && { lastMatchedAt }) };
}
