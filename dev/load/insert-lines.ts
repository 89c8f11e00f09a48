import { Readable } from 'node:stream';
import { type SqlTarget, connect } from '../clickhouse/run-sql';

/** A name in backticks. */
export const quotedName = (name: string): string =>
  `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

/**
 * Inserts rows into a table, each as the text of one JSON object with a line feed: numbers keep every digit. Dates may be
 * written in any of ClickHouse's `best_effort` forms. Throws ClickHouse's error; rows before it may have been inserted.
 */
export async function insertLines(
  target: SqlTarget,
  table: string,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const client = connect(target);
  try {
    const { stream } = await client.exec({
      query: `INSERT INTO ${quotedName(table)} FORMAT JSONEachRow`,
      values: Readable.from(lines, { objectMode: false }),
      clickhouse_settings: { date_time_input_format: 'best_effort' },
    });
    stream.resume();
    await new Promise((done, fail) => stream.once('close', done).once('error', fail));
  } finally {
    await client.close();
  }
}
