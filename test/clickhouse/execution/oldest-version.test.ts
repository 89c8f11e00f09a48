import { type EmbeddedClickHouse, startClickHouse } from '../../../dev/clickhouse/embedded';
import {
  type Catalog,
  createCatalog,
} from '../../../plugins/kibana-clickhouse/clickhouse/catalog/load-catalog';
import {
  type ClickHouseExecutor,
  createExecutor,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';
import type {
  Cell,
  Executor,
  Row,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/executor';
import { sentSettings } from '../../../plugins/kibana-clickhouse/clickhouse/execution/settings';
import { as, column } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { compileSelect } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import { ElasticsearchError } from '../../../plugins/kibana-clickhouse/common/errors/elasticsearch-error';
import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../../plugins/kibana-clickhouse/common/json/write-json';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import {
  type PlanContext,
  planSearch,
  statementsOf,
} from '../../../plugins/kibana-clickhouse/search/run-search';
import { loadTable } from '../../oracle/load-dataset';
import { type Scenario, readScenarios } from '../../oracle/scenario';
import { execution } from '../search/indexed-tables';

/** The oldest ClickHouse that is supported. */
const oldest = [24, 8] as const;

/**
 * Functions whose `introduced_in` is later than they are: this one came with the type Variant (24.1), and only its entry in the
 * documentation is newer.
 */
const olderThanTheySay: readonly string[] = ['variantElement'];

let server: EmbeddedClickHouse;
let executor: ClickHouseExecutor;
let catalog: Catalog;
/** Texts of all statements, those that find out about the tables too. */
const statements = new Set<string>();

beforeAll(async () => {
  server = await startClickHouse();
  executor = createExecutor({ url: server.url });
  const recording: Executor = {
    rows: (statement, context) => {
      statements.add(statement.sql);
      return executor.rows(statement, context);
    },
    lines: (statement, context) => executor.lines(statement, context),
  };
  catalog = createCatalog(recording, 'default');
  const scenarios = readScenarios();
  const datasets = new Map(scenarios.map(({ dataset }) => [dataset.name, dataset]));
  const loads = [...datasets.values()].map((dataset) =>
    loadTable(server.url, { ...dataset, rows: () => [...dataset.rows()].slice(0, 100) }),
  );
  await Promise.all(loads);
  for (const scenario of scenarios) await translate(scenario);
}, 240_000);

afterAll(async () => {
  catalog.close();
  await executor.close();
  await server.close();
});

/** Notes what a scenario's searches would ask of ClickHouse. */
async function translate({ request: { path, body, lines } }: Scenario): Promise<void> {
  const [, index = '', query = ''] = searchPath.exec(path) ?? [];
  const table = await catalog.table(index === '' ? 'missing' : decodeURIComponent(index));
  if (table === undefined) return;
  for (const one of lines?.filter((_, i) => i % 2 === 1) ?? [body])
    for (const textSearch of ['contains', 'tokens'] as const)
      note(one, query, { table, textSearch });
}

const searchPath = /^\/([^/?]+)\/_(?:async_)?search(?:\?(.*))?$/;

/** What is refused asks nothing. */
function note(
  body: JsonValue | undefined,
  query: string,
  options: Pick<PlanContext, 'table' | 'textSearch'>,
): void {
  try {
    const text = typeof body === 'string' ? body : writeJson(body ?? {});
    const request = parseSearchRequest({
      body: parseJson(text),
      parameters: new Map(new URLSearchParams(query)),
    });
    for (const select of statementsOf(planSearch(request, { ...options, now: Date.now() })))
      statements.add(compileSelect(select).sql);
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
  }
}

/** The rows of a system table, as texts and arrays. */
async function systemRows(table: string, names: readonly string[]): Promise<readonly Row[]> {
  const select = {
    columns: names.map((name) => as(name, column(name))),
    from: { kind: 'table', database: 'system', table },
  } as const;
  return (await executor.rows(compileSelect(select), execution)).rows;
}

const textOf = (cell: Cell | undefined): string => (typeof cell === 'string' ? cell : '');

/** Names before a parenthesis, outside of strings and quoted names. */
function calledNames(sql: string): readonly string[] {
  const bare = sql.replaceAll(/'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\{p\d+:[^}]*\}/gs, ' ');
  return [...bare.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)].map(([, name = '']) => name);
}

/** What stands before a parenthesis without being a function. */
const words: ReadonlySet<string> = new Set([
  ...[
    'ALL',
    'AND',
    'AS',
    'Array',
    'BY',
    'FROM',
    'HAVING',
    'IN',
    'JOIN',
    'NOT',
    'ON',
    'OR',
    'OVER',
    'SELECT',
    'SETS',
  ],
  ...['USING', 'WHERE'],
  // a part of GROUP BY itself (22.7)
  'grouping',
]);

const isNewer = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor > oldest[1]);
};

test('no statement calls a function that the oldest ClickHouse does not have', async () => {
  const functions = await systemRows('functions', ['name', 'introduced_in']);
  const introduced = new Map(functions.map(([name, since]) => [textOf(name), textOf(since)]));
  const combinators = (await systemRows('aggregate_function_combinators', ['name'])).map(([name]) =>
    textOf(name),
  );
  const known = (name: string): string => {
    if (introduced.has(name)) return name;
    const ending = combinators.find((one) => name.length > one.length && name.endsWith(one));
    return ending === undefined ? name : known(name.slice(0, -ending.length));
  };
  const called = new Set([...statements].flatMap(calledNames).filter((name) => !words.has(name)));
  const names = [...new Set([...called].map(known))].sort();
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !introduced.has(name))).toEqual([]);
  const newer = names.filter((name) => isNewer(introduced.get(name) ?? ''));
  expect(newer.filter((name) => !olderThanTheySay.includes(name))).toEqual([]);
});

test('no setting is sent that the oldest ClickHouse does not have', async () => {
  const added = new Map<string, string>();
  for (const [version, changes] of await systemRows('settings_changes', ['version', 'changes'])) {
    if (!isNewer(textOf(version))) continue;
    for (const change of changes as unknown as readonly SettingChange[])
      if (/\b(?:new|added|introduced?)\b/i.test(change.reason))
        added.set(change.name, textOf(version));
  }
  expect(added.size).toBeGreaterThan(100);
  expect(sentSettings.filter((name) => added.has(name))).toEqual([]);
});

interface SettingChange {
  readonly name: string;
  readonly reason: string;
}
