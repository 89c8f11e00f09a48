import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { type EmbeddedClickHouse, startClickHouse } from '../../../dev/clickhouse/embedded';
import { createCatalog } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/load-catalog';
import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import {
  type ClickHouseExecutor,
  createExecutor,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';
import { aggregate, as } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { readableText } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseQuery } from '../../../plugins/kibana-clickhouse/search/queries/registry';

/** 100 granules of 100 rows; each word `word-N` stands in one of them. */
const statements = [
  `CREATE TABLE texts (
    n UInt32, t String, INDEX words t TYPE text(tokenizer = 'splitByNonAlpha', preprocessor = lower(t))
  ) ENGINE = MergeTree ORDER BY n SETTINGS index_granularity = 100`,
  `INSERT INTO texts SELECT number, concat('Common WORD', toString(intDiv(number, 100)), ' text') FROM numbers(10000)`,
];

let server: EmbeddedClickHouse;
let admin: ClickHouseClient;
let executor: ClickHouseExecutor;
let table: Table;

beforeAll(async () => {
  server = await startClickHouse();
  admin = createClient({ url: server.url });
  for (const query of statements) await admin.command({ query });
  executor = createExecutor({ url: server.url });
  const catalog = createCatalog(executor, 'default');
  const found = await catalog.table('texts');
  if (!found) throw new Error('no table');
  table = found;
  catalog.close();
});
afterAll(async () => {
  await executor.close();
  await admin.close();
  await server.close();
});

const statementOf = (query: JsonValue, textSearch: 'contains' | 'tokens'): string =>
  readableText({
    columns: [as('c', aggregate('count'))],
    from: { kind: 'table', database: 'default', table: 'texts' },
    where: parseQuery(query).toCondition({ table, now: 0, textSearch }),
  });

async function textOf(query: string): Promise<string> {
  const result = await admin.query({ query, format: 'TabSeparatedRaw' });
  return result.text();
}

const words: readonly (readonly [string, JsonValue, number])[] = [
  ['match', { match: { t: 'word42' } }, 100],
  ['match of several words', { match: { t: { query: 'text word42', operator: 'and' } } }, 100],
  ['a word that is nowhere', { match: { t: 'absent' } }, 0],
];
const phrases: typeof words = [
  ['match_phrase', { match_phrase: { t: 'common word42' } }, 100],
  ['match_phrase with slop', { match_phrase: { t: { query: 'text word42', slop: 2 } } }, 100],
  ['query_string', { query_string: { query: 't:"word42 text"' } }, 100],
];

it.each([
  ...words.map(([name, query, count]) => [name, 'contains', query, count] as const),
  ...[...words, ...phrases].map(([name, query, count]) => [name, 'tokens', query, count] as const),
])(
  '%s (%s) reads the granules that may have the words',
  async (_name, textSearch, query, count) => {
    const statement = statementOf(query, textSearch);
    expect(Number(await textOf(statement))).toBe(count);
    const plan = await textOf(`EXPLAIN indexes = 1 ${statement}`);
    expect(plan).toMatch(/Name: words\s[^]*?Granules: [01]\/100/);
  },
);
