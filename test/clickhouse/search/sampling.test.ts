import type { Executor } from '../../../plugins/kibana-clickhouse/clickhouse/execution/executor';
import { readableText } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import { responseText } from '../../../plugins/kibana-clickhouse/search/response/write-response';
import { runSearch } from '../../../plugins/kibana-clickhouse/search/run-search';
import { type IndexedTables, execution, startIndexedTables } from './indexed-tables';

jest.setTimeout(60_000);

const rows = 200_000;
const start = Date.UTC(2024, 0, 1);
const now = start + 86_400_000;

const columns =
  '`@timestamp` UInt64, id UInt64, host LowCardinality(String), path String, bytes Nullable(UInt32), tags Array(String)';
/** One row each 100 ms, its values from its number. */
const values = `SELECT ${String(start)} + number * 100, number, concat('web-', toString(number % 4)), concat('/', toString(intDiv(number * number, 7) % 1000)),
  if(number % 10 = 0, NULL, number % 1000), arrayMap(i -> concat('tag-', toString(i)), range(number % 3)) FROM numbers(${String(rows)})`;

let tables: IndexedTables;
beforeAll(async () => {
  tables = await startIndexedTables(`
    CREATE TABLE hashed (${columns}) ENGINE = MergeTree ORDER BY (host, intHash64(\`@timestamp\`)) SAMPLE BY intHash64(\`@timestamp\`);
    CREATE TABLE timed (${columns}) ENGINE = MergeTree
      PARTITION BY toHour(toDateTime(intDiv(\`@timestamp\`, 1000))) ORDER BY (intDiv(\`@timestamp\`, 3600000), cityHash64(id)) SAMPLE BY cityHash64(id);
    CREATE TABLE plain (${columns}) ENGINE = MergeTree ORDER BY \`@timestamp\`;
    INSERT INTO hashed ${values};
    INSERT INTO timed ${values};
    INSERT INTO plain ${values};`);
}, 60_000);
afterAll(() => tables.close());

interface Searched {
  readonly answer: JsonObject;
  readonly statements: readonly string[];
}

async function search(index: string, body: JsonValue, threshold: number): Promise<Searched> {
  const statements: string[] = [];
  const executor: Executor = {
    rows: (statement, context) => {
      statements.push(readableText(statement.select));
      return tables.executor.rows(statement, context);
    },
    lines: (statement, context) => tables.executor.lines(statement, context),
  };
  const request = parseSearchRequest({ body, parameters: new Map() });
  const table = await tables.table(index);
  const sampling = { threshold };
  const response = await runSearch(request, { table, executor, execution, now, sampling });
  return { answer: parseJson(await responseText(response)) as JsonObject, statements };
}

/** What stands in an answer, by its path. */
function leaves(value: JsonValue | undefined, path = ''): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...leaves(inner, `${path}.${key}`)]),
  );
}

/** Within that part of the exact number; within 20 where it is small. */
function expectNear(estimate: JsonObject, exact: JsonObject, part: number): void {
  const found = leaves(estimate);
  for (const [path, value] of leaves(exact)) {
    const got = found.get(path);
    if (typeof value !== 'number') expect([path, got]).toEqual([path, value]);
    else
      expect([path, Math.abs(Number(got) - value) <= Math.max(20, Math.abs(value) * part)]).toEqual(
        [path, true],
      );
  }
}

const measures: JsonObject = {
  sum: { sum: { field: 'bytes' } },
  values: { value_count: { field: 'bytes' } },
  mean: { avg: { field: 'bytes' } },
  stats: { stats: { field: 'bytes' } },
  spread: { extended_stats: { field: 'bytes' } },
  half: { percentiles: { field: 'bytes', percents: [50] } },
  weighted: { weighted_avg: { value: { field: 'bytes' }, weight: { field: 'bytes' } } },
};

