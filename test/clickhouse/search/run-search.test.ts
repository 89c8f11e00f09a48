import type { Executor } from '../../../plugins/kibana-clickhouse/clickhouse/execution/executor';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import {
  responseText,
  writeResponse,
} from '../../../plugins/kibana-clickhouse/search/response/write-response';
import {
  planSearch,
  runSearch,
  statementsOf,
} from '../../../plugins/kibana-clickhouse/search/run-search';
import {
  type IndexedTables,
  accessLog,
  execution,
  logLine,
  startIndexedTables,
} from './indexed-tables';

let tables: IndexedTables;
const now = Date.UTC(2024, 0, 1, 0, 1);

beforeAll(async () => {
  tables = await startIndexedTables(accessLog);
  await tables.insert(
    'access_log',
    Array.from({ length: 30 }, (_, i) =>
      logLine(i, {
        status: i % 3 === 0 ? 500 : 200,
        host: `web-${String(i % 2)}`,
        ...(i % 5 === 0 && { referer: 'https://example.org/' }),
      }),
    ),
  );
  await tables.run(`
    CREATE TABLE many (n UInt64, ts DateTime64(3, 'UTC')) ENGINE = MergeTree ORDER BY ts;
    INSERT INTO many SELECT number, toDateTime64('2024-01-01 00:00:00', 3, 'UTC') + toIntervalMillisecond(number) FROM numbers(20000);`);
}, 60_000);
afterAll(() => tables.close());

interface SearchOptions {
  readonly index?: string;
  readonly url?: string;
  readonly executor?: Executor;
  readonly version?: number;
}

async function search(
  body: JsonValue | undefined,
  { index = 'access_log', url = '', executor = tables.executor, version = 8 }: SearchOptions = {},
): Promise<JsonObject> {
  const request = parseSearchRequest({ body, parameters: new Map(new URLSearchParams(url)) });
  const table = await tables.table(index);
  const response = await runSearch(request, { table, executor, execution, now, version });
  return parseJson(await responseText(response)) as JsonObject;
}

const shards = { total: 1, successful: 1, skipped: 0, failed: 0 };
/** What the product adds to every answer. */
const own = { sampling: 1, cache: false };
const took = expect.any(Number) as unknown;
const id = expect.stringMatching(/^[0-9A-Za-z]{28}$/) as unknown;
const hitsOf = (answer: JsonObject): JsonObject => answer['hits'] as JsonObject;
const hitList = (answer: JsonObject): readonly JsonObject[] =>
  hitsOf(answer)['hits'] as readonly JsonObject[];

