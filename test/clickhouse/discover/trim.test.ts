import { Readable } from 'node:stream';
import fc from 'fast-check';
import type {
  Executor,
  ResultSet,
  ResultStream,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/executor';
import { cacheKey, readableText } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import { bindablePort } from '../../../dev/clickhouse/free-port';
import { mapLimited } from '../../../plugins/kibana-clickhouse/common/async/map-limited';
import { ElasticsearchError } from '../../../plugins/kibana-clickhouse/common/errors/elasticsearch-error';
import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../../plugins/kibana-clickhouse/common/json/write-json';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import { responseText } from '../../../plugins/kibana-clickhouse/search/response/write-response';
import { runSearch } from '../../../plugins/kibana-clickhouse/search/run-search';
import { type IndexedTables, execution, startIndexedTables } from '../search/indexed-tables';
import { randomRequest } from './random-requests';
import {
  dropScript,
  type RandomTable,
  randomTable,
  shards,
  shardsXml,
  tableScript,
} from './random-tables';

const number = (name: string, byDefault: number): number => Number(process.env[name] ?? byDefault);
const tableCount = number('DISCOVER_TABLES', 25);
const requestCount = number('DISCOVER_REQUESTS', 40);
const seed = number('DISCOVER_SEED', 1);
/** Searches that are under way at once. */
const atOnce = 4;

jest.setTimeout(3_600_000);

let tables: IndexedTables;
beforeAll(async () => {
  const tcp = await bindablePort();
  const databases = shards.map((shard) => `CREATE DATABASE ${shard};`).join('\n');
  tables = await startIndexedTables(databases, { tcp, extraXml: shardsXml(tcp) });
});
afterAll(() => tables.close());

/** Runs each statement once: as long as the rows stay, equal ones need no comparison. */
function runOnce(executor: Executor): Executor {
  const known = new Map<string, Promise<ResultSet>>();
  const texts = new Map<string, Promise<readonly string[]>>();
  const read = async ({ lines: batches }: ResultStream): Promise<readonly string[]> => {
    const all: string[] = [];
    for await (const batch of batches) all.push(...batch);
    return all;
  };
  return {
    rows: (statement) => {
      const key = cacheKey(statement.select);
      const result = known.get(key) ?? executor.rows(statement, execution);
      known.set(key, result);
      return result;
    },
    lines: async (statement) => {
      const key = cacheKey(statement.select);
      const text = texts.get(key) ?? executor.lines(statement, execution).then(read);
      texts.set(key, text);
      const all = await text;
      const summary = { readRows: 0, readBytes: 0, memoryBytes: 0, elapsedMs: 0 };
      return {
        lines: Readable.from(all.length === 0 ? [] : [all]),
        summary: { ...summary, resultRows: all.length },
      };
    },
  };
}

interface Answer {
  /** Without `took`; of a refused search its error. */
  readonly text: string;
  readonly statements: readonly string[];
}

/** When the searches arrive: some minutes after the last row, or in the middle of them. */
const nowOf = ({ start, length, rows }: RandomTable): number =>
  start + (rows % 2 === 0 ? length + 300_000 : Math.floor(length / 2));

async function search(
  body: JsonObject,
  {
    table,
    made,
    once,
    trim,
  }: {
    readonly table: Table;
    readonly made: RandomTable;
    readonly once: Executor;
    readonly trim?: 'off';
  },
): Promise<Answer> {
  const statements: string[] = [];
  const executor: Executor = {
    rows: (statement, context) => {
      statements.push(readableText(statement.select));
      return once.rows(statement, context);
    },
    lines: (statement, context) => {
      statements.push(readableText(statement.select));
      return once.lines(statement, context);
    },
  };
  try {
    const request = parseSearchRequest({ body: parseJson(writeJson(body)), parameters: new Map() });
    const rounding =
      made.rows % 3 === 0 ? { rounding: { stepMs: 20_000, minPeriodMs: 60_000 } } : {};
    const response = await runSearch(request, {
      ...{ table, executor, execution, now: nowOf(made), ...rounding },
      ...(trim && { trim }),
    });
    return { text: (await responseText(response)).replace(/"took":\d+/, ''), statements };
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
    return { text: `${error.type}: ${error.message}`, statements };
  }
}

interface Tally {
  requests: number;
  refused: number;
  counted: number;
  trimmed: number;
  again: number;
}

/** Why searches were refused. */
const refusals = new Set<string>();
const tally: Tally = { requests: 0, refused: 0, counted: 0, trimmed: 0, again: 0 };

function note({ statements, text }: Answer, plain: Answer): void {
  tally.requests += 1;
  if (!text.startsWith('{')) {
    tally.refused += 1;
    refusals.add(text.slice(0, 100));
  }
  const isCount = (statement: string): boolean => statement.includes('`up_to_minute`');
  const hits = (all: readonly string[]): readonly string[] =>
    all.filter((statement) => statement.includes('_hit_'));
  if (!statements.some(isCount)) return;
  tally.counted += 1;
  const read = hits(statements);
  if (read.some((one) => !hits(plain.statements).includes(one))) tally.trimmed += 1;
  if (read.length > 1) tally.again += 1;
}

test(`${String(tableCount)} tables, ${String(requestCount)} searches each: answers are the same with and without trimming`, async () => {
  const found: string[] = [];
  const made = fc.sample(randomTable, { seed, numRuns: tableCount });
  for (const [i, one] of made.entries()) {
    const name = `t${String(i)}`;
    const script = tableScript(name, one);
    await tables.run(script);
    const table = await tables.table(name);
    const once = runOnce(tables.executor);
    const bodies = fc.sample(randomRequest(one), { seed: seed + i, numRuns: requestCount });
    await mapLimited(bodies, atOnce, async (body) => {
      const [trimmed, plain] = await Promise.all([
        search(body, { table, made: one, once }),
        search(body, { table, made: one, once, trim: 'off' }),
      ]);
      note(trimmed, plain);
      if (trimmed.text === plain.text) return;
      found.push(
        [script, writeJson(body), trimmed.text, plain.text, ...trimmed.statements].join('\n'),
      );
    });
    if (found.length >= 3) break;
    await tables.run(dropScript(name, one));
  }
  process.stdout.write(`searches of time ranges: ${JSON.stringify(tally)}\n`);
  if (found.length > 0) throw new Error(found.join('\n\n'));
  // or nothing would have been compared
  expect([...refusals]).toEqual([]);
  expect(tally.counted).toBeGreaterThan(tally.requests / 5);
  expect(tally.trimmed).toBeGreaterThan(tally.requests / 20);
});
