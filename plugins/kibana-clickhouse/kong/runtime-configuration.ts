import type { PluginConfig } from '../../../schema/plugin-config';
import type { PartialSettings } from '../../../schema/settings';
import type { ServedMessage } from '../gateway/answer-process/messages';
import { servedIndexes, type ServedIndexes } from '../gateway/index-expression';

/** Requests wait this long for the first word about the stored settings, in ms; then kong.yml rules. */
const FIRST_READ_MS = 2_000;

/**
 * One configuration in the plugin server, shared by all instances that have it: which names it serves
 * now. At first those of kong.yml; then the latest that the answer process has told. What was told
 * outlives the answer process.
 */
export class RuntimeConfiguration {
  readonly runtime: string;
  readonly config: PluginConfig;
  /** Instances of the plugin that have it. */
  instances = 0;
  /** Epoch ms of the last request. */
  usedAt = Date.now();
  #served: ServedIndexes;
  #overlay: PartialSettings | undefined;
  readonly #waitMs: number;
  #waiting: Promise<void> | undefined;
  #isSettled: boolean;
  #settle: () => void = () => undefined;

  constructor(runtime: string, config: PluginConfig, waitMs = FIRST_READ_MS) {
    this.runtime = runtime;
    this.config = config;
    this.#waitMs = waitMs;
    this.#served = servedIndexes(config.settings?.proxy ?? {});
    this.#isSettled = !hasStore(config);
  }

  /** Whitelisted and not blacklisted, as last told. */
  get served(): ServedIndexes {
    return this.#served;
  }

  /** The stored settings as last told: for the next answer process. */
  get lastKnown(): PartialSettings | undefined {
    return this.#overlay;
  }

  /** False: a request must wait for `settled()` before it is decided. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /**
   * Resolves when the answer process has told what the settings say, at the latest 2 s after the first
   * call. All who wait share that time, and nobody waits after it.
   */
  settled(): Promise<void> {
    if (this.#isSettled) return Promise.resolve();
    this.#waiting ??= new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#settle();
      }, this.#waitMs).unref();
      this.#settle = () => {
        this.#isSettled = true;
        this.#waiting = undefined;
        clearTimeout(timer);
        resolve();
      };
    });
    return this.#waiting;
  }

  /** Takes what the answer process tells. A word from before the store was read changes nothing that was read. */
  take({ names, overlay }: Pick<ServedMessage, 'names' | 'overlay'>): void {
    if (overlay !== undefined || this.#overlay === undefined) {
      this.#served = new Set(names);
      this.#overlay = overlay ?? this.#overlay;
    }
    this.#isSettled = true;
    this.#settle();
  }

  /** Nobody told changes for a while: the next request waits for the answer process again. */
  doubt(): void {
    this.#isSettled = !hasStore(this.config);
  }
}

/** Without a store nothing can differ from kong.yml. */
const hasStore = ({ metadata_config, state_file = '' }: PluginConfig): boolean =>
  (metadata_config?.hosts ?? []).length > 0 || state_file !== '';
