/** How a search has ended. */
export interface AsyncSearchOutcome {
  /** Epoch ms. */
  readonly completedAt: number;
  /** HTTP status: 200, or that of its error. */
  readonly status: number;
  /** JSON text of the answer, or where the status is another than 200, of the error. */
  readonly text: string;
}

/** A search that runs on, or whose answer is kept. */
export interface AsyncSearchRecord {
  /** The name that was searched: who asks for the search must be allowed to read it. */
  readonly index: string;
  /** Kong's authenticated consumer, whose search it is. */
  readonly consumer?: string;
  /** Epoch ms, as all times here. */
  readonly startedAt: number;
  /** When it is forgotten, and stopped where it still runs. */
  readonly expiresAt: number;
  /** When the node that runs it last said so. */
  readonly aliveAt: number;
  /** Absent while it runs. */
  readonly outcome?: AsyncSearchOutcome;
}

/** What of a record changes. */
export type AsyncSearchChange = Partial<
  Pick<AsyncSearchRecord, 'aliveAt' | 'expiresAt' | 'outcome'>
>;

/** Where nodes keep their searches for each other, by id. Every call may throw. */
export interface AsyncSearchStore {
  create(id: string, record: AsyncSearchRecord): Promise<void>;
  /** Undefined where there is none. */
  read(id: string): Promise<AsyncSearchRecord | undefined>;
  /** When those expire that are there. */
  expiries(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** False where there is none any more. */
  update(id: string, change: AsyncSearchChange): Promise<boolean>;
  /** False where there was none. */
  remove(id: string): Promise<boolean>;
  /** Removes all that have expired. */
  removeExpired(now: number): Promise<void>;
}
