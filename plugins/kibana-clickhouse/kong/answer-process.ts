import { setTimeout as sleep } from 'node:timers/promises';
import type { PluginConfig } from '../../../schema/plugin-config';
import { AnswerChild, type Address } from './answer-child';
import type { Log } from './log';
import { Refusal } from './refusal';

interface AnswerProcessOptions {
  /** Absolute path of the module to run. */
  readonly main: string;
  readonly log: Log;
  /** How long a request waits for the process, in ms. */
  readonly waitMs?: number;
}

/** No answer process within the time that a request waits for it. */
export class AnswerProcessMissing extends Refusal {}

const WAIT_MS = 3_000;
/** A child that dies younger than this counts as failed, and the next one waits, in ms. */
const FAILED_BELOW_MS = 5_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * The plugin server's side of the answer process: a child, started by the first request that needs
 * it and started again by the first one after its end. One that dies at once is not started again
 * before a pause, which doubles from 100 ms to 5 s.
 */
export class AnswerProcess {
  readonly #options: AnswerProcessOptions;
  #child: AnswerChild | undefined;
  #failures = 0;
  /** `Date.now()` from which on a new child may be started. */
  #notBefore = 0;

  /** Starts nothing. */
  constructor(options: AnswerProcessOptions) {
    this.#options = options;
  }

  /**
   * Where a request of that configuration goes: the process listens, and it has acknowledged the
   * configuration. Throws `AnswerProcessMissing` when that takes longer than 3 s.
   */
  async address(runtime: string, config: PluginConfig): Promise<Address> {
    const known = this.#child?.addressFor(runtime);
    if (known) return known;
    const { waitMs = WAIT_MS } = this.#options;
    const deadline = new AbortController();
    const timer = setTimeout(() => {
      deadline.abort();
    }, waitMs);
    try {
      return await this.#prepared(runtime, config, deadline.signal);
    } catch (error) {
      if (!deadline.signal.aborted) throw error;
      throw missing(error);
    } finally {
      clearTimeout(timer);
      deadline.abort();
    }
  }

  /** Ends the child. A later request starts a new one. */
  async stop(): Promise<void> {
    await this.#child?.stop();
  }

  async #prepared(runtime: string, config: PluginConfig, signal: AbortSignal): Promise<Address> {
    for (;;) {
      const child = await this.#running(signal);
      const address = await until(child.configure(runtime, config), signal);
      if (address) return address;
    }
  }

  /**
   * The living child; a new one when there is none and the pause is over. Throws at once when the
   * pause is longer than any request waits.
   */
  async #running(signal: AbortSignal): Promise<AnswerChild> {
    while (!this.#child) {
      const pauseMs = this.#notBefore - Date.now();
      if (pauseMs <= 0) this.#child = this.#started();
      else if (pauseMs > (this.#options.waitMs ?? WAIT_MS)) throw missing();
      else await sleep(pauseMs, undefined, { signal });
    }
    return this.#child;
  }

  #started(): AnswerChild {
    const { main, log } = this.#options;
    const startedAt = Date.now();
    const child = new AnswerChild(main, log);
    void child.ended.then((how) => {
      if (this.#child === child) this.#child = undefined;
      if (child.isStopped) return;
      this.#failures = Date.now() - startedAt < FAILED_BELOW_MS ? this.#failures + 1 : 0;
      const pauseMs =
        this.#failures === 0
          ? 0
          : Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - 1), LONGEST_PAUSE_MS);
      this.#notBefore = Date.now() + pauseMs;
      log('error', 'the answer process ended', { how, pauseMs });
    });
    return child;
  }
}

const missing = (cause?: unknown): AnswerProcessMissing =>
  new AnswerProcessMissing(
    'the answer process is not running; it is started again with a later request',
    { cause },
  );

/** Waits for a promise or, whichever comes first, for the signal: then it throws. */
function until<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(new Error('the time is over'));
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}
