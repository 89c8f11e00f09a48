import { connect, type SqlTarget } from '../clickhouse/run-sql';
import { accessLogColumns, rowExpressions } from './access-log-columns';
import { trafficSpan } from './traffic';

export interface AccessLogOptions {
  /** Default 1,000,000. */
  readonly rows?: number;
  /** Same seed, rows and `now`: same rows. */
  readonly seed?: number;
  /** End of the seven days, in ms of the epoch; default: now. */
  readonly now?: number;
  /** Called after every part with the rows that are in ClickHouse. */
  readonly onProgress?: (loaded: number, rows: number) => void;
}

const TABLE = 'access_log';
const LOADING = 'access_log_loading';
const DEFAULT_ROWS = 1_000_000;
const ROWS_PER_INSERT = 100_000;

const createTable = `CREATE TABLE ${LOADING} (
  ${accessLogColumns.join(',\n  ')}
) ENGINE = MergeTree
PARTITION BY toDate("@timestamp")
ORDER BY ("@timestamp", host)`;

/**
 * Creates and fills `access_log`, a web access log of the last seven days that ClickHouse generates
 * itself, unless the database has a table of that name: then nothing changes and `loaded` is false.
 * The table gets its name only when it is complete, so an interrupted load leaves none. Throws
 * ClickHouse's error when the user may not create tables.
 */
export async function loadAccessLog(
  target: SqlTarget,
  options: AccessLogOptions = {},
): Promise<{ readonly loaded: boolean; readonly rows: number }> {
  const client = connect(target);
  const count = async (): Promise<number> => {
    const answer = await client.query({ query: `SELECT count() AS n FROM ${TABLE}` });
    const { data } = await answer.json<{ n: string | number }>();
    return Number(data[0]?.n);
  };
  try {
    const exists = await client.query({ query: `EXISTS TABLE ${TABLE}`, format: 'TabSeparated' });
    if ((await exists.text()).trim() === '1') return { loaded: false, rows: await count() };
    await client.command({ query: `DROP TABLE IF EXISTS ${LOADING} SYNC` });
    await client.command({ query: createTable });
    for (const statement of insertStatements(options)) {
      await client.command({ query: statement.sql });
      options.onProgress?.(statement.loaded, options.rows ?? DEFAULT_ROWS);
    }
    await client.command({ query: `RENAME TABLE ${LOADING} TO ${TABLE}` });
    return { loaded: true, rows: await count() };
  } finally {
    await client.close();
  }
}

/** The statements that fill the table, oldest rows first, and the rows that are in after each. */
function* insertStatements({
  rows = DEFAULT_ROWS,
  seed = 1,
  now = Date.now(),
}: AccessLogOptions): Generator<{ readonly sql: string; readonly loaded: number }> {
  const select = rowExpressions({ rows, seed, span: trafficSpan(now) });
  for (let from = 0; from < rows; from += ROWS_PER_INSERT) {
    const size = Math.min(ROWS_PER_INSERT, rows - from);
    const numbers = `numbers(${String(from)}, ${String(size)})`;
    yield { sql: `INSERT INTO ${LOADING} ${select} FROM ${numbers}`, loaded: from + size };
  }
}
