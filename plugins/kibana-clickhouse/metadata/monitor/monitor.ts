import { randomUUID } from 'node:crypto';
import type { MonitorRecord } from '../../../../schema/monitor-record';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { Log } from '../../common/log';
import { elasticsearchProblem, type ElasticsearchClient } from '../elasticsearch-client';
import { withElasticsearch, type TakeElasticsearchClient } from '../elasticsearch-client-lease';
import { deleteOldIndexes, ensureIndex, ensureTemplate, monitorIndex } from './monitor-index';
import { RecordQueue, type QueuedRecord, type QueueLimits } from './record-queue';

/** The settings that the monitor goes by. */
export interface MonitorSettings {
  readonly enabled: boolean;
  /** Indexes of days longer ago are deleted. */
  readonly retentionDays: number;
  /** Shards of an index at its creation. */
  readonly shards: number;
}

export interface MonitorOptions {
  readonly take: TakeElasticsearchClient;
  /** Asked again and again: the settings in force. */
  readonly settings: () => MonitorSettings;
  readonly log: Log;
  /** Epoch ms. */
  readonly now?: () => number;
  readonly limits?: QueueLimits;
  /** ms between writes while fewer records than a batch wait; default 5,000. */
  readonly everyMs?: number;
}

/** How the monitor fares, for `/health` and `/metrics`. Counts are of this process and configuration. */
export interface MonitorStatus {
  readonly enabled: boolean;
  /** Records that wait to be written. */
  readonly queued: number;
  readonly written: number;
  /** Records lost because the queue was full, or there is no Elasticsearch. */
  readonly dropped: number;
  /** Records that Elasticsearch did not take. */
  readonly rejected: number;
  /** Epoch ms of the last good write. */
  readonly writtenAt?: number;
  /** Why records are not written now; absent where they are. Never holds a secret. */
  readonly problem?: string;
}

const LIMITS: QueueLimits = { records: 10_000, bytes: 32 * 1024 * 1024 };
const EVERY_MS = 5_000;
/** One request: some services take no more than 10 MiB. */
const BATCH: QueueLimits = { records: 500, bytes: 5 * 1024 * 1024 };
/** Time for the last records when the monitor is closed, in ms. */
const LAST_WRITE_MS = 2_000;
const SWEEP_EVERY_MS = 24 * 60 * 60_000;
const SWEEP_AGAIN_MS = 60 * 60_000;

const NO_ELASTICSEARCH =
  'monitoring needs an Elasticsearch: name one in metadata_config.hosts or proxy.es.host';

/**
 * Writes one record for each statement into `proxy-monitor-<yyyy.MM.dd>`, in the background: 500 at a
 * time, or what there is every 5 s. Nothing waits for it. Records wait within bounds while Elasticsearch
 * is away, slow or read-only; those beyond are dropped and counted. Once a day old indexes are deleted.
 */
export class Monitor {
  readonly #options: MonitorOptions;
  readonly #now: () => number;
  readonly #queue: RecordQueue;
  readonly #timer: NodeJS.Timeout;
  /** What was seen to in which cluster: indexes, and the template for a number of shards. */
  #prepared: { readonly by?: ElasticsearchClient; readonly names: Set<string> } = emptied();
  #writing: Promise<void> | undefined;
  #isClosed = false;
  #sweepAt = 0;
  #written = 0;
  #dropped = 0;
  #rejected = 0;
  #writtenAt: number | undefined;
  #problem: string | undefined;

