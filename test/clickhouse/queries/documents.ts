import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { type EmbeddedClickHouse, startClickHouse } from '../../../dev/clickhouse/embedded';
import type { TableOptions } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/build-table';
import { createCatalog } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/load-catalog';
import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import {
  type ClickHouseExecutor,
  createExecutor,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';
import type {
  Cell,
  ExecutionContext,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/executor';
import { as, asc, column } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { compileSelect } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { Expr } from '../../../plugins/kibana-clickhouse/clickhouse/sql/nodes';
import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { QueryContext } from '../../../plugins/kibana-clickhouse/search/queries/definition';
import { parseQuery } from '../../../plugins/kibana-clickhouse/search/queries/registry';
import { splitCondition } from '../../../plugins/kibana-clickhouse/search/queries/split-time-range';

/** `now` of all searches: 2024-05-15T10:20:30.400Z, a Wednesday. */
export const now = Date.UTC(2024, 4, 15, 10, 20, 30, 400);

export const context = (): ExecutionContext => ({
  signal: new AbortController().signal,
  comment: 'test',
});

/** A server with one table, and the ids of its documents that a query finds. */
export interface Documents {
  readonly executor: ClickHouseExecutor;
  readonly table: Table;
  /** Ids in order. */
  find(query: JsonValue, how?: Pick<QueryContext, 'textSearch'>): Promise<readonly Cell[]>;
  /** Rows that ClickHouse read to find them. */
  rowsRead(query: JsonValue): Promise<number>;
  values(expr: Expr): Promise<readonly Cell[]>;
  close(): Promise<void>;
}

/** Starts a server, runs the statements as its administrator, and reads `table` as a reading user, as `options` say. */
export async function openDocuments(
  statements: readonly string[],
  table = 'docs',
  options: TableOptions = {},
): Promise<Documents> {
  const server: EmbeddedClickHouse = await startClickHouse({
    users: [{ name: 'reader', password: 'secret' }],
  });
  const admin: ClickHouseClient = createClient({ url: server.url });
  for (const query of statements) await admin.command({ query });
  await admin.close();
  const executor = createExecutor({
    url: server.url,
    user: 'reader',
    pass: 'secret',
    database: 'default',
  });
  const catalog = createCatalog(executor, 'default', () => options);
  const found = await catalog.table(table);
  if (found === undefined) throw new Error(`no table ${table}`);
  const run = (query: JsonValue, how: Pick<QueryContext, 'textSearch'> = {}) => {
    const { where, timeRange } = splitCondition(parseQuery(query), { table: found, now, ...how });
    return executor.rows(
      compileSelect({
        columns: [as('id', column('id'))],
        from: { kind: 'table', database: 'default', table },
        where,
        ...(timeRange && { timeRange }),
        orderBy: [asc(column('id'))],
      }),
      context(),
    );
  };
  return {
    executor,
    table: found,
    find: async (query, how) => (await run(query, how)).rows.map(([id = null]) => id),
    rowsRead: async (query) => (await run(query)).summary.readRows,
    values: async (expr) => {
      const { rows } = await executor.rows(
        compileSelect({
          columns: [as('v', expr)],
          from: { kind: 'table', database: 'default', table },
          orderBy: [asc(column('id'))],
        }),
        context(),
      );
      return rows.map(([value = null]) => value);
    },
    close: async () => {
      catalog.close();
      await executor.close();
      await server.close();
    },
  };
}