describe('whole answers', () => {
  test('no body: the first ten documents', async () => {
    const answer = await search(undefined);
    expect(answer).toEqual({
      took,
      timed_out: false,
      _shards: shards,
      ...own,
      hits: {
        total: { value: 30, relation: 'eq' },
        max_score: 1,
        hits: Array.from({ length: 10 }, (_, i) => ({
          _index: 'access_log',
          _id: id,
          _score: 1,
          _source: {
            ...logLine(i),
            status: i % 3 === 0 ? 500 : 200,
            host: `web-${String(i % 2)}`,
            referer: i % 5 === 0 ? 'https://example.org/' : null,
          },
        })),
      },
    });
    expect(Object.keys(answer)).toEqual([
      'took',
      'timed_out',
      '_shards',
      'hits',
      'sampling',
      'cache',
    ]);
  });

  test('Discover of Kibana 8', async () => {
    const answer = await search({
      sort: [
        {
          '@timestamp': {
            order: 'desc',
            format: 'strict_date_optional_time',
            unmapped_type: 'boolean',
          },
        },
        { _doc: { order: 'desc', unmapped_type: 'boolean' } },
      ],
      size: 2,
      version: true,
      fields: [
        { field: '*', include_unmapped: true },
        { field: '@timestamp', format: 'strict_date_optional_time' },
      ],
      script_fields: {},
      stored_fields: ['*'],
      runtime_mappings: {},
      _source: false,
      query: {
        bool: {
          must: [],
          filter: [
            { term: { status: { value: 200 } } },
            {
              range: {
                '@timestamp': {
                  format: 'strict_date_optional_time',
                  gte: '2024-01-01T00:00:00.000Z',
                  lte: '2024-01-01T00:00:20.200Z',
                },
              },
            },
          ],
          should: [],
          must_not: [],
        },
      },
      highlight: {
        pre_tags: ['@kibana-highlighted-field@'],
        post_tags: ['@/kibana-highlighted-field@'],
        fields: { '*': {} },
        fragment_size: 2147483647,
      },
      track_total_hits: false,
    });
    const hit = (second: number): object => ({
      _index: 'access_log',
      _id: id,
      _version: 1,
      _score: null,
      fields: {
        '@timestamp': [`2024-01-01T00:00:${String(second)}.123Z`],
        host: [`web-${String(second % 2)}`],
        method: ['GET'],
        'method.keyword': ['GET'],
        path: ['/index.html'],
        'path.keyword': ['/index.html'],
        status: [200],
        bytes: [1000 + second],
        latency_ms: [1.5],
        client_ip: ['10.0.0.1'],
        user_agent: ['Mozilla/5.0'],
        'user_agent.keyword': ['Mozilla/5.0'],
        ...(second % 5 === 0 && {
          referer: ['https://example.org/'],
          'referer.keyword': ['https://example.org/'],
        }),
        message: [`line ${String(second)}`],
        'message.keyword': [`line ${String(second)}`],
        tags: ['a', 'b'],
        'tags.keyword': ['a', 'b'],
        'labels.team': ['core'],
        'labels.team.keyword': ['core'],
        price: [9.5],
        cached: [true],
      },
      sort: [`2024-01-01T00:00:${String(second)}.123Z`, expect.any(Number)],
    });
    expect(answer).toEqual({
      took,
      timed_out: false,
      _shards: shards,
      ...own,
      hits: { max_score: null, hits: [hit(20), hit(19)] },
    });
  });

  test('Discover of Kibana 7.10: documents, total and histogram in one', async () => {
    const answer = await search(
      {
        version: true,
        size: 1,
        sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'boolean' } }],
        aggs: {
          '2': {
            date_histogram: {
              field: '@timestamp',
              fixed_interval: '10s',
              time_zone: 'UTC',
              min_doc_count: 1,
            },
          },
        },
        stored_fields: ['*'],
        script_fields: {},
        docvalue_fields: [{ field: '@timestamp', format: 'date_time' }],
        _source: { excludes: ['labels', 'tags'] },
        query: { bool: { must: [], filter: [{ match_all: {} }], should: [], must_not: [] } },
      },
      { url: 'track_total_hits=true&ignore_unavailable=true&timeout=30000ms', version: 7 },
    );
    expect(answer).toMatchObject({
      hits: {
        total: { value: 30, relation: 'eq' },
        max_score: null,
        hits: [
          {
            _index: 'access_log',
            _type: '_doc',
            _version: 1,
            _score: null,
            fields: { '@timestamp': ['2024-01-01T00:00:29.123Z'] },
            sort: [Date.UTC(2024, 0, 1, 0, 0, 29, 123)],
          },
        ],
      },
      aggregations: {
        '2': {
          buckets: [0, 10, 20].map((second) => ({
            key: Date.UTC(2024, 0, 1, 0, 0, second),
            key_as_string: new Date(Date.UTC(2024, 0, 1, 0, 0, second)).toISOString(),
            doc_count: 10,
          })),
        },
      },
    });
    expect(Object.keys(answer)).toEqual([
      'took',
      'timed_out',
      '_shards',
      'hits',
      'aggregations',
      'sampling',
      'cache',
    ]);
    const [hit] = hitList(answer);
    expect(Object.keys(hit?.['_source'] as JsonObject)).not.toContain('labels');
  });

  test('size 0 reads no hits; no aggregation is answered with none', async () => {
    expect(await search({ size: 0, aggs: {}, query: { match_none: {} } })).toEqual({
      took,
      timed_out: false,
      _shards: shards,
      ...own,
      hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] },
    });
  });
});

