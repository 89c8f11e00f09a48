import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { splitSql } from './split-sql';

/** Where a script runs; without a user it is `default` without a password. */
export interface SqlTarget {
  /** `http://host:port` */
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
}

/** A client for one target; the caller closes it. Its own log is off: errors are thrown, not printed. */
export const connect = ({ url, user, password, database }: SqlTarget): ClickHouseClient =>
  createClient({
    url,
    username: user ?? 'default',
    password: password ?? '',
    database: database ?? 'default',
    request_timeout: 600_000,
    log: { level: ClickHouseLogLevel.OFF },
  });

/** A statement of a script that ClickHouse refused. */
export class SqlScriptError extends Error {
  /** Position among the script's statements, from 1. */
  readonly statement: number;
  constructor(statement: number, line: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`statement ${String(statement)} (line ${String(line)}): ${reason}`, { cause });
    this.statement = statement;
  }
}

/**
 * Runs the statements of a script one after the other and gives their number. `USE`, `SET` and
 * temporary tables hold for the rest of the script. A bare URL means `default` without a password. Throws `SqlScriptError` at the first refusal.
 */
export async function runSql(target: SqlTarget | string, script: string): Promise<number> {
  const client = connect(typeof target === 'string' ? { url: target } : target);
  const session = `script-${String(process.pid)}-${String(performance.now())}`;
  try {
    let done = 0;
    for (const { text, line } of splitSql(script)) {
      try {
        await client.command({ query: text, session_id: session });
      } catch (error) {
        throw new SqlScriptError(done + 1, line, error);
      }
      done += 1;
    }
    return done;
  } finally {
    await client.close();
  }
}

/** The rows of one query as tab-separated text, without the last line feed: a single value is its text. */
export async function query(target: SqlTarget | string, sql: string): Promise<string> {
  const client = connect(typeof target === 'string' ? { url: target } : target);
  try {
    const answer = await client.query({ query: sql, format: 'TabSeparated' });
    return (await answer.text()).replace(/\n$/, '');
  } finally {
    await client.close();
  }
}
