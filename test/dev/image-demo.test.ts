import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startClickHouse } from '../../dev/clickhouse/embedded';
import { query, runSql } from '../../dev/clickhouse/run-sql';

jest.setTimeout(60_000);

it('the demo table of docker/ is one that ClickHouse makes', async () => {
  const sql = readFileSync(resolve(__dirname, '../../docker/clickhouse/20-access-log.sql'), 'utf8');
  const rows = 'numbers(1000000)';
  expect(sql).toContain(rows);
  const server = await startClickHouse();
  try {
    await runSql(server.url, sql.replace(rows, 'numbers(0, 10000)'));
    const [count, hosts, statuses, newest] = (
      await query(
        server.url,
        `SELECT count(), uniqExact(host), uniqExact(status), max("@timestamp") > now() - 60 FROM access_log`,
      )
    ).split('\t');
    expect({ count, hosts, statuses, newest }).toEqual({
      ...{ count: '10000', hosts: '6', statuses: '4', newest: '1' },
    });
  } finally {
    await server.close();
  }
});
