import type { PluginConfig } from '../../../../schema/plugin-config';
import type { Runtime } from '../runtime';

interface RuntimesOptions {
  /** Must not throw: a configuration that cannot be used fails when it is used. */
  readonly create: (config: PluginConfig) => Runtime;
  /** Epoch ms; for tests. */
  readonly now?: () => number;
}

interface Entry {
  readonly config: PluginConfig;
  runtime: Runtime | undefined;
  /** Requests under way. */
  inFlight: number;
  usedAt: number;
}

/** A runtime in use; released once, when the request's answer is sent or its client is gone. */
export interface Lease {
  readonly runtime: Runtime;
  readonly release: () => void;
}

/** Connections are closed after this time without requests, in ms. */
const CLOSE_AFTER_MS = 10 * 60_000;
/** A configuration is forgotten after this time without requests, in ms. */
const FORGET_AFTER_MS = 60 * 60_000;

/**
 * One runtime for each distinct configuration. A request may come long after Kong replaced the
 * configuration that it was handed over with (nginx reads its body in between), so a configuration
 * stays known for an hour after its last use; what it holds open is closed after ten minutes.
 */
export class Runtimes {
  readonly #create: (config: PluginConfig) => Runtime;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor({ create, now = Date.now }: RuntimesOptions) {
    this.#create = create;
    this.#now = now;
  }

  /** Makes a configuration known. The same id always means the same configuration. */
  configure(id: string, config: PluginConfig): void {
    const known = this.#entries.get(id);
    if (known) known.usedAt = this.#now();
    else this.#entries.set(id, { config, runtime: undefined, inFlight: 0, usedAt: this.#now() });
  }

  /** Undefined for an id that is not known or was forgotten. */
  lease(id: string): Lease | undefined {
    const entry = this.#entries.get(id);
    if (!entry) return undefined;
    entry.runtime ??= this.#create(entry.config);
    entry.inFlight++;
    entry.usedAt = this.#now();
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      entry.inFlight--;
      entry.usedAt = this.#now();
    };
    return { runtime: entry.runtime, release };
  }

  /** Closes and forgets what was not used for long. Call it every minute or so. */
  async sweep(): Promise<void> {
    const closing: Promise<void>[] = [];
    for (const [id, entry] of this.#entries) {
      if (entry.inFlight > 0) continue;
      const idleMs = this.#now() - entry.usedAt;
      if (idleMs >= CLOSE_AFTER_MS && entry.runtime) {
        closing.push(entry.runtime.close());
        entry.runtime = undefined;
      }
      if (idleMs >= FORGET_AFTER_MS) this.#entries.delete(id);
    }
    await Promise.all(closing);
  }

  /** Closes everything. */
  async close(): Promise<void> {
    const runtimes = [...this.#entries.values()].flatMap(({ runtime }) => runtime ?? []);
    this.#entries.clear();
    await Promise.all(runtimes.map((runtime) => runtime.close()));
  }
}
