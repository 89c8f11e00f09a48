import type { PluginConfig } from '../../../../schema/plugin-config';
import type { PartialSettings } from '../../../../schema/settings';
import type { SettingsService } from '../../metadata/settings/settings-service';
import { servedIndexes } from '../index-expression';
import type { Lease, RuntimeCaller, RuntimeHost } from '../runtime';
import { acknowledgedSettings } from './acknowledged-settings';
import type { ServedChannel } from './served-channel';

interface RuntimesOptions {
  /** Must not throw: a configuration that cannot be used fails when it is used. */
  readonly openSettings: (config: PluginConfig, lastKnown?: PartialSettings) => SettingsService;
  /** Must not throw either. */
  readonly create: (config: PluginConfig, settings: SettingsService) => RuntimeHost;
  readonly channel: ServedChannel;
  /** Epoch ms; for tests. */
  readonly now?: () => number;
}

interface Entry {
  readonly id: string;
  readonly config: PluginConfig;
  readonly lastKnown: PartialSettings | undefined;
  /** Whether an instance of the plugin has this configuration. */
  isHeld: boolean;
  settings: SettingsService | undefined;
  host: RuntimeHost | undefined;
  /** Requests under way. */
  inFlight: number;
  usedAt: number;
}

/** Connections are closed after this time without requests, in ms. */
const CLOSE_AFTER_MS = 10 * 60_000;
/** Settings that no instance of the plugin has are closed after this time without requests, in ms. */
const CLOSE_RELEASED_AFTER_MS = 60_000;
/** A configuration that no instance has is forgotten after this time without requests, in ms. */
const FORGET_AFTER_MS = 60 * 60_000;
/** So many of them are kept at most, however many configurations Kong is given. */
const RELEASED_KEPT = 1_000;

/**
 * One runtime for each distinct configuration. While an instance of the plugin has a configuration,
 * its settings are read, requests or not, and every change is told to the plugin server; what answers
 * requests is closed after ten idle minutes. A request may come long after Kong replaced the
 * configuration that it was handed over with (nginx reads its body in between): so a configuration
 * stays known for an hour after its last use.
 */
export class Runtimes {
  readonly #options: RuntimesOptions;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(options: RuntimesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Makes a configuration known and starts to read its settings. The same id always means the same
   * configuration. `lastKnown`: the stored settings as they were read before this process.
   */
  configure(id: string, config: PluginConfig, lastKnown?: PartialSettings): void {
    const known = this.#entries.get(id);
    const entry = known ?? newEntry(id, config, lastKnown);
    entry.isHeld = true;
    entry.usedAt = this.#now();
    this.#entries.set(id, entry);
    const settings = this.#settingsOf(entry);
    settings.ready().then(() => {
      this.#tell(entry);
    }, ignore);
  }

  /** No instance of the plugin has the configuration any more. */
  release(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.isHeld = false;
    // The one that was released last is the last to be forgotten.
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    if (!entry.host && entry.inFlight === 0) closeSettings(entry).catch(ignore);
  }

  /**
   * Undefined for an id that is not known or was forgotten. Waits until the settings were read, 2 s at
   * most, the first time.
   */
  async lease(id: string, caller: RuntimeCaller): Promise<Lease | undefined> {
    const entry = this.#entries.get(id);
    if (!entry) return undefined;
    entry.inFlight++;
    const settings = this.#settingsOf(entry);
    // What was known before this process began is good enough until more is known.
    if (!entry.lastKnown) await settings.ready();
    entry.host ??= this.#options.create(entry.config, settings);
    const { runtime, release: releaseConnections } = entry.host.lease(caller);
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      releaseConnections();
      entry.inFlight--;
      entry.usedAt = this.#now();
    };
    return { runtime, release };
  }

  /** Closes and forgets what was not used for long. Call it every minute or so. */
  async sweep(): Promise<void> {
    const idle = [...this.#entries.values()].filter(
      ({ inFlight, host }) => inFlight === 0 && host?.isWorking !== true,
    );
    const released = idle.filter(({ isHeld }) => !isHeld);
    const tooMany = new Set(released.slice(0, Math.max(0, released.length - RELEASED_KEPT)));
    await Promise.all(
      idle.map(async (entry) => {
        const idleMs = this.#now() - entry.usedAt;
        if (!entry.isHeld && (idleMs >= FORGET_AFTER_MS || tooMany.has(entry)))
          this.#entries.delete(entry.id);
        if (idleMs >= CLOSE_AFTER_MS || tooMany.has(entry)) await closeHost(entry);
        if (entry.isHeld || (idleMs < CLOSE_RELEASED_AFTER_MS && !tooMany.has(entry))) return;
        await closeSettings(entry);
      }),
    );
  }

  /** Closes everything. */
  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map(closeSettings));
  }

  #settingsOf(entry: Entry): SettingsService {
    if (entry.settings) return entry.settings;
    const { openSettings, channel } = this.#options;
    const settings = openSettings(entry.config, entry.lastKnown);
    entry.settings = acknowledgedSettings(settings, () => channel.acknowledged(entry.id));
    settings.onChange(() => {
      this.#tell(entry);
    });
    return entry.settings;
  }

  /** Nobody decides by a configuration that no instance has. */
  #tell({ id, isHeld, settings }: Entry): void {
    if (!isHeld || !settings) return;
    this.#options.channel.tell(id, {
      served: servedIndexes(settings.current().proxy),
      ...(settings.status().read && { overlay: settings.overlay() }),
    });
  }
}

const newEntry = (id: string, config: PluginConfig, lastKnown?: PartialSettings): Entry => ({
  id,
  config,
  lastKnown,
  isHeld: true,
  settings: undefined,
  host: undefined,
  inFlight: 0,
  usedAt: 0,
});

async function closeHost(entry: Entry): Promise<void> {
  const { host } = entry;
  if (!host || host.isKeepingOldConnection) return;
  entry.host = undefined;
  await host.close();
}

/** What answers by the settings ends with them. */
async function closeSettings(entry: Entry): Promise<void> {
  const { host, settings } = entry;
  entry.host = undefined;
  entry.settings = undefined;
  await host?.close();
  await settings?.close();
}

const ignore = (): void => undefined;
