import { LRUCache } from 'lru-cache';
import type {
  ResultSet,
  ResultStream,
  StatementSummary,
} from '../../clickhouse/execution/executor';
import type { Metrics } from '../../common/metrics';
import type { SharedResults } from '../../metadata/results/shared-results';
import { Flights } from './result-cache-flights';
import { bytesOfCell, bytesOfLines } from './result-cache-size';
import { readShared, sharedText, type KeptResult } from './shared-result';

/** Bytes of all results that are kept, and of one. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ENTRY_BYTES = MAX_BYTES / 8;

/** Where a result is kept, and for how long. */
export interface CachePlace {
  /** Equal for statements that give equal results. */
  readonly key: string;
  /** ms from now; 0: not at all. */
  readonly lifetimeMs: number;
  /** The same on all nodes; absent: the result is this node's alone. */
  readonly sharedKey?: string;
}

/** The results that nodes share. */
export type SharedLevel = Pick<SharedResults, 'read' | 'write'>;

/** How the cache fares, since it was made. */
export interface CacheStatus {
  readonly hits: number;
  /** Statements that were run. */
  readonly misses: number;
  /** Bytes kept now, about. */
  readonly bytes: number;
}

/**
 * Results of statements in memory, at most 64 MiB, the least recently used given up first, and behind them those that nodes
 * share. Results belong to no caller: who may read what is decided before a statement runs.
 */
export class ResultCache {
  readonly #kept: LRUCache<string, KeptResult>;
  readonly #shared: SharedLevel | undefined;
  readonly #flights = new Flights<ResultSet>();
  #age = 0;
  #hits = 0;
  #misses = 0;

  constructor(maxBytes = MAX_BYTES, shared?: SharedLevel) {
    this.#shared = shared;
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.min(maxBytes, MAX_ENTRY_BYTES),
      sizeCalculation: sizeOf,
    });
  }

  /** Kept rows, those that another caller waits for already, or those of `run`, which are then kept. */
  async rows(
    place: CachePlace,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<ResultSet>,
  ): Promise<ResultSet> {
    const kept = this.#kept.get(place.key);
    if (kept?.kind === 'rows') return this.#hit(cachedRows(kept.rows));
    const isWaitedFor = this.#flights.has(place.key);
    const keep = this.#keeper(place);
    const result = await this.#flights.join(place.key, signal, async (shared) => {
      const known = await this.#known(place, 'rows');
      if (known) return cachedRows(known.rows);
      const found = await run(shared);
      keep({ kind: 'rows', rows: found.rows });
      return found;
    });
    if (isWaitedFor) return this.#hit(cachedRows(result.rows));
    if (result.summary.cached === true) return this.#hit(result);
    this.#misses++;
    return result;
  }

  /** Kept lines, or those of `run`, which are kept once they have been read to their end. */
  async lines(place: CachePlace, run: () => Promise<ResultStream>): Promise<ResultStream> {
    const kept = this.#kept.get(place.key);
    if (kept?.kind === 'lines') return this.#hit(cachedLines(kept.lines));
    const keep = this.#keeper(place);
    const known = await this.#known(place, 'lines');
    if (known) return this.#hit(cachedLines(known.lines));
    this.#misses++;
    const { lines, summary } = await run();
    return { lines: keptWhenRead(lines, keep), summary };
  }

  /** Nothing of what is known, or being asked for, is answered from now on. */
  clear(): void {
    this.#age++;
    this.#kept.clear();
    this.#flights.forget();
  }

  status(): CacheStatus {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#kept.calculatedSize };
  }

  #hit<T>(value: T): T {
    this.#hits++;
    return value;
  }

  /** What another node has left, which is then kept here for what is left of its life. */
  async #known<K extends KeptResult['kind']>(
    { key, sharedKey, lifetimeMs }: CachePlace,
    kind: K,
  ): Promise<Extract<KeptResult, { readonly kind: K }> | undefined> {
    if (sharedKey === undefined || lifetimeMs <= 0 || !this.#shared) return undefined;
    const age = this.#age;
    const found = await this.#shared.read(sharedKey);
    const result = found && readShared(found.text, kind);
    if (!result) return undefined;
    const ttl = Math.floor(Math.min(lifetimeMs, found.expiresAt - Date.now()));
    if (ttl > 0 && age === this.#age) this.#kept.set(key, result, { ttl });
    return result;
  }

  /** Keeps a result for what is left of its life: it begins when the statement is sent. */
  #keeper({ key, sharedKey, lifetimeMs }: CachePlace): (kept: KeptResult) => void {
    const age = this.#age;
    const startedAt = performance.now();
    return (kept) => {
      const ttl = Math.floor(lifetimeMs - (performance.now() - startedAt));
      if (ttl <= 0 || age !== this.#age) return;
      this.#kept.set(key, kept, { ttl });
      if (sharedKey === undefined || !this.#shared || sizeOf(kept) > MAX_ENTRY_BYTES) return;
      const text = (): string => sharedText(kept);
      this.#shared.write({ key: sharedKey, text, expiresAt: Date.now() + ttl });
    };
  }
}

const sizeOf = (kept: KeptResult): number =>
  kept.kind === 'rows' ? bytesOfCell(kept.rows) : bytesOfLines(kept.lines);

const cachedRows = (rows: ResultSet['rows']): ResultSet => ({ rows, summary: unread(rows) });

const cachedLines = (lines: readonly string[]): ResultStream => ({
  lines: inOneBatch(lines),
  summary: unread(lines),
});

/** The same batches; all their lines are given to `keep` when the last was read, unless they are too large for it. */
async function* keptWhenRead(
  batches: AsyncIterable<readonly string[]>,
  keep: (kept: KeptResult) => void,
): AsyncGenerator<readonly string[]> {
  const all: string[] = [];
  let bytes = 0;
  for await (const batch of batches) {
    if (bytes <= MAX_ENTRY_BYTES) {
      bytes += bytesOfLines(batch);
      all.push(...batch);
    }
    yield batch;
  }
  if (bytes <= MAX_ENTRY_BYTES) keep({ kind: 'lines', lines: all });
}

async function* inOneBatch(lines: readonly string[]): AsyncGenerator<readonly string[]> {
  if (lines.length > 0) yield await Promise.resolve(lines);
}

/** What is said about a statement that was not run. */
const unread = ({ length }: { readonly length: number }): StatementSummary => ({
  readRows: 0,
  readBytes: 0,
  resultRows: length,
  memoryBytes: 0,
  elapsedMs: 0,
  cached: true,
});

/** Shows a cache in the metrics; gives what stops that. */
export function observedResults(
  cache: Pick<ResultCache, 'status'>,
  metrics: Pick<Metrics, 'observe'>,
): () => void {
  const stops = [
    metrics.observe({
      name: 'result_cache_hits_total',
      kind: 'counter',
      help: 'Statements that were answered from kept results.',
      read: () => cache.status().hits,
    }),
    metrics.observe({
      name: 'result_cache_misses_total',
      kind: 'counter',
      help: 'Statements that were run because their results were not kept.',
      read: () => cache.status().misses,
    }),
    metrics.observe({
      name: 'result_cache_bytes',
      kind: 'gauge',
      help: 'Memory of the kept results.',
      read: () => cache.status().bytes,
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
