import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedClickHouse, startClickHouse } from '../clickhouse/embedded';
import { connect, runSql } from '../clickhouse/run-sql';
import { loadAccessLog } from '../demo/access-log';
import { reasonOf, StartFailure } from './failure';
import { note } from './note';
import type { StartOptions } from './options';

/** The embedded ClickHouse, ready for the plugin. */
export interface EmbeddedStore {
  readonly clickHouse: EmbeddedClickHouse;
  /** The reading user that the plugin connects as. */
  readonly user: string;
  readonly password: string;
}

/** The user of the plugin in the embedded ClickHouse: it may read, nothing else. */
const PLUGIN_USER = 'kibana';

/** Starts the embedded ClickHouse; throws StartFailure with the reason when it does not come up. */
export async function startStore(options: StartOptions): Promise<EmbeddedStore> {
  const password = randomBytes(16).toString('base64url');
  try {
    const clickHouse = await startClickHouse({
      users: [{ name: PLUGIN_USER, password }],
      ...(options.dataDirectory === undefined
        ? {}
        : { dataDirectory: join(options.dataDirectory, 'clickhouse') }),
    });
    note(`ClickHouse: ${clickHouse.url}, data in ${clickHouse.dataDirectory}`);
    return { clickHouse, user: PLUGIN_USER, password };
  } catch (error) {
    throw new StartFailure(reasonOf(error), { cause: error });
  }
}

/** Runs the --init files and loads the demo table; throws StartFailure with file and statement. */
export async function fillStore(url: string, options: StartOptions): Promise<void> {
  for (const file of options.init) await runInitFile(url, file);
  if (options.demo) await loadDemo(url, options.rows);
}

async function runInitFile(url: string, file: string): Promise<void> {
  try {
    const statements = await runSql(url, readFileSync(file, 'utf8'));
    note(`${file}: ${String(statements)} statements done`);
  } catch (error) {
    throw new StartFailure(`--init ${file}: ${reasonOf(error)}`, { cause: error });
  }
}

const count = (rows: number): string => rows.toLocaleString('en-US');

async function loadDemo(url: string, rows: number): Promise<void> {
  const started = performance.now();
  const onProgress = (loaded: number, all: number): void => {
    note(`demo table access_log: ${count(loaded)} of ${count(all)} rows`);
  };
  try {
    const demo = await loadAccessLog({ url }, { rows, onProgress });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    note(
      demo.loaded
        ? `demo table access_log: loaded in ${seconds} s`
        : `demo table access_log: already there with ${count(demo.rows)} rows, not loaded again`,
    );
  } catch (error) {
    throw new StartFailure(`the demo table was not loaded: ${reasonOf(error)}`, { cause: error });
  }
}

/** Names of the tables in the database `default`. */
export async function tableNames(url: string): Promise<readonly string[]> {
  const client = connect({ url });
  try {
    const query =
      "SELECT name FROM system.tables WHERE database = 'default' AND NOT is_temporary AND name NOT LIKE '.%' ORDER BY name";
    const answer = await client.query({ query });
    return (await answer.json<{ name: string }>()).data.map(({ name }) => name);
  } finally {
    await client.close();
  }
}
