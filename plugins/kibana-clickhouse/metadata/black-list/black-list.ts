import { createHash } from 'node:crypto';
import { MAX_BLACK_LIST_ENTRIES, type BlackListEntry } from '../../../../schema/black-list-entry';
import { illegalArgument, storeUnavailable } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { Log } from '../../common/log';
import type { BlackListStore } from './black-list-store';

export interface BlackListOptions {
  /**
   * Where the list is kept, asked for each time. Undefined where there is neither Elasticsearch nor a
   * file: then the list is empty and takes no entry.
   */
  readonly store: () => BlackListStore | undefined;
  /** The setting `proxy.enableBlackList`, asked for each search. */
  readonly isEnabled: () => boolean;
  readonly log: Log;
  /** Epoch ms. */
  readonly now?: () => number;
  /** ms between reads of the store; default 8,000. */
  readonly everyMs?: number;
}

/** How the query blacklist fares, for `/health`. */
export interface BlackListStatus {
  readonly enabled: boolean;
  readonly store: BlackListStore['kind'] | 'none';
  /** Entries in force here. */
  readonly entries: number;
  /** Searches that were refused, by this process and configuration. */
  readonly refused: number;
  /** Epoch ms of the last good read; absent when there was none. */
  readonly readAt?: number;
  /** Why the last read failed; absent when it did not. Never holds a secret. */
  readonly problem?: string;
}

/** A search as an entry matches it. */
export interface MatchedSearch {
  readonly fingerprint: string;
  /** ms; absent where the search's time range has no beginning. */
  readonly rangeMs?: number;
}

/** With the time of the read itself, an entry of another node is known within 10 s. */
const EVERY_MS = 8_000;
/** Searches wait so long at most for the first read, in ms. */
const FIRST_READ_MS = 2_000;

/**
 * The query blacklist of one configuration: read from its store every few seconds, kept in memory. An
 * entry is in force at once on the node that took it, within 10 s on the others. When the store cannot
 * be read the last list goes on. It reads from the first search on, until it is closed.
 */
export class BlackList {
  readonly #options: BlackListOptions;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #first: Promise<void> | undefined;
  #entries: ReadonlyMap<string, BlackListEntry> = new Map();
  #byText: ReadonlyMap<string, readonly BlackListEntry[]> = new Map();
  /** Changes here since the start; what was read before a change is older than it. */
  #changes = 0;
  /** Epoch ms by id: not yet in the store. */
  readonly #matchedAt = new Map<string, number>();
  #refused = 0;
  /** Searches that count: each of their statements asks. */
  readonly #refusedSearches = new WeakSet<MatchedSearch>();
  #readAt: number | undefined;
  #problem: string | undefined;

