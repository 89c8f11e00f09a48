import { RequestAborted } from '../../clickhouse/execution/errors';
import { rejectedExecution } from '../../common/errors/catalogue';

/** How many statements of a pool run at once, and how many may wait for that. */
export interface PoolSizes {
  readonly coreSize: number;
  readonly queueSize: number;
}

/** Whose a statement is, and when nobody waits for it any more. */
export interface PooledStatement {
  /** Statements of different consumers take turns; of one consumer they run in their order. */
  readonly consumer: string;
  readonly signal: AbortSignal;
}

/**
 * Bounds how many statements run at once. Others wait, and start in turns of their consumers, so that
 * one with many does not hold up the rest. The sizes are asked for each time: they may change.
 */
export class StatementPool {
  readonly #name: string;
  readonly #sizes: () => PoolSizes;
  /** By consumer, whose turn is next first; a consumer without waiting statements is not in it. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #active = 0;
  #queued = 0;
  #rejected = 0;

  /** `name`: the setting that the sizes come from, for the reason of a refusal. */
  constructor(name: string, sizes: () => PoolSizes) {
    this.#name = name;
    this.#sizes = sizes;
  }

  /** Statements that run, that wait, and that were refused so far. */
  status(): { readonly active: number; readonly queued: number; readonly rejected: number } {
    return { active: this.#active, queued: this.#queued, rejected: this.#rejected };
  }

  /**
   * Runs a statement when it is its turn. Throws 429 `es_rejected_execution_exception` where too many
   * wait, and `RequestAborted` where the signal ends the wait.
   */
  async run<T>(statement: PooledStatement, run: () => Promise<T>): Promise<T> {
    await this.#enter(statement);
    try {
      return await run();
    } finally {
      this.#active -= 1;
      this.startWaiting();
    }
  }

  /** Starts what may run: after a statement has ended, and after the sizes have changed. */
  startWaiting(): void {
    while (this.#queued > 0 && this.#active < this.#sizes().coreSize) this.#startNext();
  }

  async #enter(statement: PooledStatement): Promise<void> {
    if (statement.signal.aborted) throw new RequestAborted(statement.signal.reason);
    const { coreSize, queueSize } = this.#sizes();
    if (this.#active < coreSize && this.#queued === 0) {
      this.#active += 1;
      return;
    }
    if (this.#queued >= queueSize) {
      this.#rejected += 1;
      throw rejectedExecution(
        `[kibana-clickhouse] too many statements wait for ClickHouse: [${this.#name}] lets [${String(coreSize)}] run and [${String(queueSize)}] wait`,
      );
    }
    await this.#wait(statement);
  }

  #wait({ consumer, signal }: PooledStatement): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#remove(consumer, start);
        reject(new RequestAborted(signal.reason));
      };
      signal.addEventListener('abort', leave, { once: true });
      const own = this.#waiting.get(consumer) ?? new Set();
      this.#waiting.set(consumer, own.add(start));
      this.#queued += 1;
    });
  }

  #remove(consumer: string, start: () => void): void {
    const own = this.#waiting.get(consumer);
    if (own?.delete(start) !== true) return;
    this.#queued -= 1;
    if (own.size === 0) this.#waiting.delete(consumer);
  }

  #startNext(): void {
    const [turn] = this.#waiting;
    if (turn === undefined) return;
    const [consumer, own] = turn;
    const [start] = own;
    // behind all others until its next turn
    this.#waiting.delete(consumer);
    this.#waiting.set(consumer, own);
    if (start === undefined) return;
    this.#remove(consumer, start);
    this.#active += 1;
    start();
  }
}
