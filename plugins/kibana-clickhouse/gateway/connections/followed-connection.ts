import { reasonOfFailure } from './reason-of-failure';

/** How a connection of one kind is made and tried. */
export interface ConnectionKind<O, C> {
  /** Opens nothing yet. Throws an `ElasticsearchError` that names a setting it cannot use. */
  readonly open: (options: O) => C;
  /** Resolves when the other side answers and accepts us; else throws an `ElasticsearchError`. */
  readonly probe: (connection: C, signal: AbortSignal) => Promise<void>;
  readonly close: (connection: C) => Promise<void>;
}

/** A connection in use by a request. */
export interface ConnectionLease<C> {
  readonly connection: C;
  /** Once; a connection that was replaced closes with its last request. */
  readonly release: () => void;
}

/** A connection that follows the settings, to those who use it. */
export interface Followed<C> {
  /** Why the address of the settings is not in use; undefined when it is. */
  readonly problem: string | undefined;
  /** The connection in use. Throws what cannot be opened. */
  take(): ConnectionLease<C>;
}

/** How long a new address has to answer, in ms. */
const PROBE_LIMIT_MS = 5_000;
/** A new address that failed is tried again after this time, in ms. */
const TRY_AGAIN_MS = 10_000;

interface Times {
  readonly probeLimitMs?: number;
  readonly tryAgainMs?: number;
}

interface Held<C> {
  readonly key: string;
  readonly connection: C;
  users: number;
  isReplaced: boolean;
}

/**
 * A connection that follows the settings. The first one is made when it is first asked for. Another
 * address is tried before it replaces a working one; while it fails, the one before stays in use and
 * the new one is tried again every 10 s.
 */
export class FollowedConnection<O, C> implements Followed<C> {
  readonly #kind: ConnectionKind<O, C>;
  readonly #times: Required<Times>;
  #wanted: O;
  #held: Held<C> | undefined;
  #attempt: AbortController | undefined;
  #again: NodeJS.Timeout | undefined;
  #problem: string | undefined;
  #closing: Promise<unknown> = Promise.resolve();

  constructor(kind: ConnectionKind<O, C>, options: O, times: Times = {}) {
    this.#kind = kind;
    this.#wanted = options;
    this.#times = { probeLimitMs: PROBE_LIMIT_MS, tryAgainMs: TRY_AGAIN_MS, ...times };
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** The settings have changed. What is not open yet is opened by the new ones. */
  follow(options: O): void {
    const key = keyOf(options);
    if (key === keyOf(this.#wanted)) return;
    this.#wanted = options;
    this.#stopTrying();
    if (this.#held && this.#held.key !== key) void this.#try(this.#held);
  }

  take(): ConnectionLease<C> {
    const wanted = this.#wanted;
    this.#held ??= held(keyOf(wanted), this.#kind.open(wanted));
    const taken = this.#held;
    taken.users++;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      taken.users--;
      this.#closeUnused(taken);
    };
    return { connection: taken.connection, release };
  }

  /** Closes everything, also what is in use. */
  async close(): Promise<void> {
    this.#stopTrying();
    const last = this.#held;
    this.#held = undefined;
    if (last) this.#close(last.connection);
    await this.#closing;
  }

  async #try(before: Held<C>): Promise<void> {
    const attempt = new AbortController();
    this.#attempt = attempt;
    const options = this.#wanted;
    let candidate: { readonly connection: C } | undefined;
    try {
      candidate = { connection: this.#kind.open(options) };
      const limit = AbortSignal.timeout(this.#times.probeLimitMs);
      const signal = AbortSignal.any([attempt.signal, limit]);
      await aborting(this.#kind.probe(candidate.connection, signal), signal);
      attempt.signal.throwIfAborted();
      this.#replace(before, held(keyOf(options), candidate.connection));
    } catch (error) {
      if (candidate) this.#close(candidate.connection);
      if (attempt.signal.aborted) return;
      this.#problem = reasonOfFailure(error);
      this.#again = setTimeout(() => void this.#try(before), this.#times.tryAgainMs).unref();
    }
  }

  #replace(before: Held<C>, now: Held<C>): void {
    this.#problem = undefined;
    this.#held = now;
    before.isReplaced = true;
    this.#closeUnused(before);
  }

  #stopTrying(): void {
    this.#attempt?.abort();
    this.#attempt = undefined;
    clearTimeout(this.#again);
    this.#problem = undefined;
  }

  #closeUnused(one: Held<C>): void {
    if (one.isReplaced && one.users === 0) this.#close(one.connection);
  }

  /** A failed close leaves nothing that could be used. */
  #close(connection: C): void {
    const closing = this.#kind.close(connection).catch(() => undefined);
    this.#closing = Promise.all([this.#closing, closing]);
  }
}

const held = <C>(key: string, connection: C): Held<C> => ({
  key,
  connection,
  users: 0,
  isReplaced: false,
});

const keyOf = (options: unknown): string => JSON.stringify(options);

/** The promise, or the end of the time that it has. */
function aborting(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
    promise.then(resolve, reject);
  });
}