  constructor(options: BlackListOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * The entry that forbids a search; of several the one with the shortest range. Asked with the same
   * object for each statement of a search. Never rejects.
   */
  async match(search: MatchedSearch): Promise<BlackListEntry | undefined> {
    if (!this.#options.isEnabled()) return undefined;
    await this.#started();
    const { fingerprint, rangeMs = Infinity } = search;
    const entry = this.#byText.get(fingerprint)?.find(({ range }) => rangeMs >= range);
    if (!entry) return undefined;
    this.#matchedAt.set(entry.id, this.#now());
    if (!this.#refusedSearches.has(search)) this.#refused++;
    this.#refusedSearches.add(search);
    return entry;
  }

  /** All entries as the store has them now, the oldest first. 503 when it cannot be read. */
  async list(): Promise<readonly BlackListEntry[]> {
    const store = this.#options.store();
    if (!store) return [];
    await this.#attempt(store, () => this.#read(store));
    return [...this.#entries.values()]
      .map((entry) => ({ ...entry, ...this.#lastMatch(entry) }))
      .sort((a, b) => a.createdAt - b.createdAt);
  }

  /**
   * Keeps an entry, in force here when it resolves. `isNew` is false for an entry that was there
   * already, which stays as it is. 400 when the list is full, 503 when it cannot be kept.
   */
  async add(
    range: number,
    sql: string,
  ): Promise<{ readonly entry: BlackListEntry; readonly isNew: boolean }> {
    const store = this.#requiredStore();
    const entry: BlackListEntry = { id: idOf(range, sql), range, sql, createdAt: this.#now() };
    const isNew = await this.#attempt(store, async () => {
      await this.#read(store);
      if (this.#entries.size >= MAX_BLACK_LIST_ENTRIES && !this.#entries.has(entry.id))
        throw illegalArgument(
          `the query blacklist holds [${String(MAX_BLACK_LIST_ENTRIES)}] entries and takes no more: delete some`,
        );
      return store.add(entry);
    });
    const kept = this.#entries.get(entry.id) ?? entry;
    this.#change([...this.#without(entry.id), kept]);
    return { entry: kept, isNew };
  }

  /** Takes an entry away, here at once. False where there is none of that id. 503 when the store cannot be written. */
  async remove(id: string): Promise<boolean> {
    const store = this.#requiredStore();
    const isRemoved = await this.#attempt(store, () => store.remove(id));
    this.#matchedAt.delete(id);
    this.#change(this.#without(id));
    return isRemoved;
  }

  status(): BlackListStatus {
    const { isEnabled } = this.#options;
    return {
      enabled: isEnabled(),
      store: this.#usableStore()?.kind ?? 'none',
      entries: this.#entries.size,
      refused: this.#refused,
      ...(this.#readAt !== undefined && { readAt: this.#readAt }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  /** Stops reading, and keeps when entries last matched if that takes no more than 2 s. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const store = this.#usableStore();
    if (store) await within(FIRST_READ_MS, this.#touch(store).catch(ignored));
  }

  /** The first search starts the reading and waits for the first list. */
  #started(): Promise<void> {
    this.#first ??= this.#start();
    return this.#first;
  }

  async #start(): Promise<void> {
    const { everyMs = EVERY_MS } = this.#options;
    this.#timer = setInterval(() => void this.#turn(), everyMs).unref();
    await within(FIRST_READ_MS, this.#turn());
  }

  async #turn(): Promise<void> {
    const store = this.#usableStore();
    if (!store) return;
    try {
      await this.#read(store);
      await this.#touch(store);
      this.#problem = undefined;
    } catch (error) {
      this.#fail(store.reasonOf(error));
    }
  }

  async #read(store: BlackListStore): Promise<void> {
    const changes = this.#changes;
    const entries = await store.read();
    if (changes === this.#changes) this.#setEntries(entries);
    this.#readAt = this.#now();
  }

  async #touch(store: BlackListStore): Promise<void> {
    if (this.#matchedAt.size === 0) return;
    const sent = new Map(this.#matchedAt);
    await store.touch(sent);
    for (const [id, at] of sent) if (this.#matchedAt.get(id) === at) this.#matchedAt.delete(id);
  }

  #change(entries: readonly BlackListEntry[]): void {
    this.#changes++;
    this.#setEntries(entries);
  }

  #setEntries(entries: readonly BlackListEntry[]): void {
    const byText = new Map<string, BlackListEntry[]>();
    for (const entry of [...entries].sort((a, b) => a.range - b.range))
      byText.set(entry.sql, [...(byText.get(entry.sql) ?? []), entry]);
    this.#byText = byText;
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
  }

  readonly #without = (id: string): readonly BlackListEntry[] =>
    [...this.#entries.values()].filter((entry) => entry.id !== id);

  #lastMatch({ id, lastMatchedAt = 0 }: BlackListEntry): Pick<BlackListEntry, 'lastMatchedAt'> {
    const at = Math.max(lastMatchedAt, this.#matchedAt.get(id) ?? 0);
    return at === 0 ? {} : { lastMatchedAt: at };
  }

  /** Undefined, and a problem, where the configuration of the store cannot be used. */
  #usableStore(): BlackListStore | undefined {
    try {
      return this.#options.store();
    } catch (error) {
      this.#fail(error instanceof ElasticsearchError ? error.message : 'its store cannot be used');
      return undefined;
    }
  }

  #requiredStore(): BlackListStore {
    const store = this.#options.store();
    if (store) return store;
    throw storeUnavailable(
      '[kibana-clickhouse] the query blacklist has no store: name an Elasticsearch in metadata_config.hosts, or a state_file',
    );
  }

  async #attempt<T>(store: BlackListStore, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof ElasticsearchError) throw error;
      throw storeUnavailable(
        `[kibana-clickhouse] the store of the query blacklist cannot be used: ${store.reasonOf(error)}`,
        error,
      );
    }
  }

  #fail(problem: string): void {
    if (this.#problem !== problem)
      this.#options.log.warn({ problem }, 'the query blacklist cannot be read');
    this.#problem = problem;
  }
}

const ID_CHARACTERS = 32;

const idOf = (range: number, sql: string): string =>
  createHash('sha256')
    .update(`${String(range)}_${sql}`)
    .digest('hex')
    .slice(0, ID_CHARACTERS);

const ignored = (): void => undefined;

/** Waits for something, but no longer than that; then it goes on alone. */
async function within(ms: number, something: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([something, limit]);
  clearTimeout(timer);
}
