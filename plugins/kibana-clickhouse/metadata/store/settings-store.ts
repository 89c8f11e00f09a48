/** What a store keeps: what only the administration endpoints have set. */
export interface StoredSettings {
  /** Counts the writes; 1 for the first. */
  readonly version: number;
  /** The overlay as JSON; secrets in it are encrypted. Not checked. */
  readonly overlay: unknown;
}

/** One state of a store: what was read, and what a write must find unchanged. */
export interface StoreState {
  /** Undefined: nothing was ever stored. */
  readonly stored: StoredSettings | undefined;
  /** Of the store alone. */
  readonly token: unknown;
}

/** Where one configuration keeps its settings. Each call ends with its signal at the latest. */
export interface SettingsStore {
  readonly kind: 'elasticsearch' | 'file' | 'none';
  /** Throws an `ElasticsearchError` (503) that says why it cannot be read. */
  read(signal: AbortSignal): Promise<StoreState>;
  /**
   * Replaces what was read as `before`. False, with nothing written, when it is not the present state
   * any more. Throws an `ElasticsearchError` that says why it cannot be written.
   */
  write(next: StoredSettings, before: StoreState, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}
