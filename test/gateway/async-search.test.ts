import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { runSql } from '../../dev/clickhouse/run-sql';
import type { DeclarativeConfig } from '../../dev/gateway/declarative';
import { startGateway, type Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { ask, closeClient, type Answer } from './client';
import { eventually, pluginConfig, pluginsDirectory, startTables } from './product';
import { runningQueries, type RunningQueries } from './running-queries';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(60_000);

const directory = mkdtempSync(join(tmpdir(), 'async-search-'));
let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let queries: RunningQueries;
const nodes: Gateway[] = [];
const figures: string[] = [];

/** A filter on `wait` takes 10 s in blocks of 25 ms; one on `brief`, two seconds. */
const TABLE = `
CREATE TABLE slow_blocks (
  "@timestamp" DateTime64(3) DEFAULT now64(3), n UInt64, payload String,
  wait UInt8 ALIAS sleepEachRow(0.000005) + ignore(payload), brief UInt8 ALIAS sleepEachRow(0.000001) + ignore(payload)
) ENGINE = MergeTree ORDER BY n;
INSERT INTO slow_blocks (n, payload) SELECT number, repeat('x', 200) FROM numbers(2000000);
`;

/** Two nodes of one installation without Elasticsearch: their state is one file, beside which the searches stand. */
function configOf(): DeclarativeConfig {
  const plugin = pluginConfig(clickHouse.url, { state_file: join(directory, 'state.json') });
  const proxy = (plugin['settings'] as { readonly proxy: JsonObject }).proxy;
  const settings = { proxy: { ...proxy, whiteIndexList: ['logs', 'wide', 'slow_blocks'] } };
  const config = { ...plugin, settings };
  const own = { name: 'kibana-clickhouse', config };
  return {
    _format_version: '3.0',
    services: [
      {
        name: 'elasticsearch',
        url: `http://127.0.0.1:${String(upstream.port)}`,
        routes: [
          { name: 'open', paths: ['/'], plugins: [own] },
          {
            name: 'keys',
            paths: ['/keys'],
            plugins: [{ name: 'key-auth', config: {} }, own],
          },
        ],
      },
    ],
    consumers: ['one', 'other'].map((username) => ({
      username,
      keyauth_credentials: [{ key: `key-of-${username}` }],
    })),
  };
}

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  await runSql(clickHouse.url, TABLE);
  queries = runningQueries(clickHouse.url);
  for (let i = 0; i < 2; i++)
    nodes.push(await startGateway({ config: configOf(), port: 0, pluginsDirectory }));
  const isReady = async (gateway: Gateway): Promise<boolean> =>
    (await ask(gateway.url, '/logs/_search')).status === 200;
  for (const gateway of nodes) expect(await eventually(() => isReady(gateway))).toBe(true);
});

afterAll(async () => {
  process.stdout.write(figures.map((line) => `asynchronous search: ${line}\n`).join(''));
  closeClient();
  await Promise.all(nodes.map((gateway) => gateway.close()));
  await queries.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
  rmSync(directory, { recursive: true, force: true });
});

const endless: JsonObject = { size: 0, query: { term: { wait: 1 } } };
const brief: JsonObject = { size: 0, track_total_hits: true, query: { term: { brief: 0 } } };

interface State {
  readonly id?: string;
  readonly is_running: boolean;
  readonly is_partial: boolean;
  readonly start_time_in_millis: number;
  readonly expiration_time_in_millis: number;
  readonly completion_time_in_millis?: number;
  readonly response?: JsonObject;
}
const stateOf = (answer: Answer): State => answer.json() as unknown as State;