describe('hits.total', () => {
  test.each<[JsonObject, string, JsonValue | undefined]>([
    [{}, '', { value: 10000, relation: 'gte' }],
    [{ track_total_hits: true }, '', { value: 20000, relation: 'eq' }],
    [{ track_total_hits: 'true' }, '', { value: 20000, relation: 'eq' }],
    [{ track_total_hits: false }, '', undefined],
    [{ track_total_hits: -1 }, '', undefined],
    [{ track_total_hits: 0 }, '', { value: 0, relation: 'gte' }],
    [{ track_total_hits: 19999 }, '', { value: 19999, relation: 'gte' }],
    [{ track_total_hits: 20000 }, '', { value: 20000, relation: 'eq' }],
    [{ track_total_hits: '5' }, '', { value: 5, relation: 'gte' }],
    [{ track_total_hits: 5 }, 'track_total_hits=true', { value: 20000, relation: 'eq' }],
    [{}, 'rest_total_hits_as_int=true', 20000],
    [{ track_total_hits: false }, 'rest_total_hits_as_int=true', -1],
  ])('%j %s', async (body, url, expected) => {
    for (const size of [0, 1]) {
      const answer = await search({ ...body, size }, { index: 'many', url });
      expect(hitsOf(answer)['total']).toEqual(expected);
      const aggs = { a: { terms: { field: 'n', size: 1 } } };
      const counted = await search({ ...body, size, aggs }, { index: 'many', url });
      expect(hitsOf(counted)['total']).toEqual(expected);
    }
  });

  test('nobody counts, and nothing matches: known where hits are asked for', async () => {
    const body = { query: { match_none: {} }, track_total_hits: 0 };
    const total = async (size: number) =>
      hitsOf(await search({ ...body, size }, { index: 'many', url: '' }))['total'];
    expect(await total(0)).toEqual({ value: 0, relation: 'gte' });
    expect(await total(1)).toEqual({ value: 0, relation: 'eq' });
  });

  test('a number with rest_total_hits_as_int is refused', async () => {
    await expect(
      search({ track_total_hits: 100 }, { url: 'rest_total_hits_as_int=true' }),
    ).rejects.toMatchObject({
      status: 400,
      message:
        '[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got 100',
    });
  });

  test.each<[JsonObject, boolean, JsonValue | undefined, number]>([
    [{ terminate_after: 5 }, true, { value: 5, relation: 'eq' }, 5],
    [{ terminate_after: 5, track_total_hits: 1, size: 0 }, true, { value: 1, relation: 'gte' }, 0],
    [{ terminate_after: 100000 }, false, { value: 10000, relation: 'gte' }, 10],
    [
      { terminate_after: 20000, track_total_hits: true },
      false,
      { value: 20000, relation: 'eq' },
      10,
    ],
  ])('terminate_after: %j', async (body, early, total, hits) => {
    const answer = await search(body, { index: 'many' });
    expect(answer['terminated_early']).toBe(early);
    expect(hitsOf(answer)['total']).toEqual(total);
    expect(hitList(answer)).toHaveLength(hits);
  });
});

describe('scores', () => {
  const filterOnly = { bool: { filter: [{ term: { status: 200 } }] } };
  test.each<[JsonObject, number | null, number | null]>([
    [{}, 1, 1],
    [{ query: filterOnly }, 0, 0],
    [{ sort: 'bytes' }, null, null],
    [{ sort: 'bytes', track_scores: true }, 1, 1],
    [{ sort: ['bytes', '_score'] }, null, 1],
    [{ sort: '_score' }, 1, 1],
  ])('%j', async (body, max, score) => {
    const answer = await search({ size: 1, ...body });
    expect([hitsOf(answer)['max_score'], hitList(answer)[0]?.['_score']]).toEqual([max, score]);
  });

  test('none without hits', async () => {
    expect(hitsOf(await search({ query: { match_none: {} } }))['max_score']).toBeNull();
    expect(hitsOf(await search({ size: 0 }))['max_score']).toBeNull();
  });

  test('1 behind the last hit', async () => {
    expect(hitsOf(await search({ from: 40 }))).toMatchObject({ max_score: 1, hits: [] });
    expect(hitsOf(await search({ from: 40, sort: ['status'] }))['max_score']).toBeNull();
  });

  test('what cannot sort is an error without hits, too, and before the window is', async () => {
    for (const body of [{ size: 0 }, { from: 10_000 }])
      await expect(search({ ...body, sort: ['zzz'] })).rejects.toMatchObject({
        status: 400,
        message: 'No mapping found for [zzz] in order to sort on',
      });
    expect(hitsOf(await search({ size: 0, sort: ['_id'] }))['hits']).toEqual([]);
  });
});

