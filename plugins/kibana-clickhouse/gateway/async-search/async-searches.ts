import { LRUCache } from 'lru-cache';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../common/log';
import type {
  AsyncSearchOutcome,
  AsyncSearchRecord,
  AsyncSearchStore,
} from '../../metadata/async-search/async-search-store';
import { newAsyncSearchId } from './async-search-id';

/** A search that is to run on when its request is answered. */
export interface RunningSearch {
  readonly index: string;
  readonly consumer: string | undefined;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** Ends its statements. */
  readonly stop: AbortController;
  /** Never rejects. */
  readonly outcome: Promise<AsyncSearchOutcome>;
}

export interface AsyncSearchesOptions {
  /** Asked for each time. Undefined: searches are known to this node alone. */
  readonly store: () => AsyncSearchStore | undefined;
  readonly log: Log;
}

interface Running {
  record: AsyncSearchRecord;
  readonly stop: AbortController;
  /** The search has ended, and its outcome can be found. */
  readonly ended: Promise<void>;
  /** Whether other nodes can find it, as soon as that is known. */
  readonly sharing: Promise<boolean>;
  isShared: boolean;
}

/** How often the node that runs a search looks whether another one has deleted or prolonged it, in ms. */
const LOOK_EVERY_MS = 100;
/** How often it says that it still runs it, in ms. */
const ALIVE_EVERY_MS = 5_000;
/** A node that has said nothing for so long runs it no more, in ms. */
const DEAD_AFTER_MS = 30_000;
/** How often a node that waits for another one's search looks whether it has ended, in ms. */
const WAIT_STEP_MS = 100;
/** Nobody waits longer for the store, in ms. */
const STORE_LIMIT_MS = 2_000;
const SWEEP_EVERY_MS = 5 * 60_000;
/** Bytes of answers that are kept here because they cannot be shared. */
const KEPT_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 512;

/**
 * Searches that run on after their request was answered, and answers that are kept. Each runs on one node; its state and then
 * its answer stand in the store, so that every node finds it. One that is deleted, or expires, is stopped in ClickHouse.
 */
