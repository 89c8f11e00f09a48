import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { startGateway, type Gateway } from '../../dev/gateway/gateway';
import { ask, closeClient, type Answer } from '../gateway/client';
import {
  eventually,
  kongConfig,
  pluginConfig,
  pluginsDirectory,
  reader,
  startTables,
} from '../gateway/product';
import { securedOpenSearch } from '../judge/engines';
import { judgeRequest } from '../judge/request';
import { admin, password } from '../judge/secured-opensearch/configure';
import { startEngine, type Judge } from '../judge/start';
import { Line } from './line';
import { describeStores, startLimitMs } from './servers';

jest.setTimeout(60_000);

const basic = (user: string, word = password): string =>
  `Basic ${Buffer.from(`${user}:${word}`).toString('base64')}`;

/** `wide` is a table of ClickHouse that OpenSearch has no index for. */
const readers = { analyst: ['logs', 'wide'], stranger: ['metrics'] };

describeStores.each([
  ['refuses what is forbidden', false],
  ['answers what is forbidden with no documents', true],
])('who may read, by an OpenSearch that %s', (_how, emptyWhereForbidden) => {
  let judge: Judge;
  let line: Line;
  let clickHouse: EmbeddedClickHouse;
  let gateway: Gateway;

  const call = (
    path: string,
    user: string | undefined,
    body?: string | object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    ask(gateway.url, path, {
      method: 'POST',
      ...(body !== undefined && { body }),
      headers: { ...(user !== undefined && { authorization: user }), ...headers },
    });

  beforeAll(async () => {
    [judge, clickHouse] = await Promise.all([
      startEngine(securedOpenSearch({ readers, emptyWhereForbidden })),
      startTables(),
    ]);
    line = await Line.to(judge.url);
    const own = judge.url.replace('//', `//${admin}:${password}@`);
    for (const index of ['logs', 'metrics'])
      await judgeRequest(own, 'PUT', `/${index}/_doc/1?refresh=true`, { elsewhere: true });
    const plugin = pluginConfig('', {
      authorization: 'elasticsearch',
      metadata_config: { hosts: [line.url], headers: { authorization: basic(admin) } },
      settings: {
        proxy: {
          whiteIndexList: ['logs', 'wide'],
          ck: { url: clickHouse.url, user: reader.name, pass: reader.password },
        },
      },
    });
    gateway = await startGateway({
      config: kongConfig([{ serviceUrl: line.url, plugin }]),
      port: 0,
      pluginsDirectory,
    });
    await eventually(async () => (await call('/logs/_search', basic('analyst'))).status === 200);
  }, startLimitMs);

  afterAll(async () => {
    closeClient();
    await gateway.close();
    await line.close();
    await Promise.all([judge.close(), clickHouse.close()]);
  }, startLimitMs);

  const countOf = (answer: Answer): unknown =>
    (answer.json() as { readonly hits: { readonly total: { readonly value: number } } }).hits.total
      .value;

  it('answers who may read, also an index that does not exist there', async () => {
    const logs = await call('/logs/_search', basic('analyst'), { track_total_hits: true });
    expect([logs.status, countOf(logs)]).toEqual([200, 600]);
    const wide = await call('/wide/_search', basic('analyst'), { track_total_hits: true });
    expect([wide.status, countOf(wide)]).toEqual([200, 10_000]);
  });

  it.each([
    ['may read something else', basic('stranger'), 403],
    ['is unknown', basic('nobody'), 401],
    ['has a wrong password', basic('analyst', 'wrong'), 401],
    ['says nothing of itself', undefined, 401],
  ])('refuses whoever %s, whether the index exists there or not', async (_who, user, status) => {
    for (const index of ['logs', 'wide'])
      for (const path of [
        '_search',
        '_async_search?wait_for_completion_timeout=30s',
        '_field_caps?fields=*',
      ]) {
        const answer = await call(`/${index}/${path}`, user);
        expect([path, answer.status]).toEqual([path, status]);
        expect(answer.text).not.toMatch(/web-\d|latency_ms|payload/);
      }
  });

  it('asks for each index that a body names', async () => {
    const lines = [{ index: 'logs' }, {}, { index: 'wide' }, {}, { index: 'metrics' }, {}];
    const body = `${lines.map((one) => JSON.stringify(one)).join('\n')}\n`;
    const statuses = async (user: string): Promise<readonly unknown[]> => {
      const headers = { 'content-type': 'application/x-ndjson' };
      const { responses } = (await call('/_msearch', user, body, headers)).json() as {
        readonly responses: readonly { readonly status: number }[];
      };
      return responses.map(({ status }) => status);
    };
    expect((await statuses(basic('stranger'))).slice(0, 2)).toEqual([403, 403]);
    expect((await statuses(basic('analyst'))).slice(0, 2)).toEqual([200, 200]);
  });

  it('never takes one caller’s rights, or the plugin’s own, for another’s', async () => {
    await call('/logs/_search', basic('analyst'));
    for (const header of ['x-opaque-id', 'x-request-id', 'x-consumer-username'])
      expect(
        (await call('/logs/_search', basic('stranger'), {}, { [header]: 'analyst' })).status,
      ).toBe(403);
  });

  it('keeps to what it knows while OpenSearch is away, and to nothing else', async () => {
    await call('/logs/_search', basic('analyst'));
    line.quality = 'cut';
    try {
      expect((await call('/logs/_search', basic('analyst'))).status).toBe(200);
      const unknown = await call('/logs/_search', basic(admin));
      expect(unknown.status).toBe(503);
    } finally {
      line.quality = 'good';
    }
    expect((await call('/logs/_search', basic(admin))).status).toBe(200);
  });
});
