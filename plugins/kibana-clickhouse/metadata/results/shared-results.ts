import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { Log } from '../../common/log';
import { elasticsearchProblem, type ElasticsearchClient } from '../elasticsearch-client';
import { withElasticsearch, type TakeElasticsearchClient } from '../elasticsearch-client-lease';
import {
  deleteEndedIndexes,
  ensureSharedResultsIndex,
  sharedResultsBytes,
  sharedResultsIndex,
  SLICE_MS,
} from './shared-results-index';

/** A result as another node has left it. */
export interface SharedResult {
  /** As it was written. */
  readonly text: string;
  /** Epoch ms; later than now. */
  readonly expiresAt: number;
}

/** A result to be left for the other nodes. */
export interface NewResult {
  /** Equal for what gives equal results, whoever asks. */
  readonly key: string;
  /** Made when it is written. */
  readonly text: () => string;
  /** Epoch ms; kept for 15 minutes at most. */
  readonly expiresAt: number;
}

export interface SharedResultsOptions {
  readonly take: TakeElasticsearchClient;
  /** Shards of an index at its creation. */
  readonly shards: () => number;
  readonly log: Log;
  readonly limits?: Partial<SharedResultsLimits>;
}

export interface SharedResultsLimits {
  /** ms that a reader waits at most. */
  readonly readMs: number;
  /** ms for which Elasticsearch is left alone after it has failed, or was late several times. */
  readonly pauseMs: number;
  /** Bytes of all results in Elasticsearch: above, none is written. */
  readonly storedBytes: number;
  /** Bytes of one result, compressed. */
  readonly resultBytes: number;
  /** Results that wait to be written. */
  readonly queued: number;
}

/** How the shared results fare, for `/health` and `/metrics`. Counts are of this process and configuration. */
export interface SharedResultsStatus {
  readonly hits: number;
  readonly written: number;
  /** Results that were not written: too large, too many, or Elasticsearch did not take them. */
  readonly dropped: number;
  /** Why results are not shared now; absent where they are. Never holds a secret. */
  readonly problem?: string;
}

const LIMITS: SharedResultsLimits = {
  readMs: 50,
  pauseMs: 10_000,
  storedBytes: 256 * 1024 * 1024,
  resultBytes: 2 * 1024 * 1024,
  queued: 200,
};
/** Reads that are under way at once; one more is not made. */
const READS_AT_ONCE = 64;
/** A read that was late goes on for this time, in ms: it may only have had to connect. */
const LATE_MS = 1_000;
/** So many late reads one after the other are no accident. */
const LATE_IN_A_ROW = 3;
const BATCH = 20;
const SWEEP_EVERY_MS = 60_000;

const zipped = promisify<Buffer, Buffer>(gzip);
const unzipped = promisify<Buffer, Buffer>(gunzip);

const TOO_LARGE = 'the results in Elasticsearch take all the room that they may';

/**
 * Results that nodes share in `proxy-cache-<time>`, for 15 minutes at most. Nobody waits for a write, and for a read 50 ms at
 * most; while Elasticsearch fails or is slow, it is asked nothing. Never rejects: a result that is not there costs a query.
 */
export class SharedResults {
  readonly #options: SharedResultsOptions;
  readonly #limits: SharedResultsLimits;
  readonly #queue = new Map<string, NewResult>();
  readonly #timer: NodeJS.Timeout;
  #prepared: { readonly by?: ElasticsearchClient; readonly names: Set<string> } = emptied();
  #writing: Promise<void> | undefined;
  #isClosed = false;
  #reading = 0;
  #lateInARow = 0;
  #pausedUntil = 0;
  #sweepAt = 0;
  #isFull = false;
  #hasIndexes = false;
  #hits = 0;
  #written = 0;
  #dropped = 0;
  #problem: string | undefined;

