import type { PartialSettings, Settings } from '../../../../schema/settings';

/** Where the value of a setting comes from, the strongest first. */
export type SettingSource = 'admin' | 'kong.yml' | 'default';

/** What an update did, for its answer. */
export interface SettingsChange {
  /** Dotted paths of what has another value now: `proxy.round`. Secrets are named, never shown. */
  readonly changed: readonly string[];
  /** Number of the stored overlay's version. */
  readonly version: number;
}

/** How the store of the settings fares, for `/health`. */
export interface SettingsStatus {
  readonly store: 'elasticsearch' | 'file' | 'none';
  /** Whether the stored overlay was read at least once. */
  readonly read: boolean;
  /** Epoch ms of the last good read. */
  readonly readAt?: number;
  /** Why the last read or the last write failed; absent when it did not. Never holds a secret. */
  readonly problem?: string;
}

/**
 * The settings of one configuration: what the administration endpoints have set (the overlay, kept
 * in the store), over `settings` of kong.yml, over the defaults.
 */
export interface SettingsService {
  /** The settings in force. Changes by replacement: a reader keeps one for the length of a request. */
  current(): Settings;
  /** What only the administration endpoints have set. Secrets in clear: never show it. */
  overlay(): PartialSettings;
  /** Where each value comes from, by dotted path. */
  sources(): ReadonlyMap<string, SettingSource>;
  /** Resolves when the store was read once, or after 2 s without success: then kong.yml rules. */
  ready(): Promise<void>;
  /**
   * Changes the overlay: reads it, applies `change`, validates, writes it with a version check and
   * repeats all that when another node was first. In force here when it resolves. Throws 400 for what
   * is not valid (with the path), 503 when the store cannot be written.
   */
  update(change: (overlay: PartialSettings) => PartialSettings): Promise<SettingsChange>;
  /** Called after the settings in force have changed, with the old and the new ones. Returns how to stop. */
  onChange(listener: (now: Settings, before: Settings) => void): () => void;
  status(): SettingsStatus;
  /** Stops reading and ends its connections. */
  close(): Promise<void>;
}
