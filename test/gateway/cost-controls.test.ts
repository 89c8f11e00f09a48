import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { query } from '../../dev/clickhouse/run-sql';
import type { Gateway } from '../../dev/gateway/gateway';
import type { JsonObject, JsonValue } from '../../plugins/kibana-clickhouse/common/json/json';
import type { PartialSettings } from '../../schema/settings';
import { admin, bothRoles } from './admin';
import { ask, closeClient, type Answer } from './client';
import { eventually, pluginConfig, startProduct, startTables } from './product';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(120_000);

const directory = mkdtempSync(join(tmpdir(), 'cost-controls-'));
let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let gateway: Gateway;

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  const over = { state_file: join(directory, 'state.json') };
  const serviceUrl = `http://127.0.0.1:${String(upstream.port)}`;
  gateway = await startProduct(bothRoles(serviceUrl, pluginConfig(clickHouse.url, over)));
}, 120_000);

afterAll(async () => {
  closeClient();
  await gateway.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
  rmSync(directory, { recursive: true, force: true });
});

/** Sets these and nothing else; in force when it resolves. */
async function set(settings: PartialSettings): Promise<void> {
  const answer = await admin(gateway, '/config/all', settings as JsonObject);
  if (answer.status !== 200) throw new Error(answer.text);
}
beforeEach(() => set({}));

const search = (body: JsonObject, index = 'logs', signal?: AbortSignal): Promise<Answer> =>
  ask(gateway.url, `/${index}/_search`, { method: 'POST', body, ...(signal && { signal }) });
const msearch = (...bodies: readonly JsonObject[]): Promise<Answer> =>
  ask(gateway.url, '/logs/_msearch', {
    method: 'POST',
    body: bodies.map((body) => `{}\n${JSON.stringify(body)}\n`).join(''),
    headers: { 'content-type': 'application/x-ndjson' },
  });
const between = (bounds: JsonObject): JsonObject => ({ range: { '@timestamp': bounds } });
const at = (time: string): string => `2026-01-01T${time}Z`;
const total = async (bounds: JsonObject): Promise<JsonValue | undefined> => {
  const answer = await search({ size: 0, track_total_hits: true, query: between(bounds) });
  return (answer.json() as unknown as Found).hits.total.value;
};
interface Found {
  readonly hits: {
    readonly total: { readonly value: number };
    readonly hits: readonly { readonly _id: string }[];
  };
}

/** Expects a 400 whose reason a client shows. */
function expectRefused(answer: Answer, reason: RegExp): void {
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    { error: { root_cause: [{ reason: expect.stringMatching(reason) as unknown }] }, status: 400 },
  ]);
}

test('every answer says that nothing was sampled or cached', async () => {
  const own = { sampling: 1, cache: false };
  expect((await search({ size: 1 })).json()).toMatchObject(own);
  expect((await msearch({ size: 1 }, { size: 0 })).json()).toMatchObject({
    responses: [own, own],
  });
  const path = '/logs/_async_search';
  const asynchronous = await ask(gateway.url, path, { method: 'POST', body: { size: 1 } });
  expect(asynchronous.json()).toMatchObject({ response: own });
});

