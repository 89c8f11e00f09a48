import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where the plugin keeps what the administration endpoints set, and what it encrypts secrets with. */
export interface SettingsHome {
  readonly stateFile: string;
  readonly secretKey: string;
  /** Removes what was temporary. */
  close(): Promise<void>;
}

/**
 * Settings and their key in a directory, where both are found again at the next start; without one
 * they are temporary.
 */
export function openSettingsHome(directory: string | undefined): SettingsHome {
  const isTemporary = directory === undefined;
  const home = isTemporary ? mkdtempSync(join(tmpdir(), 'kibana-clickhouse-')) : resolve(directory);
  mkdirSync(home, { recursive: true });
  return {
    stateFile: join(home, 'settings.json'),
    secretKey: keyIn(join(home, 'secret_key')),
    close: () => {
      if (isTemporary) rmSync(home, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

function keyIn(path: string): string {
  if (!existsSync(path))
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  return readFileSync(path, 'utf8').trim();
}