export class AsyncSearches {
  readonly #options: AsyncSearchesOptions;
  readonly #running = new Map<string, Running>();
  /** Answers that the store has not. */
  readonly #kept = new LRUCache<string, AsyncSearchRecord>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ outcome }) => ENTRY_BYTES + 2 * (outcome?.text.length ?? 0),
  });
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #saidAliveAt = 0;
  #sweptAt = 0;

  constructor(options: AsyncSearchesOptions) {
    this.#options = options;
  }

  /** Takes over a search that runs; gives its id, by which every node finds it when this resolves. */
  async adopt(search: RunningSearch): Promise<string> {
    const id = newAsyncSearchId();
    const { index, consumer, startedAt, expiresAt, stop, outcome } = search;
    const aliveAt = Date.now();
    const record = {
      index,
      ...(consumer !== undefined && { consumer }),
      startedAt,
      expiresAt,
      aliveAt,
    };
    const ended = outcome.then((found) => this.#end(id, found));
    const sharing = this.#shared((store) => store.create(id, record).then(() => true));
    const running: Running = { record, stop, ended, sharing, isShared: false };
    this.#running.set(id, running);
    running.isShared = await sharing;
    this.#watch();
    return id;
  }

  /** Keeps the answer of a search that has ended; gives its id. Nobody waits for the store. */
  keep(search: Omit<RunningSearch, 'outcome' | 'stop'>, outcome: AsyncSearchOutcome): string {
    const id = newAsyncSearchId();
    const { index, consumer, startedAt, expiresAt } = search;
    const whose = consumer === undefined ? {} : { consumer };
    const record = { index, ...whose, startedAt, expiresAt, aliveAt: Date.now(), outcome };
    this.#keepHere(id, record);
    void this.#shared((store) => store.create(id, record).then(() => true)).then((isShared) => {
      if (isShared) this.#kept.delete(id);
      this.#sweep();
    });
    return id;
  }

  /** A search of that id, wherever it runs; undefined where there is none, or none any more. */
  async find(id: string): Promise<AsyncSearchRecord | undefined> {
    const here = this.#running.get(id)?.record ?? this.#kept.get(id);
    const found = here ?? (await this.#options.store()?.read(id));
    const now = Date.now();
    if (!found || found.expiresAt <= now) return undefined;
    return here || found.outcome || found.aliveAt > now - DEAD_AFTER_MS ? found : undefined;
  }

  /** The same, when it has ended, or after that time in ms, or when the signal says so. */
  async wait(id: string, ms: number, signal: AbortSignal): Promise<AsyncSearchRecord | undefined> {
    const until = Date.now() + ms;
    let found = await this.find(id);
    while (found && !found.outcome && Date.now() < until && !signal.aborted) {
      const ended = this.#running.get(id)?.ended;
      const step = Math.min(until - Date.now(), ended ? ms : WAIT_STEP_MS);
      await paused(step, signal, ended);
      found = await this.find(id);
    }
    return found;
  }

  /** Lets a search live until then at least. */
  async prolong(id: string, record: AsyncSearchRecord, until: number): Promise<AsyncSearchRecord> {
    if (until <= record.expiresAt) return record;
    const longer = { ...record, expiresAt: until };
    const running = this.#running.get(id);
    if (running) running.record = { ...running.record, expiresAt: until };
    else if (this.#kept.has(id)) this.#keepHere(id, longer);
    await this.#options.store()?.update(id, { expiresAt: until });
    return longer;
  }

  /** Forgets a search; one that runs is stopped, here at once, on another node when that looks. */
  async remove(id: string): Promise<void> {
    const running = this.#running.get(id);
    this.#running.delete(id);
    this.#kept.delete(id);
    running?.stop.abort();
    if (!running || (await running.sharing)) await this.#options.store()?.remove(id);
  }

  /** Stops all searches that run here. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await Promise.all(
      [...this.#running.keys()].map((id) => this.remove(id).catch(() => undefined)),
    );
    this.#kept.clear();
  }

  async #end(id: string, outcome: AsyncSearchOutcome): Promise<void> {
    const running = this.#running.get(id);
    // deleted meanwhile: its outcome is that of being stopped
    if (!running) return;
    const record = { ...running.record, outcome };
    this.#keepHere(id, record);
    this.#running.delete(id);
    if (!(await running.sharing)) return;
    // gone from the store: another node has deleted it
    const isStored = await this.#shared((store) =>
      store.update(id, { outcome }).then((isThere) => isThere || 'gone'),
    );
    if (isStored) this.#kept.delete(id);
  }

  #keepHere(id: string, record: AsyncSearchRecord): void {
    const ttl = record.expiresAt - Date.now();
    if (ttl > 0) this.#kept.set(id, record, { ttl });
  }

  /** False where there is no store, or it has failed: the search is then known here alone. */
  async #shared(call: (store: AsyncSearchStore) => Promise<boolean | 'gone'>): Promise<boolean> {
    try {
      const store = this.#options.store();
      if (!store) return false;
      const limit = sleep(STORE_LIMIT_MS, false, { ref: false });
      return Boolean(await Promise.race([call(store), limit]));
    } catch {
      this.#options.log.warn(
        'an asynchronous search is known to this node alone: its store has failed',
      );
      return false;
    }
  }

  #watch(): void {
    this.#timer ??= setInterval(() => {
      if (this.#running.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      } else if (!this.#isLooking) void this.#look();
    }, LOOK_EVERY_MS).unref();
  }

  /** What other nodes have done to the searches that run here, and which of them have expired. */
  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      await this.#compare();
      await this.#sayAlive();
    } catch {
      // the store is away: what runs goes on
    } finally {
      this.#isLooking = false;
    }
    const expired = [...this.#running].filter(([, { record }]) => record.expiresAt <= Date.now());
    await Promise.all(expired.map(([id]) => this.remove(id).catch(() => undefined)));
    this.#sweep();
  }

  async #compare(): Promise<void> {
    const shared = this.#sharedIds();
    const expiries = shared.length > 0 && (await this.#options.store()?.expiries(shared));
    if (!expiries) return;
    for (const id of shared) {
      const running = this.#running.get(id);
      const expiresAt = expiries.get(id);
      if (!running) continue;
      if (expiresAt === undefined) {
        this.#running.delete(id);
        running.stop.abort();
      } else if (expiresAt > running.record.expiresAt)
        running.record = { ...running.record, expiresAt };
    }
  }

  async #sayAlive(): Promise<void> {
    if (Date.now() - this.#saidAliveAt < ALIVE_EVERY_MS) return;
    const aliveAt = Date.now();
    this.#saidAliveAt = aliveAt;
    const store = this.#options.store();
    if (store) await Promise.all(this.#sharedIds().map((id) => store.update(id, { aliveAt })));
  }

  #sharedIds(): readonly string[] {
    return [...this.#running].flatMap(([id, { isShared }]) => (isShared ? [id] : []));
  }

  /** What nobody asks for any more goes now and then. */
  #sweep(): void {
    if (Date.now() - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = Date.now();
    this.#options
      .store()
      ?.removeExpired(Date.now())
      .catch(() => undefined);
  }
}

/** That time, or until something ends, or the signal says so. */
async function paused(ms: number, signal: AbortSignal, ended?: Promise<void>): Promise<void> {
  const over = new AbortController();
  const timer = sleep(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) });
  await Promise.race([timer.catch(() => undefined), ...(ended ? [ended] : [])]);
  over.abort();
}