describe('time rounding', () => {
  const rounded = { round: 120, roundAbleMinPeriod: 600_000 };

  test.each([
    ['s', rounded],
    ['ms', { ...rounded, round: 120_000 }],
  ])('rounds both bounds down, in %s', async (_unit, proxy) => {
    const asked = { gte: at('00:01:00'), lte: at('00:32:59') };
    expect(await total(asked)).toBe(32);
    await set({ proxy });
    // 00:00 to 00:32
    expect(await total(asked)).toBe(33);
    expect(await total({ gte: at('00:01:00'), lt: at('00:32:00') })).toBe(32);
    expect(await total({ gte: at('00:01:00'), lt: at('00:33:00') })).toBe(32);
  });

  test('a short span stays as it is, one without a range too', async () => {
    await set({ proxy: rounded });
    expect(await total({ gte: at('00:01:00'), lte: at('00:11:00') })).toBe(11);
    expect(await total({ gte: at('00:01:00'), lte: at('00:11:00.001') })).toBe(11);
    expect(await total({ gte: at('00:01:00'), lte: at('00:12:59') })).toBe(13);
    expect((await search({ size: 0, track_total_hits: true })).json()).toMatchObject({
      hits: { total: { value: 600 } },
    });
  });

  test('a histogram has the buckets of the rounded span, and those of its own bounds', async () => {
    await set({ proxy: rounded });
    const answer = await search({
      size: 0,
      query: between({ gte: at('00:01:00'), lte: at('00:21:30') }),
      aggs: {
        minutes: {
          date_histogram: {
            field: '@timestamp',
            fixed_interval: '1m',
            min_doc_count: 0,
            extended_bounds: { min: at('00:01:00'), max: at('00:22:00') },
          },
        },
      },
    });
    const { aggregations } = answer.json() as unknown as {
      readonly aggregations: {
        readonly minutes: { readonly buckets: readonly { readonly doc_count: number }[] };
      };
    };
    const counts = aggregations.minutes.buckets.map(({ doc_count: count }) => count);
    expect(counts).toEqual([...Array<number>(21).fill(1), 0, 0]);
  });

  test('date math is rounded behind its now', async () => {
    await set({ proxy: { round: 1, roundAbleMinPeriod: 0 } });
    const body = { size: 0, query: between({ gte: 'now-1h', lte: 'now' }) };
    const translated = await admin(gateway, '/proxy/_translate?index=logs', body);
    const { statements } = translated.json() as unknown as {
      readonly statements: readonly { readonly parameters: JsonObject }[];
    };
    const instants = Object.values(statements[0]?.parameters ?? {}).map(Number);
    expect(instants.filter((ms) => ms > 1e12 && ms % 1_000 === 0)).toHaveLength(2);
  });

  test('all searches of an _msearch have one now, also where they run one after the other', async () => {
    const ranges = [{ from: 'now' }];
    const line = { size: 0, aggs: { r: { date_range: { field: '@timestamp', ranges } } } };
    const answer = await ask(gateway.url, '/logs/_msearch?max_concurrent_searches=1', {
      method: 'POST',
      body: `{}\n${JSON.stringify(line)}\n`.repeat(10),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const { responses } = answer.json() as unknown as {
      readonly responses: readonly {
        readonly aggregations: {
          readonly r: { readonly buckets: readonly { readonly from: number }[] };
        };
      }[];
    };
    const instants = responses.map(({ aggregations: { r } }) => r.buckets[0]?.from);
    expect(instants).toHaveLength(10);
    expect(instants[0]).toBeGreaterThan(1e12);
    expect(new Set(instants).size).toBe(1);
  });
});

describe('maxTimeRange', () => {
  const hour = { proxy: { maxTimeRange: 3_600_000 } };

  test('refuses a longer span with both lengths', async () => {
    await set(hour);
    const answer = await search({
      query: between({ gte: at('00:00:00'), lte: at('02:00:00.000') }),
    });
    expectRefused(
      answer,
      /time range of \[7200000\] ms \(2h\): maxTimeRange allows \[3600000\] ms \(1h\)/,
    );
    expect(await total({ gte: at('00:00:00'), lt: at('01:00:00') })).toBe(60);
    expectRefused(await search({ query: between({ gte: at('00:00:00') }) }), /maxTimeRange allows/);
  });

  test('refuses a search without a beginning, save documents by id and plain counts', async () => {
    const first = (await search({ size: 1 })).json() as unknown as Found;
    const values = first.hits.hits.map(({ _id: id }) => id);
    await set(hour);
    const reason = /no time range, or one without a beginning, on the time field \[@timestamp\]/;
    expectRefused(await search({}), reason);
    expectRefused(await search({ query: between({ lte: at('01:00:00') }) }), reason);
    expectRefused(await search({ size: 0, query: { term: { host: 'web-1' } } }), reason);
    expectRefused(await search({ size: 0, aggs: { n: { max: { field: 'bytes' } } } }), reason);
    const documents = await search({ query: { bool: { filter: [{ ids: { values } }] } } });
    expect(documents.json()).toMatchObject({ hits: { hits: [{ _id: values[0] }] } });
    expect((await search({ size: 0 })).status).toBe(200);
    const all = {
      size: 0,
      query: between({ gte: at('00:00:00'), lt: at('01:00:00') }),
      aggs: { all: { global: {} } },
    };
    expectRefused(await search(all), /\[global\] aggregation/);
  });

  test('of a table stands before the global one', async () => {
    await set({ ...hour, tables: { logs: { maxTimeRange: 0 } } });
    expect((await search({})).status).toBe(200);
    expectRefused(await search({}, 'wide'), /maxTimeRange/);
  });

  test('an _msearch fails in its item alone, a translation in the same words', async () => {
    await set(hour);
    const inside = { size: 0, query: between({ gte: at('00:00:00'), lt: at('01:00:00') }) };
    expect((await msearch({}, inside)).json()).toMatchObject({
      responses: [{ status: 400, error: { type: 'illegal_argument_exception' } }, { status: 200 }],
    });
    const translated = await admin(gateway, '/proxy/_translate?index=logs', {});
    expect(translated.json()).toEqual((await search({})).json());
  });
});

describe('maxResultRow', () => {
  test('refuses a page behind it before anything runs', async () => {
    await set({ query: { maxResultRow: 5 } });
    expectRefused(await search({ size: 4, from: 2 }), /\[6\] hits .* maxResultRow allows, \[5\]/);
    const answer = await search({ size: 4, from: 1 });
    expect((answer.json() as unknown as Found).hits.hits).toHaveLength(4);
  });

  test('an aggregation is refused, never cut', async () => {
    await set({ query: { maxResultRow: 50 } });
    const buckets = (size: number): JsonObject => ({
      size: 0,
      aggs: { bytes: { terms: { field: 'bytes', size } } },
    });
    expectRefused(await search(buckets(200)), /maxResultRow allows, \[50\]/);
    expect((await search(buckets(20))).status).toBe(200);
  });
});

describe('maxBuckets', () => {
  test('refuses an answer with more buckets, of all levels together, as Elasticsearch does', async () => {
    await set({ query: { maxBuckets: 20 } });
    const tree = (size: number, more: JsonObject = {}): JsonObject => ({
      size: 0,
      aggs: { bytes: { terms: { field: 'bytes', size }, ...more } },
    });
    const refused = await search(tree(21));
    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({
      error: {
        caused_by: {
          type: 'too_many_buckets_exception',
          reason: expect.stringContaining('Must be less than or equal to: [20]') as unknown,
          max_buckets: 20,
        },
      },
    });
    expect((await search(tree(20))).status).toBe(200);
    const below = { aggs: { same: { terms: { field: 'bytes' } } } };
    expect((await search(tree(10, below))).status).toBe(200);
    expect((await search(tree(11, below))).status).toBe(400);
    const gaps = { interval: 1, extended_bounds: { min: 1, max: 21 } };
    const filled = { size: 0, aggs: { a: { histogram: { field: 'bytes', ...gaps } } } };
    expect((await search(filled)).status).toBe(400);
  });
});

describe('limits of a statement', () => {
  /** Takes minutes. */
  const endless = { size: 0, query: { term: { wait: 1 } } };

  test('rows read: global, and of a table', async () => {
    const host = { size: 0, aggs: { host: { terms: { field: 'host' } } } };
    await set({ query: { maxReadRows: 100 } });
    expectRefused(await search(host), /maxReadRows allows, \[100\]/);
    await set({ query: { maxReadRows: 100 }, tables: { logs: { maxReadRows: 1_000 } } });
    expect((await search(host)).status).toBe(200);
  });

  test('memory', async () => {
    await set({ tables: { slow: { maxMemoryBytes: 20_000_000 } } });
    const numbers = { size: 0, aggs: { n: { terms: { field: 'n', size: 10_000 } } } };
    expectRefused(await search(numbers, 'slow'), /maxMemoryBytes allows \[20000000\] bytes/);
  });

  test('time: of the settings, lowered by the timeout of the search, and the query is gone', async () => {
    await set({ tables: { slow: { maxExecutionMs: 700 } } });
    expectRefused(await search(endless, 'slow'), /time limit of \[700\] ms/);
    expectRefused(
      await search({ ...endless, timeout: '300ms' }, 'slow'),
      /time limit of \[300\] ms/,
    );
    expectRefused(await search({ ...endless, timeout: '1h' }, 'slow'), /time limit of \[700\] ms/);
    expect(await eventually(async () => (await running()) === 0)).toBe(true);
  });
});

const running = async (): Promise<number> =>
  Number(
    await query(
      clickHouse.url,
      "SELECT count() FROM system.processes WHERE query LIKE '%slow%' AND user = 'kibana'",
    ),
  );

async function metric(name: string): Promise<number> {
  const { text } = await admin(gateway, '/metrics');
  return Number(new RegExp(`^kibana_clickhouse_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

describe('pools', () => {
  const one = (queueSize: number): PartialSettings => ({
    threadPool: { commonProperty: { coreSize: 1, queueSize } },
  });
  /** A search that holds the one place of its pool; gives how to end it. */
  async function occupy(): Promise<() => Promise<void>> {
    const client = new AbortController();
    const body = { size: 0, query: { term: { wait: 1 } } };
    const answer = search(body, 'slow', client.signal).catch(() => undefined);
    expect(await eventually(async () => (await running()) === 1)).toBe(true);
    return async () => {
      client.abort();
      await answer;
      expect(await eventually(async () => (await running()) === 0)).toBe(true);
    };
  }

  test('a full one answers 429; the other is not touched', async () => {
    await set(one(0));
    const rejected = await metric('pool_common_rejected_total');
    const end = await occupy();
    const answer = await search({ size: 1, track_total_hits: false });
    expect([answer.status, answer.json()]).toMatchObject([
      429,
      { error: { type: 'es_rejected_execution_exception' }, status: 429 },
    ]);
    expect(await metric('pool_common_rejected_total')).toBe(rejected + 1);
    expect(await metric('pool_common_active_statements')).toBe(1);
    expect((await msearch({ size: 1 })).json()).toMatchObject({ responses: [{ status: 200 }] });
    await end();
    expect(await eventually(async () => (await search({ size: 0 })).status === 200)).toBe(true);
  });

  test('what waits starts when there is place: also when the settings make it', async () => {
    await set(one(10));
    const end = await occupy();
    const waiting = search({ size: 1, track_total_hits: false });
    expect(
      await eventually(async () => (await metric('pool_common_queued_statements')) === 1),
    ).toBe(true);
    await set({ threadPool: { commonProperty: { coreSize: 2, queueSize: 10 } } });
    expect((await waiting).status).toBe(200);
    expect(await running()).toBe(1);
    await end();
  });

  test('a client that goes away leaves the queue, and its query', async () => {
    await set(one(10));
    const end = await occupy();
    const client = new AbortController();
    const waiting = search({ size: 1, track_total_hits: false }, 'logs', client.signal);
    expect(
      await eventually(async () => (await metric('pool_common_queued_statements')) === 1),
    ).toBe(true);
    client.abort();
    await expect(waiting).rejects.toThrow();
    expect(
      await eventually(async () => (await metric('pool_common_queued_statements')) === 0),
    ).toBe(true);
    await end();
    expect(
      await eventually(async () => (await metric('pool_common_active_statements')) === 0),
    ).toBe(true);
  });
});
