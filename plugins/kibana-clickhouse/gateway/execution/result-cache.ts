import { LRUCache } from 'lru-cache';
import type {
  ResultSet,
  ResultStream,
  StatementSummary,
} from '../../clickhouse/execution/executor';
import type { Metrics } from '../../common/metrics';
import { Flights } from './result-cache-flights';
import { bytesOfCell, bytesOfLines } from './result-cache-size';

/** Bytes of all results that are kept, and of one. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ENTRY_BYTES = MAX_BYTES / 8;

type Kept =
  | { readonly kind: 'rows'; readonly rows: ResultSet['rows'] }
  | { readonly kind: 'lines'; readonly lines: readonly string[] };

/** Where a result is kept, and for how long. */
export interface CachePlace {
  /** Equal for statements that give equal results. */
  readonly key: string;
  /** ms from now; 0: not at all. */
  readonly lifetimeMs: number;
}

/** How the cache fares, since it was made. */
export interface CacheStatus {
  readonly hits: number;
  readonly misses: number;
  /** Bytes kept now, about. */
  readonly bytes: number;
}

/**
 * Results of statements in memory, at most 64 MiB, the least recently used given up first. Results belong to no caller:
 * who may read what is decided before a statement runs.
 */
export class ResultCache {
  readonly #kept: LRUCache<string, Kept>;
  readonly #flights = new Flights<ResultSet>();
  #age = 0;
  #hits = 0;
  #misses = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.min(maxBytes, MAX_ENTRY_BYTES),
      sizeCalculation: (kept) =>
        kept.kind === 'rows' ? bytesOfCell(kept.rows) : bytesOfLines(kept.lines),
    });
  }

  /** Kept rows, those that another caller waits for already, or those of `run`, which are then kept. */
  async rows(
    { key, lifetimeMs }: CachePlace,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<ResultSet>,
  ): Promise<ResultSet> {
    const kept = this.#kept.get(key);
    if (kept?.kind === 'rows') return this.#hit({ rows: kept.rows, summary: unread(kept.rows) });
    const isWaitedFor = this.#flights.has(key);
    const keep = this.#keeper({ key, lifetimeMs });
    const result = await this.#flights.join(key, signal, async (shared) => {
      const found = await run(shared);
      keep({ kind: 'rows', rows: found.rows });
      return found;
    });
    if (isWaitedFor) return this.#hit({ rows: result.rows, summary: unread(result.rows) });
    this.#misses++;
    return result;
  }

  /** Kept lines, or those of `run`, which are kept once they have been read to their end. */
  async lines(place: CachePlace, run: () => Promise<ResultStream>): Promise<ResultStream> {
    const kept = this.#kept.get(place.key);
    if (kept?.kind === 'lines')
      return this.#hit({ lines: inOneBatch(kept.lines), summary: unread(kept.lines) });
    this.#misses++;
    const keep = this.#keeper(place);
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

  /** Keeps a result for what is left of its life: it begins when the statement is sent. */
  #keeper({ key, lifetimeMs }: CachePlace): (kept: Kept) => void {
    const age = this.#age;
    const startedAt = performance.now();
    return (kept) => {
      const ttl = Math.floor(lifetimeMs - (performance.now() - startedAt));
      if (ttl > 0 && age === this.#age) this.#kept.set(key, kept, { ttl });
    };
  }
}

/** The same batches; all their lines are given to `keep` when the last was read, unless they are too large for it. */
async function* keptWhenRead(
  batches: AsyncIterable<readonly string[]>,
  keep: (kept: Kept) => void,
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
