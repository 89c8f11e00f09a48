import { connect, runSql } from '../../../dev/clickhouse/run-sql';
import {
  type EmbeddedClickHouse,
  type EmbeddedOptions,
  startClickHouse,
} from '../../../dev/clickhouse/embedded';
import {
  type Catalog,
  createCatalog,
} from '../../../plugins/kibana-clickhouse/clickhouse/catalog/load-catalog';
import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import {
  type ClickHouseExecutor,
  createExecutor,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';
import type { ExecutionContext } from '../../../plugins/kibana-clickhouse/clickhouse/execution/executor';

/** A real ClickHouse with tables, and what answers searches on them. */
export interface IndexedTables {
  readonly executor: ClickHouseExecutor;
  table(name: string): Promise<Table>;
  /** Runs statements: definitions and inserts. */
  run(sql: string): Promise<void>;
  /** Inserts documents as Elasticsearch would get them. */
  insert(table: string, documents: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

export const execution: ExecutionContext = {
  signal: new AbortController().signal,
  comment: 'test',
};

/** Starts ClickHouse and runs a script on it. The caller closes it. */
export async function startIndexedTables(
  script = '',
  options: EmbeddedOptions = {},
): Promise<IndexedTables> {
  const server: EmbeddedClickHouse = await startClickHouse(options);
  const executor = createExecutor({ url: server.url });
  const catalog: Catalog = createCatalog(executor, 'default');
  const run = async (sql: string): Promise<void> => {
    await runSql(server.url, sql);
  };
  await run(script);
  return {
    executor,
    run,
    table: async (name) => {
      catalog.forget(name);
      const table = await catalog.table(name);
      if (table === undefined) throw new Error(`no table ${name}`);
      return table;
    },
    insert: async (table, documents) => {
      const client = connect({ url: server.url });
      try {
        await client.insert({
          table,
          values: documents,
          format: 'JSONEachRow',
          clickhouse_settings: { date_time_input_format: 'best_effort' },
        });
      } finally {
        await client.close();
      }
    },
    close: async () => {
      catalog.close();
      await executor.close();
      await server.close();
    },
  };
}

/** A web access log with every kind of column that the demo has. */
export const accessLog = `
CREATE TABLE access_log (
  \`@timestamp\` DateTime64(3, 'UTC'),
  host LowCardinality(String),
  method String,
  path String,
  status UInt16,
  bytes UInt64,
  latency_ms Float64,
  client_ip IPv4,
  user_agent String,
  referer Nullable(String),
  message String,
  tags Array(String),
  labels Map(String, String),
  price Decimal(10, 2),
  cached Bool
) ENGINE = MergeTree ORDER BY \`@timestamp\`;`;

/** One line of the access log; what is given replaces the defaults. */
export const logLine = (second: number, given: object = {}): object => ({
  '@timestamp': new Date(Date.UTC(2024, 0, 1, 0, 0, second, 123)).toISOString(),
  host: 'web-1',
  method: 'GET',
  path: '/index.html',
  status: 200,
  bytes: 1000 + second,
  latency_ms: 1.5,
  client_ip: '10.0.0.1',
  user_agent: 'Mozilla/5.0',
  referer: null,
  message: `line ${String(second)}`,
  tags: ['a', 'b'],
  labels: { team: 'core' },
  price: 9.5,
  cached: true,
  ...given,
});