  constructor(options: SharedResultsOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#timer = setInterval(() => {
      if (this.#hasIndexes) void this.flush();
    }, SWEEP_EVERY_MS).unref();
  }

  /** The result that any node has left under that key; undefined where there is none, and after 50 ms. */
  async read(key: string): Promise<SharedResult | undefined> {
    if (this.#isClosed || this.#isPaused() || this.#reading >= READS_AT_ONCE) return undefined;
    this.#reading++;
    const found = this.#find(key).finally(() => this.#reading--);
    const late = Symbol('late');
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<typeof late>((resolve) => {
      timer = setTimeout(() => {
        resolve(late);
      }, this.#limits.readMs);
    });
    const result = await Promise.race([found, limit]);
    clearTimeout(timer);
    if (result === late) {
      this.#late();
      return undefined;
    }
    if (result) this.#hits++;
    return result;
  }

  /** Leaves a result for the other nodes, later. Never throws. */
  write(result: NewResult): void {
    if (this.#isClosed || this.#isPaused() || result.expiresAt <= Date.now()) return;
    if (this.#queue.size >= this.#limits.queued) {
      this.#dropped++;
      return;
    }
    this.#queue.set(result.key, result);
    // after the answer that it belongs to
    setImmediate(() => void this.flush());
  }

  status(): SharedResultsStatus {
    return {
      hits: this.#hits,
      written: this.#written,
      dropped: this.#dropped,
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  /** Writes what waits, and deletes the indexes whose results have ended. Never rejects. */
  flush(): Promise<void> {
    this.#writing ??= this.#work().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  /** Stops; what waits is not written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#queue.clear();
    await Promise.race([
      this.#writing,
      new Promise((resolve) => setTimeout(resolve, LATE_MS).unref()),
    ]);
  }

  async #find(key: string): Promise<SharedResult | undefined> {
    try {
      const source = await withElasticsearch(this.#options.take, (client) =>
        getResult(client, key, AbortSignal.timeout(LATE_MS)),
      );
      this.#works();
      return await decoded(source);
    } catch (error) {
      this.#pause(error);
      return undefined;
    }
  }

  async #work(): Promise<void> {
    if (this.#isPaused() || (this.#queue.size === 0 && !this.#hasIndexes)) return;
    try {
      await withElasticsearch(this.#options.take, async (client) => {
        do {
          await this.#sweep(client);
          await this.#writeBatch(client);
        } while (this.#queue.size > 0 && !this.#isClosed);
        this.#works();
      });
      this.#queue.clear();
    } catch (error) {
      this.#dropped += this.#queue.size;
      this.#queue.clear();
      this.#prepared = emptied();
      this.#pause(error);
    }
  }

  async #writeBatch(client: ElasticsearchClient): Promise<void> {
    const batch = [...this.#queue.values()].slice(0, BATCH);
    for (const { key } of batch) this.#queue.delete(key);
    if (batch.length === 0) return;
    const documents = this.#isFull ? [] : await this.#documents(batch);
    this.#dropped += batch.length - documents.length;
    if (documents.length === 0) return;
    for (const { index } of documents) await this.#prepare(client, index);
    const { items } = await client.bulk({
      operations: documents.flatMap(({ index, key, document }) => [
        { index: { _index: index, _id: key } },
        document,
      ]),
    });
    const written = items.filter(({ index }) => (index?.status ?? 500) < 300).length;
    this.#written += written;
    this.#dropped += documents.length - written;
    if (written === documents.length) return;
    // an index may be gone
    this.#prepared = emptied();
    throw new NotTaken();
  }

  async #documents(batch: readonly NewResult[]): Promise<readonly StoredResult[]> {
    const latest = Date.now() + SLICE_MS;
    const made: StoredResult[] = [];
    for (const { key, text, ...result } of batch) {
      const expiresAt = Math.min(result.expiresAt, latest);
      const value = await zipped(Buffer.from(text()));
      if (value.length > this.#limits.resultBytes) continue;
      const document = { expiresAt, value: value.toString('base64') };
      made.push({ index: sharedResultsIndex(expiresAt), key, document });
    }
    return made;
  }

  async #prepare(client: ElasticsearchClient, index: string): Promise<void> {
    if (this.#prepared.by !== client) this.#prepared = { by: client, names: new Set() };
    if (this.#prepared.names.has(index)) return;
    await ensureSharedResultsIndex(client, index, this.#options.shards());
    this.#prepared.names.add(index);
    this.#hasIndexes = true;
  }

  /** Once a minute: what has ended goes, and what is left is measured. */
  async #sweep(client: ElasticsearchClient): Promise<void> {
    if (Date.now() < this.#sweepAt) return;
    this.#sweepAt = Date.now() + SWEEP_EVERY_MS;
    const left = await deleteEndedIndexes(client, Date.now());
    this.#hasIndexes = left.length > 0;
    this.#isFull =
      left.length > 0 && (await sharedResultsBytes(client)) >= this.#limits.storedBytes;
  }

  #isPaused(): boolean {
    return Date.now() < this.#pausedUntil;
  }

  #late(): void {
    this.#lateInARow++;
    if (this.#lateInARow >= LATE_IN_A_ROW) this.#rest('Elasticsearch does not answer in time');
  }

  #works(): void {
    this.#lateInARow = 0;
    this.#problem = this.#isFull ? TOO_LARGE : undefined;
  }

  #pause(error: unknown): void {
    this.#rest(reasonOf(error));
  }

  #rest(problem: string): void {
    this.#lateInARow = 0;
    this.#pausedUntil = Date.now() + this.#limits.pauseMs;
    if (this.#problem !== problem)
      this.#options.log.warn({ problem }, 'results are not shared between nodes for a while');
    this.#problem = problem;
  }
}

class NotTaken extends Error {}

const emptied = (): { readonly names: Set<string> } => ({ names: new Set() });

function reasonOf(error: unknown): string {
  if (error instanceof NotTaken) return 'Elasticsearch does not take results at the moment';
  return error instanceof ElasticsearchError ? error.message : elasticsearchProblem(error).reason;
}

interface StoredResult {
  readonly index: string;
  readonly key: string;
  readonly document: { readonly expiresAt: number; readonly value: string };
}

/** A result stands in the index of the quarter of an hour in which it ends: this one or the next. */
async function getResult(
  client: ElasticsearchClient,
  key: string,
  signal: AbortSignal,
): Promise<unknown> {
  const now = Date.now();
  const indexes = [sharedResultsIndex(now), sharedResultsIndex(now + SLICE_MS)];
  const { docs } = await client.mget(
    { docs: indexes.map((index) => ({ _index: index, _id: key })) },
    { signal },
  );
  const sources = docs.flatMap((one) => ('_source' in one ? [one._source] : []));
  return sources.find((source) => expiryOf(source) > now);
}

const expiryOf = (source: unknown): number => {
  const { expiresAt } = (source ?? {}) as { readonly expiresAt?: unknown };
  return typeof expiresAt === 'number' ? expiresAt : 0;
};

/** Undefined also for what no node has written. */
async function decoded(source: unknown): Promise<SharedResult | undefined> {
  const { value } = (source ?? {}) as { readonly value?: unknown };
  if (typeof value !== 'string') return undefined;
  try {
    const text = (await unzipped(Buffer.from(value, 'base64'))).toString();
    return { text, expiresAt: expiryOf(source) };
  } catch {
    return undefined;
  }
}
