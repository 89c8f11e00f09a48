import { isDeepStrictEqual } from 'node:util';
import type { PluginConfig } from '../../../../schema/plugin-config';
import type { PartialSettings, Settings } from '../../../../schema/settings';
import { settingsProblems } from '../../../../schema/settings-problems';
import { storeUnavailable } from '../../common/errors/catalogue';
import type { Log } from '../../common/log';
import { openStore } from '../store/open-store';
import type { SettingsStore, StoreState } from '../store/settings-store';
import { decodeOverlay, encodeOverlay, type DecodedOverlay } from './overlay-codec';
import { requireValidSettings } from './require-valid';
import { createSecretCipher, type SecretCipher } from './secret-cipher';
import { differingPaths, mergeSettings, settingLeaves } from './setting-leaves';
import type {
  SettingsChange,
  SettingsService,
  SettingSource,
  SettingsStatus,
} from './settings-service';

export interface SettingsServiceOptions {
  readonly config: PluginConfig;
  readonly log: Log;
  /** The overlay as an earlier process knew it: holds until the store is read. */
  readonly lastKnown?: PartialSettings | undefined;
  /** In ms; default 10,000. */
  readonly readEveryMs?: number;
  /** For one read or one update with all that belongs to it, in ms; default 5,000. */
  readonly limitMs?: number;
}

const READ_EVERY_MS = 10_000;
const LIMIT_MS = 5_000;
/** Requests wait this long for the first read, in ms. */
const READY_LIMIT_MS = 2_000;
/** While they wait, a read that failed is repeated after this time, in ms. */
const FIRST_RETRY_MS = 200;
/** More problems than these are not listed in the status. */
const LISTED_PROBLEMS = 10;

/**
 * Opens the settings of a configuration and begins to read them: at once, then every 10 s. Never
 * throws: a store that cannot be used is reported in `status()`, and kong.yml rules.
 */
export const createSettingsService = (options: SettingsServiceOptions): SettingsService =>
  new StoredSettingsService(options);

class StoredSettingsService implements SettingsService {
  readonly #log: Log;
  readonly #store: SettingsStore;
  readonly #cipher: SecretCipher | undefined;
  readonly #kong: PartialSettings;
  readonly #listeners = new Set<(now: Settings, before: Settings) => void>();
  readonly #limitMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #closing = new AbortController();
  readonly #ready: Promise<void>;
  #overlay: PartialSettings;
  #current: Settings;
  #readAt: number | undefined;
  #reading: Promise<boolean> | undefined;
  /** Counts what was taken: a read that began before an update must not undo it. */
  #taken = 0;
  #lastUpdate: Promise<unknown> = Promise.resolve();
  #problems: Problems = { read: undefined, write: undefined, overlay: [] };

  constructor({ config, log, lastKnown = {}, ...times }: SettingsServiceOptions) {
    const { readEveryMs = READ_EVERY_MS, limitMs = LIMIT_MS } = times;
    this.#limitMs = limitMs;
    this.#log = log;
    const { settings = {}, secret_key = '' } = config;
    this.#kong = settingsProblems(settings).length === 0 ? settings : {};
    this.#overlay = lastKnown;
    this.#current = mergeSettings([lastKnown, this.#kong]);
    this.#cipher = secret_key === '' ? undefined : createSecretCipher(secret_key);
    this.#store = openStore(config, () => this.#current.defaultShard);
    this.#timer = setInterval(() => void this.#read(), readEveryMs).unref();
    this.#ready = this.#readFirst(Date.now() + READY_LIMIT_MS);
  }

  current(): Settings {
    return this.#current;
  }

  overlay(): PartialSettings {
    return this.#overlay;
  }

