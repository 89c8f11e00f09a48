import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { runSql } from '../../dev/clickhouse/run-sql';
import type { Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import type { PartialSettings } from '../../schema/settings';
import { admin, bothRoles } from './admin';
import { ask, closeClient, type Answer } from './client';
import { eventually, pluginConfig, startProduct, startTables } from './product';
import { runningQueries, type RunningQueries } from './running-queries';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(60_000);

const directory = mkdtempSync(join(tmpdir(), 'cancellation-'));
/** A filter on `wait` takes seconds, in blocks of about 25 ms: a query can end between two of them. */
const TABLE = `
CREATE TABLE slow_blocks (
  "@timestamp" DateTime64(3) DEFAULT now64(3), n UInt64, payload String,
  wait UInt8 ALIAS sleepEachRow(0.000005) + ignore(payload)
) ENGINE = MergeTree ORDER BY n;
INSERT INTO slow_blocks (n, payload) SELECT number, repeat('x', 200) FROM numbers(2000000);
`;

let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let gateway: Gateway;
let queries: RunningQueries;
const figures: string[] = [];

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  queries = runningQueries(clickHouse.url);
  await runSql(clickHouse.url, TABLE);
  const over = { state_file: join(directory, 'state.json') };
  const serviceUrl = `http://127.0.0.1:${String(upstream.port)}`;
  gateway = await startProduct(bothRoles(serviceUrl, pluginConfig(clickHouse.url, over)));
});

afterAll(async () => {
  process.stdout.write(figures.map((line) => `cancellation: ${line}\n`).join(''));
  closeClient();
  await gateway.close();
  await queries.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
  rmSync(directory, { recursive: true, force: true });
});

async function set(settings: PartialSettings): Promise<void> {
  const proxy = { whiteIndexList: ['logs', 'slow_blocks'] };
  const answer = await admin(gateway, '/config/all', { proxy, ...settings } as JsonObject);
  if (answer.status !== 200) throw new Error(answer.text);
}
beforeEach(() => set({}));

/** Each takes seconds. */
const endless: JsonObject = { size: 0, query: { term: { wait: 1 } } };
const endlessHits: JsonObject = { size: 10, track_total_hits: false, query: { term: { wait: 1 } } };
const endlessBuckets: JsonObject = {
  size: 0,
  query: { term: { wait: 1 } },
  aggs: { n: { histogram: { field: 'n', interval: 1000 } } },
};
const lines = (...bodies: readonly JsonObject[]): string =>
  bodies.map((body) => `{}\n${JSON.stringify(body)}\n`).join('');

interface Sent {
  readonly answer: Promise<Answer | undefined>;
  readonly close: () => void;
  /** Closes the connection; gives the ms until ClickHouse runs none of its queries. */
  readonly leave: () => Promise<number>;
}

function send(path: string, body: JsonObject | string, method = 'POST'): Sent {
  const client = new AbortController();
  const headers = typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : undefined;
  const answer = ask(gateway.url, path, {
    method,
    body,
    signal: client.signal,
    ...(headers && { headers }),
  }).catch(() => undefined);
  return {
    answer,
    close: () => {
      client.abort();
    },
    leave: async () => {
      client.abort();
      const ms = await queries.until(0);
      expect(await answer).toBeUndefined();
      return ms;
    },
  };
}

