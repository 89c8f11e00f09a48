import { setTimeout as sleep } from 'node:timers/promises';
import type { PluginConfig } from '../../../schema/plugin-config';
import { AnswerChild, type Address } from './answer-child';
import type { Log } from './log';
import { Refusal } from './refusal';
import { RuntimeConfiguration } from './runtime-configuration';

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
 * Kong does not say when a plugin is taken off its route. A configuration without requests for this
 * time is released, in ms; the next request for it starts as the first one did.
 */
const RELEASE_AFTER_MS = 60 * 60_000;
const SWEEP_EVERY_MS = 60_000;

/**
 * The plugin server's side of the answer process: a child, started by the first request of any
 * configuration, because it is the one that reads the settings. It is started again after its end and
 * gets every configuration in use again. One that dies at once is not started again before a pause,
 * which doubles from 100 ms to 5 s.
 */
export class AnswerProcess {
  readonly #options: AnswerProcessOptions;
  /** All configurations that an instance has, by their id. */
  readonly #known = new Map<string, RuntimeConfiguration>();
  /** Those of them that the child shall have. */
  readonly #inUse = new Set<RuntimeConfiguration>();
  #child: AnswerChild | undefined;
  #failures = 0;
  /** `Date.now()` from which on a new child may be started. */
  #notBefore = 0;
  #restart: NodeJS.Timeout | undefined;
  #sweeping: NodeJS.Timeout | undefined;

  /** Starts nothing. */
  constructor(options: AnswerProcessOptions) {
    this.#options = options;
  }

  /** The configuration of that id for one more instance, which must give it back by `leave`. */
  join(runtime: string, config: PluginConfig): RuntimeConfiguration {
    const known = this.#known.get(runtime) ?? new RuntimeConfiguration(runtime, config);
    this.#known.set(runtime, known);
    known.instances++;
    return known;
  }

  /** An instance has ended. With the last one of a configuration, the answer process is told. */
  leave(configuration: RuntimeConfiguration): void {
    if (--configuration.instances > 0) return;
    this.#known.delete(configuration.runtime);
    this.#release(configuration);
  }

  /**
   * Notes a request of that configuration. The first one makes the answer process read its settings;
   * nothing is waited for.
   */
  use(configuration: RuntimeConfiguration): void {
    configuration.usedAt = Date.now();
    if (this.#inUse.has(configuration) || configuration.instances === 0) return;
    this.#inUse.add(configuration);
    if (this.#child) void this.#child.configure(configuration);
    else this.#startLater();
    this.#sweeping ??= setInterval(() => {
      this.#sweep();
    }, SWEEP_EVERY_MS).unref();
  }

  /**
   * Where a request of that configuration goes: the process listens, and it has acknowledged the
   * configuration. Throws `AnswerProcessMissing` when that takes longer than 3 s.
   */
  async address(configuration: RuntimeConfiguration): Promise<Address> {
    this.use(configuration);
    const known = this.#child?.addressFor(configuration);
    if (known) return known;
    const { waitMs = WAIT_MS } = this.#options;
    const deadline = new AbortController();
    const timer = setTimeout(() => {
      deadline.abort();
    }, waitMs);
    try {
      return await this.#prepared(configuration, deadline.signal);
    } catch (error) {
      if (!deadline.signal.aborted) throw error;
      throw missing(error);
    } finally {
      clearTimeout(timer);
      deadline.abort();
      // A request that outlived its instance: the child knows the configuration for a while longer.
      if (configuration.instances === 0) this.#child?.release(configuration);
    }
  }

  /** Ends the child. A later request starts a new one. */
  async stop(): Promise<void> {
    clearTimeout(this.#restart);
    clearInterval(this.#sweeping);
    this.#restart = undefined;
    this.#sweeping = undefined;
    await this.#child?.stop();
  }

  async #prepared(configuration: RuntimeConfiguration, signal: AbortSignal): Promise<Address> {
    for (;;) {
      const child = await this.#running(signal);
      const address = await until(child.configure(configuration), signal);
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
      if (pauseMs <= 0) return this.#start();
      if (pauseMs > (this.#options.waitMs ?? WAIT_MS)) throw missing();
      await sleep(pauseMs, undefined, { signal });
    }
    return this.#child;
  }

  #start(): AnswerChild {
    const { main, log } = this.#options;
    const startedAt = Date.now();
    const child = new AnswerChild({
      main,
      log,
      onServed: (message) => this.#known.get(message.runtime)?.take(message),
    });
    this.#child = child;
    for (const configuration of this.#inUse) void child.configure(configuration);
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
      if (this.#inUse.size > 0) this.#startLater();
    });
    return child;
  }

  /** Without a request that waits for it: settings must be read while everything passes through, too. */
  #startLater(): void {
    this.#restart ??= setTimeout(
      () => {
        this.#restart = undefined;
        if (!this.#child && this.#inUse.size > 0) this.#start();
      },
      Math.max(0, this.#notBefore - Date.now()),
    ).unref();
  }

  #release(configuration: RuntimeConfiguration): void {
    if (this.#inUse.delete(configuration)) this.#child?.release(configuration);
  }

  #sweep(): void {
    const limit = Date.now() - RELEASE_AFTER_MS;
    for (const configuration of this.#inUse) {
      if (configuration.usedAt > limit) continue;
      this.#release(configuration);
      configuration.doubt();
    }
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
