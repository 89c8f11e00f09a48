import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Log } from '../../../plugins/kibana-clickhouse/common/log';
import { createSettingsService } from '../../../plugins/kibana-clickhouse/metadata/settings/create-settings-service';
import type { SettingsService } from '../../../plugins/kibana-clickhouse/metadata/settings/settings-service';
import type { PluginConfig } from '../../../schema/plugin-config';

export const secretKey = 'a key of more than sixteen characters';

/** A log that can be read. */
export function keptLog(): { readonly log: Log; readonly text: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { log: pino({ level: 'debug' }, stream), text: () => chunks.join('') };
}

export const silentLog: Log = pino({ level: 'silent' });

/** A plugin configuration; `over` replaces what it names. */
export const pluginConfig = (over: Partial<PluginConfig> = {}): PluginConfig => ({
  role: 'admin',
  failure_mode: 'drop-in',
  log_level: 'error',
  ...over,
});

/** A directory for one test file, and services that are closed with it. */
export class Workplace {
  readonly directory = mkdtempSync(join(tmpdir(), 'settings-'));
  readonly #services: SettingsService[] = [];
  readonly #readEveryMs: number;
  readonly #limits: { readonly limitMs?: number };

  /** How often its services read, in ms (by default only once), and how long they wait for the store. */
  constructor(readEveryMs = 3_600_000, limits: { readonly limitMs?: number } = {}) {
    this.#readEveryMs = readEveryMs;
    this.#limits = limits;
  }

  open(
    over: Partial<PluginConfig> = {},
    log: Log = silentLog,
    readEveryMs = this.#readEveryMs,
  ): SettingsService {
    const service = createSettingsService({
      config: pluginConfig(over),
      log,
      readEveryMs,
      ...this.#limits,
    });
    this.#services.push(service);
    return service;
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.close()));
    rmSync(this.directory, { recursive: true, force: true });
  }
}
