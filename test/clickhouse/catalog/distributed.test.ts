import { createClient } from '@clickhouse/client';
import { startClickHouse } from '../../../dev/clickhouse/embedded';
import { bindablePort } from '../../../dev/clickhouse/free-port';
import { createCatalog } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/load-catalog';
import { createExecutor } from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';

test('a Distributed table has the keys of its local table, where that is visible', async () => {
  const nobody = await bindablePort();
  const server = await startClickHouse({
    extraXml: `<remote_servers><pair><shard><replica><host>127.0.0.1</host><port>${String(nobody)}</port></replica></shard></pair></remote_servers>`,
  });
  const admin = createClient({ url: server.url });
  for (const query of [
    'CREATE TABLE local_logs (early DateTime, ts DateTime64(3), host String) ENGINE = MergeTree PARTITION BY toYYYYMM(ts) ORDER BY (host, ts)',
    "CREATE TABLE logs (early DateTime, ts DateTime64(3), host String) ENGINE = Distributed('pair', 'default', 'local_logs', rand())",
    "CREATE TABLE far (early DateTime, ts DateTime64(3)) ENGINE = Distributed('pair', 'elsewhere', 'x')",
  ])
    await admin.command({ query });
  const executor = createExecutor({ url: server.url });
  const catalog = createCatalog(executor, 'default');
  expect(await catalog.table('logs')).toMatchObject({
    engine: 'Distributed',
    sortingKey: 'host, ts',
    partitionKey: 'toYYYYMM(ts)',
    timeField: 'ts',
  });
  expect(await catalog.table('far')).toMatchObject({ sortingKey: '', timeField: 'early' });
  catalog.close();
  await Promise.all([executor.close(), admin.close()]);
  await server.close();
});
