import type { MonitorRecord } from '../../../../schema/monitor-record';

/** A record that waits to be written, under the id that it keeps when it is sent again. */
export interface QueuedRecord {
  readonly id: string;
  readonly record: MonitorRecord;
}

export interface QueueLimits {
  readonly records: number;
  /** Of all records together, about. */
  readonly bytes: number;
}

/** Bytes of a record beside its texts. */
const RECORD_BYTES = 1_024;

/** First in, first out, within bounds: what does not fit is not taken. */
export class RecordQueue {
  readonly #limits: QueueLimits;
  #waiting: QueuedRecord[] = [];
  #bytes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** False: the queue is full, the record is not in it. */
  offer(queued: QueuedRecord): boolean {
    const bytes = bytesOf(queued.record);
    const isFull =
      this.#waiting.length >= this.#limits.records || this.#bytes + bytes > this.#limits.bytes;
    if (isFull) return false;
    this.#waiting.push(queued);
    this.#bytes += bytes;
    return true;
  }

  /** The oldest records within limits, at least one if there is any; they stay in the queue until they are taken out. */
  oldest({ records, bytes }: QueueLimits): readonly QueuedRecord[] {
    let sum = 0;
    const end = this.#waiting.findIndex(({ record }, i) => {
      sum += bytesOf(record);
      return i >= records || (i > 0 && sum > bytes);
    });
    return end < 0 ? [...this.#waiting] : this.#waiting.slice(0, end);
  }

  /** Empties it; gives how many records were in it. */
  clear(): number {
    const count = this.#waiting.length;
    this.#waiting = [];
    this.#bytes = 0;
    return count;
  }

  takeOut(written: readonly QueuedRecord[]): void {
    const gone = new Set(written);
    this.#waiting = this.#waiting.filter((queued) => !gone.has(queued));
    for (const { record } of gone) this.#bytes -= bytesOf(record);
  }
}

const bytesOf = ({ sql, key, fingerprint }: MonitorRecord): number =>
  RECORD_BYTES + 2 * (sql.length + key.length + fingerprint.length);