describe('paging', () => {
  const ids = async (body: JsonObject): Promise<readonly JsonValue[]> =>
    hitList(await search({ _source: ['message'], ...body })).map((hit) => hit['_source'] ?? null);

  test('from and size, numbers as strings too', async () => {
    const all = await ids({ size: 30, sort: [{ '@timestamp': 'asc' }] });
    expect(await ids({ from: '28', size: '5', sort: { '@timestamp': 'asc' } })).toEqual(
      all.slice(28),
    );
    expect(await ids({ from: -1, size: -1, sort: '@timestamp' })).toEqual(all.slice(0, 10));
  });

  test.each([
    { from: 9999, size: 2 },
    { from: 10001, size: 0 },
  ])('the window: %j', async (body) => {
    await expect(search(body)).rejects.toMatchObject({
      status: 400,
      phase: 'shard',
      type: 'illegal_argument_exception',
      message: expect.stringMatching(
        /^Result window is too large, from \+ size must be less than or equal to: \[10000\] but was \[10001\]\. See the scroll api/,
      ) as unknown,
    });
  });
});

describe('large answers', () => {
  test('10,000 hits come in pieces and are one JSON document', async () => {
    const request = parseSearchRequest({
      body: { size: 10000, sort: [{ ts: 'asc' }] },
      parameters: new Map(),
    });
    const table = await tables.table('many');
    const response = await runSearch(request, { table, executor: tables.executor, execution, now });
    const pieces: string[] = [];
    const envelope = { before: '{"response":', extra: { status: 200 }, after: '}' };
    for await (const piece of writeResponse(response, envelope)) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(2);
    const { response: answer } = parseJson(pieces.join('')) as { response: JsonObject };
    expect(answer['status']).toBe(200);
    expect(hitList(answer).map((hit) => (hit['_source'] as JsonObject)['n'])).toEqual(
      Array.from({ length: 10000 }, (_, i) => i),
    );
    expect(new Set(hitList(answer).map((hit) => hit['_id'])).size).toBe(10000);
  });

  test('a reader that leaves early stops the query', async () => {
    const request = parseSearchRequest({ body: { size: 10000 }, parameters: new Map() });
    const table = await tables.table('many');
    const response = await runSearch(request, { table, executor: tables.executor, execution, now });
    for await (const piece of writeResponse(response)) {
      expect(piece).toContain('"hits":[{');
      break;
    }
    expect(hitsOf(await search({ size: 0 }))['total']).toEqual({ value: 30, relation: 'eq' });
  });

  test('a failing statement stops the others and is the error', async () => {
    let aborted = 0;
    const failing: Executor = {
      lines: (statement, context) => {
        context.signal.addEventListener('abort', () => (aborted += 1));
        return tables.executor.lines(statement, context);
      },
      rows: () => Promise.reject(new Error('no count')),
    };
    await expect(search({ size: 5 }, { executor: failing })).rejects.toThrow('no count');
    expect(aborted).toBe(1);
  });
});

describe('statements', () => {
  const count = async (body: JsonObject): Promise<number> => {
    const request = parseSearchRequest({ body, parameters: new Map() });
    const table = await tables.table('access_log');
    return statementsOf(planSearch(request, { table, now })).length;
  };

  test('as many as the request needs', async () => {
    expect(await count({ size: 0, track_total_hits: false })).toBe(0);
    expect(await count({ size: 0 })).toBe(1);
    expect(await count({})).toBe(2);
    expect(await count({ track_total_hits: false })).toBe(1);
    expect(await count({ aggs: { a: { terms: { field: 'host' } } } })).toBe(2);
  });
});
