import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import type { Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { admin, bothRoles, update } from '../gateway/admin';
import { ask, closeClient } from '../gateway/client';
import { runningQueries } from '../gateway/running-queries';
import { eventually, pluginConfig, startProduct, startTables } from '../gateway/product';
import { Line } from './line';
import { describeStores, startLimitMs, storeServers, type StoreServer } from './servers';

jest.setTimeout(60_000);

interface Node {
  readonly gateway: Gateway;
  readonly line: Line;
}

interface Answered extends JsonObject {
  readonly cache: boolean;
  readonly hits: JsonObject;
}

describeStores.each(storeServers)('two nodes that share results in %s', (name, start) => {
  let server: StoreServer;
  let clickHouse: EmbeddedClickHouse;
  const nodes: Node[] = [];
  const secret = 'a password that nobody is told';

  beforeAll(async () => {
    [server, clickHouse] = await Promise.all([start(), startTables()]);
    await ask(server.url, '/proxy-cache-*', { method: 'DELETE' });
    for (let i = 0; i < 2; i++) {
      const line = await Line.to(server.url);
      const config = pluginConfig(clickHouse.url, {
        metadata_config: { hosts: [line.url], headers: { 'X-Plugin': secret } },
        secret_key: 'a key that nobody is told, of 32 and more characters',
        settings_suffix: `shared-cache-${name.toLowerCase()}`,
      });
      nodes.push({ gateway: await startProduct(bothRoles(line.url, config)), line });
    }
    await update(node(0).gateway, 'updateUseCache', { useCache: 'true' });
    await bothFollow('query', { useCache: true });
  }, startLimitMs);

  afterAll(async () => {
    closeClient();
    await Promise.all(nodes.map(({ gateway }) => gateway.close()));
    await Promise.all(nodes.map(({ line }) => line.close()));
    await Promise.all([server.close(), clickHouse.close()]);
  }, startLimitMs);

  beforeEach(() => {
    for (const { line } of nodes) line.quality = 'good';
  });

  function node(i: number): Node {
    const found = nodes[i];
    if (!found) throw new Error('not started');
    return found;
  }

  /** Both nodes have read the settings. */
  async function bothFollow(group: string, expected: JsonObject): Promise<void> {
    for (const { gateway } of nodes)
      expect(
        await eventually(async () => {
          const all = (await admin(gateway, '/config/all')).json() as JsonObject;
          const found = all[group] as JsonObject;
          return Object.entries(expected).every(([key, value]) => found[key] === value);
        }),
      ).toBe(true);
  }

  const search = async ({ gateway }: Node, body: JsonObject): Promise<Answered> => {
    const answer = await ask(gateway.url, '/logs/_search', { method: 'POST', body });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json() as Answered;
  };
  /** Of a closed hour; another for each host. */
  const dashboard = (host: string, size = 3): JsonObject => ({
    size,
    track_total_hits: true,
    query: {
      bool: {
        filter: [
          { term: { host } },
          { range: { '@timestamp': { gte: '2026-01-01T00:00:00Z', lte: '2026-01-01T01:00:00Z' } } },
        ],
      },
    },
    sort: [{ '@timestamp': 'desc' }],
    aggs: { statuses: { terms: { field: 'status' } } },
  });
  async function metric({ gateway }: Node, metricName: string): Promise<number> {
    const { text } = await admin(gateway, '/metrics');
    return Number(new RegExp(`^kibana_clickhouse_${metricName} (\\d+)$`, 'm').exec(text)?.[1]);
  }
  /** Hits of a dashboard stand in the store, and its counts where they were not known. */
  const left = async (one: Node, before: number): Promise<boolean> =>
    eventually(async () => (await metric(one, 'shared_results_written_total')) > before);

  it('one answers from what the other has asked, without ClickHouse', async () => {
    const [a, b] = [node(0), node(1)];
    let [size, misses] = [0, 0];
    let [first, second] = [await search(a, dashboard('web-0', 1)), await search(b, {})];
    // on a busy machine a read may come after its 50 ms
    const isFound = await eventually(async () => {
      size++;
      const before = await metric(a, 'shared_results_written_total');
      first = await search(a, dashboard('web-0', 10 + size));
      if (!(await left(a, before))) return false;
      misses = await metric(b, 'result_cache_misses_total');
      second = await search(b, dashboard('web-0', 10 + size));
      return second.cache;
    });
    expect(isFound).toBe(true);
    expect({ ...second, took: 0 }).toEqual({ ...first, took: 0, cache: true });
    expect(await metric(b, 'result_cache_misses_total')).toBe(misses);
    const hits = await metric(b, 'shared_results_hits_total');
    expect(hits).toBeGreaterThan(0);
    // and then from its own memory
    expect((await search(b, dashboard('web-0', 10 + size))).cache).toBe(true);
    expect(await metric(b, 'shared_results_hits_total')).toBe(hits);
  });

  it('nothing of it says a secret or what was asked', async () => {
    await ask(server.url, '/proxy-cache-*/_refresh', { method: 'POST' });
    const { text } = await ask(server.url, '/proxy-cache-*/_search?size=100');
    expect(text).toContain('"value"');
    for (const hidden of [secret, 'reads-only', 'web-0', 'SELECT'])
      expect(text).not.toContain(hidden);
  });

  it('a change of the settings makes it unknown', async () => {
    const [a, b] = [node(0), node(1)];
    const before = await metric(a, 'shared_results_written_total');
    await search(a, dashboard('web-1'));
    expect(await left(a, before)).toBe(true);
    await update(b.gateway, 'updateMaxResultRow', { maxResultRow: '99999' });
    expect((await search(b, dashboard('web-1'))).cache).toBe(false);
  });

  it('an asynchronous search that one runs is seen, prolonged, awaited and deleted by the other', async () => {
    const call = (i: number, method: string, path: string, body?: JsonObject) =>
      ask(node(i).gateway.url, path, { method, ...(body && { body }) });
    const queries = runningQueries(clickHouse.url);
    const endless = { size: 0, query: { term: { wait: 1 } } };
    const started = await call(
      0,
      'POST',
      '/slow/_async_search?wait_for_completion_timeout=50ms&keep_alive=1m',
      endless,
    );
    const state = started.json() as {
      readonly id: string;
      readonly expiration_time_in_millis: number;
    };
    const path = `/_async_search/${state.id}`;
    const seen = await call(1, 'GET', `${path}?keep_alive=2m`);
    expect(seen.json()).toMatchObject({ id: state.id, is_running: true });
    const { expiration_time_in_millis: end } = seen.json() as typeof state;
    expect(end).toBeGreaterThan(state.expiration_time_in_millis);
    await queries.until(1);
    expect((await call(1, 'DELETE', path)).json()).toEqual({ acknowledged: true });
    await queries.until(0);
    await queries.close();
    for (const i of [0, 1]) expect((await call(i, 'GET', path)).status).toBe(404);
    const quick = '/logs/_async_search?wait_for_completion_timeout=0&keep_alive=1m';
    const { id } = (await call(0, 'POST', quick, dashboard('web-1', 5))).json() as typeof state;
    const ended = await call(1, 'GET', `/_async_search/${id}?wait_for_completion_timeout=30s`);
    expect(ended.json()).toMatchObject({ id, is_running: false, is_partial: false });
    expect((await call(0, 'GET', `/_async_search/${id}`)).json()).toEqual(ended.json());
  });

  it.each(['cut', 'silent'] as const)(
    'Elasticsearch %s: answers come, are right, and are kept here',
    async (quality) => {
      const [a, b] = [node(0), node(1)];
      const host = quality === 'cut' ? 'web-2' : 'web-3';
      const expected = await search(a, dashboard(host));
      b.line.quality = quality;
      for (let i = 0; i < 5; i++) {
        const answer = await search(b, dashboard(host, 4 + i));
        expect(answer.cache).toBe(false);
        expect(answer['aggregations']).toEqual(expected['aggregations']);
      }
      expect((await search(b, dashboard(host, 4))).cache).toBe(true);
      const health = (await admin(b.gateway, '/health')).json() as { parts: JsonObject };
      expect(health.parts['result_cache']).toMatchObject({ status: 'degraded' });
    },
  );

  it('nothing is shared while useCache is off', async () => {
    await update(node(0).gateway, 'updateUseCache', { useCache: 'false' });
    const requests = node(0).line.requests.length;
    await search(node(0), dashboard('web-0'));
    const asked = node(0).line.requests.slice(requests);
    expect(asked.filter((one) => /_mget|_bulk/.test(one))).toEqual([]);
  });
});
