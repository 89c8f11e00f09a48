import { type EmbeddedClickHouse, startClickHouse } from '../../../dev/clickhouse/embedded';
import { buildTable } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/build-table';
import {
  loadSamples,
  loadTableFacts,
} from '../../../plugins/kibana-clickhouse/clickhouse/catalog/load-table';
import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import {
  type ClickHouseExecutor,
  createExecutor,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';
import type { ResultSet } from '../../../plugins/kibana-clickhouse/clickhouse/execution/executor';
import { alwaysTrue } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { compileSelect } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { SelectNode } from '../../../plugins/kibana-clickhouse/clickhouse/sql/nodes';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseAggregations } from '../../../plugins/kibana-clickhouse/search/aggregations/registry';
import type {
  AggregationPlan,
  Scope,
} from '../../../plugins/kibana-clickhouse/search/plan/aggregation-plan';
import { planAggregations } from '../../../plugins/kibana-clickhouse/search/plan/plan-aggregations';
import type { TimeSpan } from '../../../plugins/kibana-clickhouse/search/queries/definition';

export const now = Date.parse('2026-11-21T12:00:00Z');

export interface Answer {
  readonly aggregations: JsonObject;
  readonly total: number;
}

export interface SearchOptions {
  readonly scope?: Scope;
  readonly span?: Omit<TimeSpan, 'field'>;
}

/** A ClickHouse with a way to run aggregations as the product runs them. */
export interface Bench {
  /** Runs SQL as it stands, and gives the text of the answer. */
  sql(text: string): Promise<string>;
  table(name: string): Promise<Table>;
  plan(table: Table, aggs: JsonValue, options?: SearchOptions): AggregationPlan;
  run(statements: readonly SelectNode[]): Promise<readonly ResultSet[]>;
  search(table: Table, aggs: JsonValue, options?: SearchOptions): Promise<Answer>;
  close(): Promise<void>;
}

const execution = { signal: new AbortController().signal, comment: 'test' };

export async function openBench(): Promise<Bench> {
  const server = await startClickHouse();
  const executor = createExecutor({ url: server.url });
  const run = (statements: readonly SelectNode[]): Promise<readonly ResultSet[]> =>
    Promise.all(statements.map((select) => executor.rows(compileSelect(select), execution)));
  const plan: Bench['plan'] = (table, aggs, { scope = { where: alwaysTrue }, span = {} } = {}) =>
    planAggregations(parseAggregations(aggs), scope, {
      table,
      now,
      span: (field) => ({ field, ...span }),
    });
  return {
    sql: (text) => runSql(server, text),
    table: (name) => loadTable(executor, name),
    plan,
    run,
    search: async (table, aggs, options) => {
      const planned = plan(table, aggs, options);
      return planned.assemble(await run(planned.statements), []);
    },
    close: async () => {
      await executor.close();
      await server.close();
    },
  };
}

async function runSql(server: EmbeddedClickHouse, text: string): Promise<string> {
  const response = await fetch(server.url, { method: 'POST', body: text });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return answer;
}

async function loadTable(executor: ClickHouseExecutor, name: string): Promise<Table> {
  const places = [{ database: 'default', name }];
  const facts = await loadTableFacts(places, executor, execution);
  if (!facts) throw new Error(`no table ${name}`);
  const samples = await loadSamples(facts, {}, executor, execution);
  return buildTable(facts, samples, {});
}
