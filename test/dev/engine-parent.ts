import { startClickHouse } from '../../dev/clickhouse/embedded';

/** A program with an embedded ClickHouse that does not end by itself. */
void startClickHouse().then(({ pid, dataDirectory }) => {
  process.stdout.write(`${JSON.stringify({ pid, dataDirectory })}\n`);
  setInterval(() => undefined, 1000);
});
