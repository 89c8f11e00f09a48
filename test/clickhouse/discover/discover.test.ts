import type {
  ExecutionContext,
  Executor,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/executor';
import { readableText } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { ResultCache } from '../../../plugins/kibana-clickhouse/gateway/execution/result-cache';
import { resultCached } from '../../../plugins/kibana-clickhouse/gateway/execution/result-cached';
import { mergeSettings } from '../../../plugins/kibana-clickhouse/metadata/settings/setting-leaves';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import { responseText } from '../../../plugins/kibana-clickhouse/search/response/write-response';
import {
  planSearch,
  runSearch,
  type SearchContext,
  statementsOf,
} from '../../../plugins/kibana-clickhouse/search/run-search';
import { type IndexedTables, execution, startIndexedTables } from '../search/indexed-tables';

const rows = 100_000;
const start = Date.UTC(2024, 0, 1);
/** A row each 864 ms fills a day. */
const end = start + 86_400_000;
const now = end;

const columns = "ts DateTime64(3, 'UTC'), id UInt64, host LowCardinality(String), status UInt16";
const values = `SELECT fromUnixTimestamp64Milli(toInt64(${String(start)} + number * 864), 'UTC'), number, concat('web-', toString(number % 5)),
  if(number % 100 = 0, 503, 200) FROM numbers(${String(rows)})`;
const keys: Readonly<Record<string, string>> = {
  by_time: 'ORDER BY ts',
  by_time_and_host: 'ORDER BY (ts, host)',
  by_host: 'PARTITION BY toHour(ts) ORDER BY (host, ts)',
  by_id: 'ORDER BY id',
  sampled: 'ORDER BY (host, toStartOfHour(ts), cityHash64(id)) SAMPLE BY cityHash64(id)',
};

let tables: IndexedTables;
beforeAll(async () => {
  const made = Object.entries(keys).map(
    ([name, key]) =>
      `CREATE TABLE ${name} (${columns}) ENGINE = MergeTree ${key} SETTINGS index_granularity = 1024; INSERT INTO ${name} ${values};`,
  );
  tables = await startIndexedTables(made.join('\n'));
}, 60_000);
afterAll(() => tables.close());

interface Searched {
  readonly answer: JsonObject;
  readonly statements: readonly string[];
  /** Rows that the statements of hits read. */
  readonly hitRows: number;
}

type Options = Partial<Pick<SearchContext, 'executor' | 'limits' | 'sampling' | 'trim'>> & {
  readonly index?: string;
  readonly execution?: ExecutionContext;
};

async function search(body: JsonValue, options: Options = {}): Promise<Searched> {
  const { index = 'by_host', executor = tables.executor, ...context } = options;
  const statements: string[] = [];
  let hitRows = 0;
  const observed: Executor = {
    rows: (statement, given) => {
      statements.push(readableText(statement.select));
      return executor.rows(statement, given);
    },
    lines: async (statement, given) => {
      statements.push(readableText(statement.select));
      const result = await executor.lines(statement, given);
      hitRows += result.summary.readRows;
      return result;
    },
  };
  const request = parseSearchRequest({ body, parameters: new Map() });
  const table = await tables.table(index);
  const response = await runSearch(request, {
    table,
    now,
    execution,
    ...context,
    executor: observed,
  });
  const answer = parseJson((await responseText(response)).replace(/"took":\d+/, '"took":0'));
  return { answer: answer as JsonObject, statements, hitRows };
}

const day: JsonObject = { range: { ts: { gte: start, lt: end } } };
const newest: JsonObject = { size: 20, sort: [{ ts: 'desc' }, { id: 'desc' }], query: day };
const histogram: JsonObject = { date_histogram: { field: 'ts', fixed_interval: '3h' } };
const hitsOf = ({ answer }: Searched): JsonObject => answer['hits'] as JsonObject;

const isCount = (statement: string): boolean => statement.includes('`up_to_minute`');

/** The same search, trimmed and not. */
async function both(body: JsonValue, options: Options = {}): Promise<[Searched, Searched]> {
  const found = await search(body, options);
  const plain = await search(body, { ...options, trim: 'off' });
  expect(found.answer).toEqual(plain.answer);
  expect(plain.statements.some(isCount)).toBe(false);
  return [found, plain];
}

describe('a histogram of whole minutes', () => {
  const body = { ...newest, aggs: { '2': histogram }, track_total_hits: true };

  test.each(Object.keys(keys))(
    'counts, total and trimmed hits: two statements on %s',
    async (index) => {
      const [found, plain] = await both(body, { index });
      expect(found.statements).toHaveLength(2);
      expect(found.statements.map(isCount)).toEqual([true, false]);
      expect(hitsOf(found)['total']).toEqual({ value: rows, relation: 'eq' });
      if (index === 'by_host') expect(found.hitRows).toBeLessThan(plain.hitRows / 4);
    },
  );

  test('many minutes are few rows of a result', async () => {
    const limits = { maxResultRows: 50 };
    const { answer } = await search(body, { execution: { ...execution, limits } });
    expect(hitsOf({ answer, statements: [], hitRows: 0 })['total']).toEqual({
      value: rows,
      relation: 'eq',
    });
  });

  test('a page behind the last hit reads no hits', async () => {
    const query = { bool: { filter: [day, { term: { id: 7 } }] } };
    const [found] = await both({ ...body, query, from: 1 });
    expect(found.statements).toHaveLength(1);
  });

  test('other aggregations have statements of their own', async () => {
    const terms = { terms: { field: 'host' } };
    const [found] = await both({ ...body, aggs: { terms, '2': histogram } });
    expect(found.statements).toHaveLength(3);
  });

  test.each<[string, JsonObject]>([
    ['with a metric below', { '2': { ...histogram, aggs: { m: { avg: { field: 'status' } } } } }],
    ['with a metric beside', { '2': histogram, m: { avg: { field: 'status' } } }],
    [
      'within minutes',
      { '2': { date_histogram: { field: 'ts', fixed_interval: '30m', offset: '1s' } } },
    ],
    [
      'of a zone with seconds',
      { '2': { date_histogram: { field: 'ts', fixed_interval: '3h', time_zone: '+01:00' } } },
    ],
    ['below a filter', { f: { filter: { term: { host: 'web-1' } }, aggs: { '2': histogram } } }],
    ['of all documents', { all: { global: {}, aggs: { '2': histogram } } }],
  ])('%s: right, whichever statement answers it', async (_name, aggs) => {
    await both({ ...body, aggs });
  });
});

describe('hits without a histogram', () => {
  test('an exact total of a condition is counted by minutes', async () => {
    const query = { bool: { filter: [day, { term: { status: 503 } }] } };
    const [found, plain] = await both({ ...newest, query, track_total_hits: true });
    expect(found.statements).toHaveLength(2);
    expect(found.hitRows).toBeLessThan(plain.hitRows / 2);
  });

  test.each(['by_host', 'by_time_and_host'])(
    'a part of the range is counted: %s',
    async (index) => {
      const [found, plain] = await both({ ...newest, track_total_hits: false }, { index });
      expect(found.statements.filter(isCount)).toHaveLength(1);
      expect(found.statements).toHaveLength(2);
      expect(found.hitRows).toBeLessThan(plain.hitRows / 2);
    },
  );

  test('where too few are near, all are read', async () => {
    const query = { bool: { filter: [day, { range: { id: { lt: 1000 } } }] } };
    const [found] = await both({ ...newest, query, track_total_hits: false });
    expect(found.statements).toHaveLength(2);
    expect(found.statements.at(-1)).not.toMatch(
      /fromUnixTimestamp64Milli.*fromUnixTimestamp64Milli.*fromUnixTimestamp64Milli/,
    );
  });

  test.each<[string, string, JsonObject]>([
    ['in the order of the table', 'by_time', { sort: [{ ts: 'desc' }] }],
    ['in the order of the table, oldest first', 'by_time_and_host', { sort: [{ ts: 'asc' }] }],
    ['ties by the hash of rows', 'by_time_and_host', { sort: [{ ts: 'desc' }, { _doc: 'desc' }] }],
    ['no key keeps times apart', 'by_id', {}],
    ['no time range', 'by_host', { query: { match_all: {} } }],
    [
      'a range that need not hold',
      'by_host',
      { query: { bool: { should: [day, { term: { id: 1 } }] } } },
    ],
    ['an open end far away', 'by_host', { query: { range: { ts: { lt: end } } } }],
    ['another order', 'by_host', { sort: [{ id: 'desc' }] }],
    [
      'another order before it',
      'by_host',
      { sort: [{ status: 'desc' }, { ts: 'desc' }, { id: 'asc' }] },
    ],
    ['a short range', 'by_host', { query: { range: { ts: { gte: end - 600_000, lt: end } } } }],
    ['no hits', 'by_host', { size: 0, track_total_hits: true }],
  ])('%s: nothing is trimmed', async (_name, index, changed) => {
    const body = { ...newest, track_total_hits: false, ...changed };
    const [found, plain] = await both(body, { index });
    expect(found.statements).toEqual(plain.statements);
  });
});

test('hits that are gone since they were counted are replaced by others', async () => {
  await tables.run(
    `CREATE TABLE shrinking AS by_host; INSERT INTO shrinking SELECT * FROM by_host;`,
  );
  const { executor } = tables;
  const shrinking: Executor = {
    rows: async (statement, context) => {
      const result = await executor.rows(statement, context);
      await tables.run(`DELETE FROM shrinking WHERE id >= ${String(rows - 60)};`);
      return result;
    },
    lines: (statement, context) => executor.lines(statement, context),
  };
  const body = { ...newest, aggs: { '2': histogram }, _source: ['id'] };
  const found = await search(body, { index: 'shrinking', executor: shrinking });
  expect(found.statements).toHaveLength(3);
  const hits = hitsOf(found)['hits'] as readonly { readonly _source: { readonly id: number } }[];
  expect(hits.map(({ _source }) => _source.id)).toEqual(
    Array.from({ length: 20 }, (_, i) => rows - 61 - i),
  );
});

describe('sampling', () => {
  const sampling = { threshold: 10_000 };
  const body = { ...newest, aggs: { '2': histogram }, track_total_hits: true };

  test('a histogram that counts answer is exact', async () => {
    const { answer, statements } = await search(body, { index: 'sampled', sampling });
    const exact = await search(body, { index: 'sampled' });
    expect(answer).toEqual(exact.answer);
    expect(statements).toHaveLength(2);
  });

  test('the counts decide about the others', async () => {
    const aggs = { '2': histogram, hosts: { terms: { field: 'host' } } };
    const { answer, statements } = await search({ ...body, aggs }, { index: 'sampled', sampling });
    const exact = await search({ ...body, aggs }, { index: 'sampled' });
    expect(answer['sampling']).toBe(0.1);
    expect(answer['hits']).toEqual(exact.answer['hits']);
    const of = (found: JsonObject): JsonObject => found['aggregations'] as JsonObject;
    expect(of(answer)['2']).toEqual(of(exact.answer)['2']);
    // EXPLAIN ESTIMATE, counts, hits, terms
    expect(statements).toHaveLength(4);
    expect(statements.filter((one) => one.includes('SAMPLE 0.10000'))).toHaveLength(1);
  });
});

test('results of all steps are kept', async () => {
  const settings = mergeSettings([{ query: { useCache: true } }]);
  const cached = resultCached(new ResultCache(), { current: () => settings });
  const executor = cached(tables.executor, tables.executor);
  const body = { ...newest, aggs: { '2': histogram } };
  const first = await search(body, { executor });
  const second = await search(body, { executor });
  expect(first.answer['cache']).toBe(false);
  expect(second.answer).toEqual({ ...first.answer, cache: true });
});

test('a translation shows each statement once, the counts first', async () => {
  const body = { ...newest, aggs: { '2': histogram }, track_total_hits: true };
  const request = parseSearchRequest({ body, parameters: new Map() });
  const table = await tables.table('by_host');
  const statements = statementsOf(planSearch(request, { table, now })).map(readableText);
  expect(statements.map(isCount)).toEqual([true, false]);
});