describe.each(['hashed', 'timed'])('aggregations over a part of the rows of %s', (index) => {
  test('counts and sums are scaled, means, extremes and percentiles are not', async () => {
    const body = {
      size: 0,
      track_total_hits: true,
      aggs: {
        ...measures,
        hosts: { terms: { field: 'host', order: { _key: 'asc' } }, aggs: measures },
        over_time: {
          date_histogram: { field: '@timestamp', fixed_interval: '2h' },
          aggs: { one: { filter: { term: { host: 'web-1' } }, aggs: measures } },
        },
        some: { range: { field: 'bytes', ranges: [{ to: 500 }, { from: 500 }] }, aggs: measures },
        all: { global: {}, aggs: measures },
        none: { missing: { field: 'bytes' } },
        tags: { terms: { field: 'tags', order: { _key: 'asc' } }, aggs: measures },
      },
    };
    const { answer } = await search(index, body, rows / 5);
    const { answer: exact } = await search(index, body, 0);
    expect(answer['sampling']).toBe(0.2);
    expect(exact['sampling']).toBe(1);
    expect(answer['hits']).toEqual(exact['hits']);
    expectNear(answer['aggregations'] as JsonObject, exact['aggregations'] as JsonObject, 0.06);
  });

  test('documents are whole, and no bucket has more than there are in all', async () => {
    const aggs = {
      paths: {
        terms: { field: 'path', size: 3, order: { _key: 'asc' } },
        aggs: { b: measures['sum'] as JsonObject, h: { terms: { field: 'host' } } },
      },
      few: { terms: { field: 'path', size: 1, min_doc_count: 150, order: { _count: 'desc' } } },
    };
    const { answer } = await search(index, { size: 0, aggs }, 3_000);
    expect(answer['sampling']).toBe(0.015);
    const counts = [...leaves(answer['aggregations'])].filter(([path]) =>
      path.endsWith('doc_count'),
    );
    expect(counts.length).toBeGreaterThan(0);
    for (const [path, count] of counts)
      expect([path, Number.isInteger(count) && Number(count) >= 0]).toEqual([path, true]);
    const { few } = answer['aggregations'] as { few: { buckets: readonly JsonObject[] } };
    // without scaling no path would have so many
    expect(few.buckets).toHaveLength(1);
  });

  test('what was seen of different values and of extremes stays as it is', async () => {
    const aggs = {
      paths: { cardinality: { field: 'path' } },
      largest: { max: { field: 'bytes' } },
      least: { min: { field: 'bytes' } },
    };
    const { answer } = await search(index, { size: 0, aggs }, rows / 10);
    expect(answer['sampling']).toBe(0.1);
    const found = answer['aggregations'] as Record<string, { readonly value: number }>;
    expect(found['paths']?.value).toBeLessThanOrEqual(1000);
    expect(found['largest']?.value).toBeLessThanOrEqual(999);
    expect(found['least']?.value).toBeGreaterThanOrEqual(1);
  });
});

test('hits and their total are never sampled', async () => {
  const query = { match: { host: 'web-1' } };
  const aggs = { mean: { avg: { field: 'bytes' } } };
  const body = { size: 20, query, aggs, sort: [{ '@timestamp': 'desc' }], track_total_hits: true };
  const { answer } = await search('hashed', body, 1_000);
  const { answer: exact } = await search('hashed', body, 0);
  expect(answer['sampling']).toBe(0.02);
  expect(answer['hits']).toEqual(exact['hits']);
  expect(answer['hits']).toMatchObject({ total: { value: rows / 4, relation: 'eq' } });
});

describe('when a search is sampled', () => {
  const aggs = { sum: { sum: { field: 'bytes' } } };

  test('not at the threshold, but above it', async () => {
    const at = await search('hashed', { size: 0, aggs }, rows);
    expect(at.answer['sampling']).toBe(1);
    const above = await search('hashed', { size: 0, aggs }, rows - 100);
    expect(above.answer['sampling']).toBe(0.9995);
    expect(above.statements.at(-1)).toContain('SAMPLE 0.99950');
  });

  test('an estimate at or below the threshold decides without a count', async () => {
    const hour = { gte: start, lt: start + 3_600_000 };
    const body = { size: 0, query: { range: { '@timestamp': hour } }, aggs };
    const { statements } = await search('timed', body, 100_000);
    expect(statements).toHaveLength(2);
    expect(statements[0]).toContain('EXPLAIN ESTIMATE');
    const { statements: counted } = await search('timed', body, 1_000);
    expect(counted).toHaveLength(3);
  });

  test('few matching rows among many that are read are counted, and not sampled', async () => {
    const query = { term: { 'path.keyword': '/1' } };
    const { answer, statements } = await search('hashed', { size: 0, query, aggs }, 10_000);
    expect(answer['sampling']).toBe(1);
    expect(statements).toHaveLength(3);
  });

  test('not without SAMPLE BY, and not without aggregations', async () => {
    const { answer, statements } = await search('plain', { size: 0, aggs }, 1);
    expect(answer['sampling']).toBe(1);
    expect(statements).toHaveLength(1);
    const hits = await search('hashed', { size: 1 }, 1);
    expect(hits.answer['sampling']).toBe(1);
    expect(hits.statements).toHaveLength(1);
  });
});