interface Call {
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

function call(node: 0 | 1, method: string, path: string, options: Call = {}): Promise<Answer> {
  const gateway = nodes[node];
  if (!gateway) throw new Error('not started');
  return ask(gateway.url, path, { method, ...options });
}
const submit = (query: string, body: JsonObject, index = 'slow_blocks'): Promise<Answer> =>
  call(0, 'POST', `/${index}/_async_search?${query}`, { body });
const get = (node: 0 | 1, id: string, query = ''): Promise<Answer> =>
  call(node, 'GET', `/_async_search/${id}?${query}`);
const idOf = (answer: Answer): string => {
  const { id } = stateOf(answer);
  if (id === undefined) throw new Error(answer.text);
  return id;
};
const gone = (answer: Answer, id: string): void => {
  expect([answer.status, answer.json()]).toMatchObject([
    404,
    { error: { type: 'resource_not_found_exception', reason: id }, status: 404 },
  ]);
};

describe('a search that ends in time', () => {
  it('is answered complete and without an id, with the state in headers', async () => {
    const answer = await submit('wait_for_completion_timeout=30s', { size: 1 }, 'logs');
    expect(answer.headers).toMatchObject({ 'x-elasticsearch-async-is-running': '?0' });
    expect(answer.headers).not.toHaveProperty('x-elasticsearch-async-id');
    expect(Object.keys(stateOf(answer))).toEqual([
      'is_partial',
      'is_running',
      'start_time_in_millis',
      'expiration_time_in_millis',
      'completion_time_in_millis',
      'response',
    ]);
    expect(stateOf(answer)).toMatchObject({ is_partial: false, is_running: false });
  });

  it('is kept where keep_on_completion asks for it: every node has it', async () => {
    const body = {
      size: 2,
      sort: [{ '@timestamp': 'asc' }],
      aggs: { n: { sum: { field: 'bytes' } } },
    };
    const query = 'wait_for_completion_timeout=30s&keep_on_completion=true&keep_alive=1m';
    const first = await submit(query, body, 'logs');
    const id = idOf(first);
    expect(first.headers).toMatchObject({
      'x-elasticsearch-async-id': id,
      'x-elasticsearch-async-is-running': '?0',
    });
    expect(await eventually(async () => (await get(1, id)).status === 200)).toBe(true);
    for (const node of [0, 1] as const) expect((await get(node, id)).json()).toEqual(first.json());
    const status = await call(1, 'GET', `/_async_search/status/${id}`);
    const { response, ...state } = stateOf(first);
    expect(response).toBeDefined();
    expect(status.json()).toEqual({
      ...state,
      _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
      completion_status: 200,
    });
    expect((await call(1, 'DELETE', `/_async_search/${id}`)).json()).toEqual({
      acknowledged: true,
    });
    expect(await eventually(async () => (await get(0, id)).status === 404)).toBe(true);
    gone(await get(1, id), id);
    gone(await call(1, 'DELETE', `/_async_search/${id}`), id);
    gone(await call(0, 'GET', `/_async_search/status/${id}`), id);
  });

  it('that fails is the plain error', async () => {
    const answer = await submit('keep_on_completion=true', { query: { unknown: {} } });
    expect([answer.status, answer.json()]).toMatchObject([400, { status: 400 }]);
    const slow = await submit('wait_for_completion_timeout=30s', { ...endless, timeout: '200ms' });
    expect([slow.status, slow.text]).toEqual([
      400,
      expect.stringContaining('time limit of [200] ms'),
    ]);
  });
});

describe('a search that takes longer', () => {
  it('runs on: any node says so, waits for it and has its answer', async () => {
    const first = await submit('wait_for_completion_timeout=50ms&keep_alive=1m', brief);
    const id = idOf(first);
    expect(first.headers).toMatchObject({
      'x-elasticsearch-async-id': id,
      'x-elasticsearch-async-is-running': '?1',
    });
    expect(stateOf(first)).toMatchObject({
      is_partial: true,
      is_running: true,
      response: {
        timed_out: false,
        num_reduce_phases: 0,
        _shards: { total: 1, successful: 0, skipped: 0, failed: 0 },
        hits: { total: { value: 0, relation: 'gte' }, max_score: null, hits: [] },
        sampling: 1,
        cache: false,
      },
    });
    expect(first.json()).not.toHaveProperty('completion_time_in_millis');
    const there = await get(1, id);
    expect(stateOf(there)).toMatchObject({ id, is_partial: true, is_running: true });
    expect((await call(1, 'GET', `/_async_search/status/${id}`)).json()).toMatchObject({
      id,
      is_partial: true,
      is_running: true,
      _shards: { total: 1, successful: 0, skipped: 0, failed: 0 },
    });
    const answers = await Promise.all(
      ([0, 1] as const).map((node) => get(node, id, 'wait_for_completion_timeout=50s')),
    );
    for (const answer of answers) {
      expect(answer.headers).toMatchObject({ 'x-elasticsearch-async-is-running': '?0' });
      expect(stateOf(answer)).toMatchObject({
        id,
        is_partial: false,
        is_running: false,
        start_time_in_millis: stateOf(first).start_time_in_millis,
        expiration_time_in_millis: stateOf(first).expiration_time_in_millis,
        response: { hits: { total: { value: 2_000_000, relation: 'eq' } } },
      });
    }
    // whose error would be plain before is in the envelope now
    expect((await get(1, id)).json()).toEqual(answers[0]?.json());
  });

  it('that fails then has its error in the envelope, with its status', async () => {
    const body = { ...endless, timeout: '400ms' };
    const id = idOf(await submit('wait_for_completion_timeout=0', body));
    const answer = await get(1, id, 'wait_for_completion_timeout=30s');
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      {
        id,
        is_partial: true,
        is_running: false,
        error: {
          root_cause: [{ reason: expect.stringContaining('time limit of [400] ms') as unknown }],
        },
      },
    ]);
    expect((await call(0, 'GET', `/_async_search/status/${id}`)).json()).toMatchObject({
      completion_status: 400,
      _shards: { failed: 1 },
    });
  });