  sources(): ReadonlyMap<string, SettingSource> {
    const [admin, kong] = [settingLeaves(this.#overlay), settingLeaves(this.#kong)];
    const sourceOf = (path: string): SettingSource => {
      if (admin.has(path)) return 'admin';
      return kong.has(path) ? 'kong.yml' : 'default';
    };
    return new Map([...settingLeaves(this.#current).keys()].map((path) => [path, sourceOf(path)]));
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  /** One after the other in this process, so that its own updates never find each other first. */
  update(change: (overlay: PartialSettings) => PartialSettings): Promise<SettingsChange> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#limitMs)]);
    const updating = this.#lastUpdate.then(() => this.#update(change, signal));
    this.#lastUpdate = updating.catch(() => undefined);
    return updating;
  }

  onChange(listener: (now: Settings, before: Settings) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  status(): SettingsStatus {
    const { read, write, overlay } = this.#problems;
    const problems = [read, write, ...overlay].filter((one) => one !== undefined);
    return {
      store: this.#store.kind,
      read: this.#readAt !== undefined,
      ...(this.#readAt !== undefined && { readAt: this.#readAt }),
      ...(problems.length > 0 && { problem: problems.slice(0, LISTED_PROBLEMS).join('; ') }),
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#listeners.clear();
    this.#closing.abort();
    await this.#store.close();
  }

  async #readFirst(until: number): Promise<void> {
    while (!(await within(this.#read(), until - Date.now())) && !this.#closing.signal.aborted) {
      const leftMs = until - Date.now();
      if (leftMs <= 0) return;
      await pause(Math.min(FIRST_RETRY_MS, leftMs));
    }
  }

  /** Reads once, however many ask; true when it was read. Never rejects. */
  #read(): Promise<boolean> {
    this.#reading ??= this.#readStore().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readStore(): Promise<boolean> {
    const taken = this.#taken;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#limitMs)]);
    try {
      const { decoded } = await this.#load(signal);
      if (taken === this.#taken) this.#take(decoded.overlay, decoded.problems);
      return true;
    } catch {
      // Reported where it was found.
      return false;
    }
  }

  async #load(signal: AbortSignal): Promise<Loaded> {
    try {
      const state = await orAborted(this.#store.read(signal), signal);
      const decoded = await decodeOverlay(state.stored?.overlay ?? {}, this.#cipher);
      this.#readAt = Date.now();
      this.#report({ read: undefined });
      return { state, decoded };
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#report({ read: reasonOf(error) });
      throw error;
    }
  }

  async #update(
    change: (overlay: PartialSettings) => PartialSettings,
    signal: AbortSignal,
  ): Promise<SettingsChange> {
    let first: Loaded | undefined;
    while (!signal.aborted) {
      const loaded = await this.#load(signal);
      first ??= loaded;
      const next = change(loaded.decoded.overlay);
      requireValidSettings(next);
      const version = await this.#write(next, loaded, signal);
      if (version !== undefined) return { changed: this.#changed(first, next), version };
    }
    throw tooLate();
  }

  /** The version that is stored now; undefined when another node was first. */
  async #write(
    next: PartialSettings,
    { state, decoded }: Loaded,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const version = state.stored?.version ?? 0;
    const isKept = this.#store.kind !== 'none';
    if (isKept && isDeepStrictEqual(next, decoded.overlay)) {
      this.#take(next, decoded.problems);
      return version;
    }
    const overlay = await encodeOverlay(next, decoded, this.#cipher);
    try {
      const stored = { version: version + 1, overlay };
      if (!(await orAborted(this.#store.write(stored, state, signal), signal))) return undefined;
    } catch (error) {
      this.#report({ write: reasonOf(error) });
      throw error;
    }
    this.#report({ write: undefined });
    this.#take(next, (await decodeOverlay(overlay, this.#cipher)).problems);
    return version + 1;
  }

  #changed({ decoded }: Loaded, next: PartialSettings): readonly string[] {
    const before = mergeSettings([decoded.overlay, this.#kong]);
    return differingPaths(before, mergeSettings([next, this.#kong]));
  }

  #take(overlay: PartialSettings, problems: readonly string[]): void {
    this.#taken++;
    this.#report({ overlay: problems });
    this.#overlay = overlay;
    const before = this.#current;
    const now = mergeSettings([overlay, this.#kong]);
    if (isDeepStrictEqual(now, before)) return;
    this.#current = now;
    for (const listener of [...this.#listeners]) this.#tell(listener, now, before);
  }

  #tell(
    listener: (now: Settings, before: Settings) => void,
    now: Settings,
    before: Settings,
  ): void {
    try {
      listener(now, before);
    } catch (error) {
      const stack = error instanceof Error ? error.stack : undefined;
      this.#log.error({ stack }, 'a change of the settings could not be followed');
    }
  }

  /** Logged when it is another one than before, not every 10 s. */
  #report(problems: Partial<Problems>): void {
    const { problem: before } = this.status();
    this.#problems = { ...this.#problems, ...problems };
    const { problem } = this.status();
    if (problem === before) return;
    if (problem === undefined) this.#log.info('the settings are read and written again');
    else this.#log.warn({ problem }, 'the store of the settings');
  }
}

interface Problems {
  readonly read: string | undefined;
  readonly write: string | undefined;
  readonly overlay: readonly string[];
}

interface Loaded {
  readonly state: StoreState;
  readonly decoded: DecodedOverlay;
}

/** A store may not heed the signal at once. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(tooLate());
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

const tooLate = (): ReturnType<typeof storeUnavailable> =>
  storeUnavailable(`[kibana-clickhouse] the store of the settings did not answer in time`);

/** What the work gives, or false when it takes longer. */
function within(work: Promise<boolean>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, limitMs), false).unref();
    void work.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/^\[kibana-clickhouse\] /, '') : 'unknown error';