async function metric(name: string): Promise<number> {
  const { text } = await admin(gateway, '/metrics');
  return Number(new RegExp(`^kibana_clickhouse_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}
/** Statements that ClickHouse has answered or was told to end. */
async function endedStatements(): Promise<number> {
  const { text } = await admin(gateway, '/metrics');
  const counts = [...text.matchAll(/^kibana_clickhouse_statements_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
const untilMetric = async (name: string, value: number): Promise<void> => {
  expect(await eventually(async () => (await metric(name)) === value)).toBe(true);
};

describe('a closed connection ends the queries', () => {
  test.each([
    ['_search', '/slow_blocks/_search', endless, 1],
    ['_search with hits', '/slow_blocks/_search', endlessHits, 1],
    [
      '_search with hits and aggregations',
      '/slow_blocks/_search',
      { ...endlessBuckets, size: 5 },
      2,
    ],
    ['_msearch', '/slow_blocks/_msearch', lines(endless, endlessHits, endlessBuckets), 3],
    ['_async_search', '/slow_blocks/_async_search?wait_for_completion_timeout=1m', endless, 1],
  ])('of %s', async (name, path, body, statements) => {
    for (const method of name === '_async_search' ? ['POST'] : ['POST', 'GET']) {
      const sent = send(path, body, method);
      await queries.until(statements);
      figures.push(`${method} ${name}, closed connection: ${String(await sent.leave())} ms`);
    }
    await untilMetric('pool_common_active_statements', 0);
    await untilMetric('pool_msearch_active_statements', 0);
  });

  test('also of results that are cached, when the last who waits goes', async () => {
    await set({ query: { useCache: true } });
    const [first, second] = [
      send('/slow_blocks/_search', endless),
      send('/slow_blocks/_search', endless),
    ];
    await queries.until(1);
    await untilMetric('pool_common_active_statements', 1);
    first.close();
    await first.answer;
    // the other still waits for it
    await sleep(200);
    expect(await queries.count()).toBe(1);
    figures.push(`shared statement, closed connections: ${String(await second.leave())} ms`);
  });

  test.each([
    ['common', '/slow_blocks/_search', endless, 'commonProperty'],
    [
      'msearch',
      '/slow_blocks/_msearch',
      lines(endless, endlessHits, endlessBuckets),
      'msearchProperty',
    ],
  ])('statements that wait in the pool %s never start', async (pool, path, body, property) => {
    await set({ threadPool: { [property]: { coreSize: 1, queueSize: 10 } } });
    const running = send(path, body);
    await queries.until(1);
    const ended = await endedStatements();
    const statements = pool === 'common' ? 1 : 3;
    const waiting = send(path, body);
    await untilMetric(`pool_${pool}_queued_statements`, 2 * statements - 1);
    waiting.close();
    await waiting.answer;
    await untilMetric(`pool_${pool}_queued_statements`, statements - 1);
    await running.leave();
    await untilMetric(`pool_${pool}_queued_statements`, 0);
    await untilMetric(`pool_${pool}_active_statements`, 0);
    // ClickHouse has seen the one that ran, and no other
    expect(await endedStatements()).toBe(ended + 1);
  });
});

describe('a time limit ends the queries', () => {
  const timed = async (what: string, limitMs: number, body: JsonObject): Promise<void> => {
    const startedAt = performance.now();
    const sent = send('/slow_blocks/_search', body);
    await queries.until(1);
    await queries.until(0);
    const overMs = Math.round(performance.now() - startedAt) - limitMs;
    figures.push(`${what}: the query is gone ${String(overMs)} ms after it`);
    const answer = await sent.answer;
    expect([answer?.status, answer?.json()]).toMatchObject([
      400,
      {
        error: {
          root_cause: [
            { reason: expect.stringContaining(`time limit of [${String(limitMs)}] ms`) },
          ],
        },
        status: 400,
      },
    ]);
  };

  test.each([
    ['counting', endless],
    ['hits', endlessHits],
    ['buckets', endlessBuckets],
  ])('%s: the timeout of the search, the limit of the settings', async (name, body) => {
    await timed(`${name}, timeout of 400 ms`, 400, { ...body, timeout: '400ms' });
    await set({ query: { maxExecutionMs: 700 } });
    await timed(`${name}, maxExecutionMs of 700 ms`, 700, body);
  });

  test('a search that waits for its place ends at its timeout, too', async () => {
    await set({ threadPool: { commonProperty: { coreSize: 1, queueSize: 10 } } });
    const running = send('/slow_blocks/_search', endless);
    await queries.until(1);
    const waiting = await send('/logs/_search', { size: 1, timeout: '200ms' }).answer;
    expect([waiting?.status, waiting?.text]).toEqual([
      400,
      expect.stringContaining('time limit of [200] ms'),
    ]);
    await untilMetric('pool_common_queued_statements', 0);
    expect(await queries.count()).toBe(1);
    await running.leave();
  });
});