  it.each([
    ['the node that runs it', 0],
    ['another node', 1],
  ] as const)('is stopped in ClickHouse by DELETE on %s', async (where, node) => {
    const id = idOf(await submit('wait_for_completion_timeout=50ms', endless));
    await queries.until(1);
    const removed = await call(node, 'DELETE', `/_async_search/${id}`);
    const ms = await queries.until(0);
    figures.push(`DELETE on ${where}: the query is gone ${String(ms)} ms after its answer`);
    expect([removed.status, removed.json()]).toEqual([200, { acknowledged: true }]);
    gone(await get(0, id), id);
    gone(await get(1, id), id);
  });

  it('is stopped when its time is over, which keep_alive of any node moves', async () => {
    const query = 'wait_for_completion_timeout=50ms&keep_alive=2s';
    const id = idOf(await submit(query, endless));
    await queries.until(1);
    const longer = stateOf(await get(1, id, 'keep_alive=4s'));
    expect(longer.expiration_time_in_millis).toBeGreaterThan(longer.start_time_in_millis + 3_900);
    await queries.until(0);
    expect(Date.now()).toBeGreaterThanOrEqual(longer.expiration_time_in_millis);
    gone(await get(1, id), id);
  });

  it('ends with its client while that waits for the answer to the submission', async () => {
    const client = new AbortController();
    const [gateway] = nodes;
    const answer = ask(
      gateway?.url ?? '',
      '/slow_blocks/_async_search?wait_for_completion_timeout=1m',
      {
        method: 'POST',
        body: endless,
        signal: client.signal,
      },
    );
    await queries.until(1);
    client.abort();
    await expect(answer).rejects.toThrow();
    await queries.until(0);
  });

  it('is its consumer’s alone', async () => {
    const as = (name: string) => ({ apikey: `key-of-${name}` });
    const path = '/keys/slow_blocks/_async_search?wait_for_completion_timeout=50ms';
    const id = idOf(await call(0, 'POST', path, { body: endless, headers: as('one') }));
    for (const [prefix, headers] of [
      ['/keys', as('other')],
      ['', {}],
    ] as const) {
      gone(await call(1, 'GET', `${prefix}/_async_search/${id}`, { headers }), id);
      gone(await call(1, 'DELETE', `${prefix}/_async_search/${id}`, { headers }), id);
    }
    expect((await call(1, 'GET', `/keys/_async_search/${id}`, { headers: as('one') })).status).toBe(
      200,
    );
    await call(0, 'DELETE', `/keys/_async_search/${id}`, { headers: as('one') });
    await queries.until(0);
  });
});

describe('ids and parameters', () => {
  it('an id of Elasticsearch goes on to Elasticsearch', async () => {
    upstream.reset();
    const foreign = 'FmRldE8zREVEUzA2ZVpUeGs2ejJFUFEaMkZ5QTVrSTZSaVN3WlNFVmtlWHJsdzoxMDc=';
    await call(0, 'GET', `/_async_search/${foreign}?keep_alive=1m`);
    await call(0, 'GET', `/_async_search/status/${foreign}`);
    await call(0, 'DELETE', `/_async_search/${foreign}`);
    expect(upstream.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /_async_search/${foreign}?keep_alive=1m`,
      `GET /_async_search/status/${foreign}`,
      `DELETE /_async_search/${foreign}`,
    ]);
  });

  it('an id of ours that nobody has given is unknown', async () => {
    const id = `kch.${'A'.repeat(27)}`;
    for (const node of [0, 1] as const) gone(await get(node, id), id);
  });

  it.each(['keep_alive=10', 'keep_alive=500ms', 'wait_for_completion_timeout=x', 'unknown=1'])(
    '%s is refused',
    async (query) => {
      expect((await submit(query, { size: 0 }, 'logs')).status).toBe(400);
      expect((await get(0, `kch.${'A'.repeat(27)}`, query)).status).toBe(400);
    },
  );
});

test('an answer that is too large to be kept comes whole, without an id', async () => {
  const body = { size: 10_000, track_total_hits: false };
  const query = 'wait_for_completion_timeout=50s&keep_on_completion=true';
  const answer = await submit(query, body, 'wide');
  expect(answer.bytes.length).toBeGreaterThan(10 * 1024 * 1024);
  const { response, id } = stateOf(answer);
  expect(id).toBeUndefined();
  expect((response?.['hits'] as { readonly hits: readonly unknown[] }).hits).toHaveLength(10_000);
});