  constructor(options: MonitorOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#queue = new RecordQueue(options.limits ?? LIMITS);
    this.#timer = setInterval(() => {
      void this.flush();
    }, options.everyMs ?? EVERY_MS).unref();
  }

  /** Whether records are asked for: who makes one may spare itself the work. */
  get isEnabled(): boolean {
    return this.#options.settings().enabled;
  }

  /** Takes a record; it is written later or dropped. Never throws. */
  record(record: MonitorRecord): void {
    if (this.#isClosed || !this.isEnabled) return;
    if (!this.#queue.offer({ id: randomUUID(), record })) {
      this.#dropped++;
      return;
    }
    if (this.#queue.length >= BATCH.records && this.#problem === undefined) void this.flush();
  }

  status(): MonitorStatus {
    return {
      enabled: this.isEnabled,
      queued: this.#queue.length,
      written: this.#written,
      dropped: this.#dropped,
      rejected: this.#rejected,
      ...(this.#writtenAt !== undefined && { writtenAt: this.#writtenAt }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  /** Writes what waits, and deletes old indexes when a day has passed. Never rejects. */
  flush(): Promise<void> {
    this.#writing ??= this.#work().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  /** Writes what waits, within 2 s, and stops. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const timeout = new Promise((resolve) => setTimeout(resolve, LAST_WRITE_MS).unref());
    // one that is under way does not write what came meanwhile
    await Promise.race([this.flush().then(() => this.flush()), timeout]);
  }

  async #work(): Promise<void> {
    const isIdle = this.#queue.length === 0 && !this.isEnabled;
    if (isIdle) {
      this.#problem = undefined;
      return;
    }
    try {
      const used = await withElasticsearch(this.#options.take, async (client) => {
        await this.#writeAll(client);
        await this.#sweep(client);
        return true;
      });
      if (used === undefined) this.#dropAll();
    } catch (error) {
      this.#fail(
        error instanceof ElasticsearchError ? error.message : elasticsearchProblem(error).reason,
      );
    }
  }

  /** Another try of what has just failed is for the next turn of the clock. */
  async #writeAll(client: ElasticsearchClient): Promise<void> {
    for (let isDone = false; !isDone; isDone = this.#queue.length < BATCH.records) {
      const batch = this.#queue.oldest(BATCH);
      if (batch.length > 0 && !(await this.#write(client, batch))) return;
    }
    this.#problem = undefined;
  }

  /** False when some of the records are to be sent again later. */
  async #write(client: ElasticsearchClient, batch: readonly QueuedRecord[]): Promise<boolean> {
    for (const { record } of batch) await this.#prepare(client, monitorIndex(record.timestamp));
    const outcomes = await sendRecords(client, batch);
    const done = batch.filter((_queued, i) => outcomes[i] !== 'again');
    const written = outcomes.filter((outcome) => outcome === 'written').length;
    this.#queue.takeOut(done);
    this.#written += written;
    this.#rejected += done.length - written;
    if (written > 0) this.#writtenAt = this.#now();
    if (done.length === batch.length) return true;
    // an index may be gone
    this.#prepared = emptied();
    this.#fail('Elasticsearch does not take records at the moment');
    return false;
  }

  async #prepare(client: ElasticsearchClient, index: string): Promise<void> {
    if (this.#prepared.by !== client) this.#prepared = { by: client, names: new Set() };
    const { names } = this.#prepared;
    const { shards } = this.#options.settings();
    const template = `template with ${String(shards)} shards`;
    if (!names.has(template)) {
      await ensureTemplate(client, shards);
      names.add(template);
    }
    if (names.has(index)) return;
    await ensureIndex(client, index);
    names.add(index);
  }

  async #sweep(client: ElasticsearchClient): Promise<void> {
    const { enabled, retentionDays } = this.#options.settings();
    if (!enabled || this.#now() < this.#sweepAt) return;
    this.#sweepAt = this.#now() + SWEEP_AGAIN_MS;
    const deleted = await deleteOldIndexes(client, retentionDays, this.#now());
    this.#sweepAt = this.#now() + SWEEP_EVERY_MS;
    if (deleted.length > 0)
      this.#options.log.info({ indexes: deleted }, 'old monitoring records are deleted');
  }

  #dropAll(): void {
    this.#dropped += this.#queue.clear();
    this.#fail(NO_ELASTICSEARCH);
  }

  #fail(problem: string): void {
    if (this.#problem !== problem)
      this.#options.log.warn({ problem }, 'monitoring records cannot be written');
    this.#problem = problem;
  }
}

const emptied = (): { readonly names: Set<string> } => ({ names: new Set() });

type Outcome = 'written' | 'rejected' | 'again';

/** What became of each record. Throws where it is the request that failed, and may do better later. */
async function sendRecords(
  client: ElasticsearchClient,
  batch: readonly QueuedRecord[],
): Promise<readonly Outcome[]> {
  try {
    const { items } = await client.bulk({
      operations: batch.flatMap(({ id, record }) => [
        { create: { _index: monitorIndex(record.timestamp), _id: id } },
        record,
      ]),
    });
    return batch.map((_queued, i) => outcomeOf(items[i]?.create?.status));
  } catch (error) {
    const { status } = elasticsearchProblem(error);
    if (status !== 400 && status !== 413) throw error;
    return batch.map(() => 'rejected');
  }
}

/** 409: an earlier try has written it although its answer did not arrive. */
function outcomeOf(status: number | undefined): Outcome {
  if (status === 409 || (status !== undefined && status >= 200 && status < 300)) return 'written';
  return status === 400 ? 'rejected' : 'again';
}
