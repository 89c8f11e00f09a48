import { note } from './note';

type Closer = () => Promise<void>;

const stopLimitMs = 10_000;
const parentCheckMs = 500;

/**
 * Ends everything that was started, in reverse order, exactly once: on SIGINT, SIGTERM or SIGHUP
 * (exit code 0), when the npm that runs the script is gone, or when a part fails (exit code 1).
 */
export class Lifetime {
  readonly #closers: Closer[] = [];
  #starting: Promise<unknown> = Promise.resolve();
  readonly #stop = new AbortController();

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        void this.stop(0);
      });
    }
    this.#watchNpm();
  }

  /** Aborted when the end begins: what is not started by then need not start. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Keeps in mind how a started part is closed. */
  add(close: Closer): void {
    this.#closers.push(close);
  }

  /** Runs the start; what it has under way is waited for before the process ends. */
  async start(run: () => Promise<void>): Promise<void> {
    const running = run();
    this.#starting = running.catch(() => undefined);
    await running;
  }

  /** Closes everything and ends the process with the code, after 10 s in any case. */
  async stop(code: number): Promise<void> {
    if (this.signal.aborted) return;
    this.#stop.abort();
    setTimeout(() => {
      note('Not everything stopped within 10 s');
      process.exit(1);
    }, stopLimitMs).unref();
    await this.#closeAll();
    // a part that was just starting has come or failed by then
    await this.#starting;
    await this.#closeAll();
    process.exit(code);
  }

  async #closeAll(): Promise<void> {
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        note(`While stopping: ${String(error)}`);
      }
    }
  }

  /** A killed npm cannot pass a signal on: its script notices that it has another parent. */
  #watchNpm(): void {
    const parent = process.ppid;
    if (process.env['npm_lifecycle_event'] === undefined || parent === 1) return;
    setInterval(() => {
      if (process.ppid !== parent) void this.stop(0);
    }, parentCheckMs).unref();
  }
}
