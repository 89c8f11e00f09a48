import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { query } from '../../dev/clickhouse/run-sql';
import type { Gateway } from '../../dev/gateway/gateway';
import { ask, closeClient } from './client';
import {
  answerProcessOf,
  eventually,
  kongConfig,
  pluginConfig,
  startProduct,
  startTables,
} from './product';
import { startUpstream, type Upstream } from './upstream';

let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let gateway: Gateway;

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  const address = `http://127.0.0.1:${String(upstream.port)}`;
  gateway = await startProduct(
    kongConfig([
      {
        serviceUrl: address,
        route: { paths: ['/drop-in'] },
        plugin: pluginConfig(clickHouse.url),
      },
      {
        serviceUrl: 'http://localhost:1',
        service: { retries: 0 },
        route: { paths: ['/strict'] },
        plugin: pluginConfig(clickHouse.url, {
          failure_mode: 'strict',
          metadata_config: { hosts: [address] },
        }),
      },
      {
        serviceUrl: address,
        route: { paths: ['/refused'] },
        plugin: pluginConfig(clickHouse.url, {
          settings: {
            proxy: {
              whiteIndexList: ['logs'],
              ck: { url: clickHouse.url, user: 'kibana', pass: 'a-wrong-secret' },
            },
          },
        }),
      },
      {
        serviceUrl: address,
        route: { paths: ['/down'] },
        plugin: pluginConfig('http://127.0.0.1:1'),
      },
    ]),
  );
}, 60_000);

afterAll(async () => {
  closeClient();
  await gateway.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
});

beforeEach(() => {
  upstream.reset();
});

const ours = (prefix: string): Promise<{ readonly status: number; readonly text: string }> =>
  ask(gateway.url, `${prefix}/logs/_search`, { method: 'POST', body: { size: 1 } });

describe('the answer process is killed under load', () => {
  it.each(['/drop-in', '/strict'])(
    '%s: none of ours reaches Elasticsearch, pass-through does not notice',
    async (prefix) => {
      await ours(prefix);
      let isOver = false;
      const statuses = new Map<number, number>();
      const answered = (): number => statuses.get(200) ?? 0;
      const passed: number[] = [];
      const searching = async (): Promise<void> => {
        while (!isOver) {
          const { status } = await ours(prefix);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      const passing = async (): Promise<void> => {
        while (!isOver) passed.push((await ask(gateway.url, `${prefix}/_cluster/health`)).status);
      };
      const answersAgain = (): Promise<boolean> => {
        const before = answered();
        return eventually(() => Promise.resolve(answered() > before + 3));
      };
      const killing = async (): Promise<void> => {
        for (let i = 0; i < 3; i += 1) {
          expect(await answersAgain()).toBe(true);
          const pid = answerProcessOf(gateway.pluginServerPid());
          if (pid !== undefined) process.kill(pid, 'SIGKILL');
        }
        expect(await answersAgain()).toBe(true);
      };
      await Promise.all([
        searching(),
        searching(),
        searching(),
        searching(),
        passing(),
        passing(),
        killing().finally(() => (isOver = true)),
      ]);
      expect(upstream.received.filter(({ url }) => url.includes('/logs/'))).toEqual([]);
      expect(new Set(passed)).toEqual(new Set([200]));
      for (const status of statuses.keys()) expect([200, 502, 503]).toContain(status);
    },
    120_000,
  );
});

describe('the plugin server is killed', () => {
  it('answers again after Kong has started it anew', async () => {
    await ours('/strict');
    gateway.killPluginServer();
    await expect(eventually(async () => (await ours('/strict')).status === 200)).resolves.toBe(
      true,
    );
  }, 30_000);
});

describe('ClickHouse', () => {
  it('down: 503 with a reason', async () => {
    const answer = await ask(gateway.url, '/down/logs/_search');
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({
      error: { reason: expect.stringContaining('ClickHouse') },
    });
  });

  it('refuses the password: 503 with a reason that does not tell it', async () => {
    const answer = await ask(gateway.url, '/refused/logs/_search');
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({
      error: { reason: expect.stringContaining('ClickHouse') },
    });
    expect(answer.text).not.toContain('a-wrong-secret');
  });

  it('has no such table: 404 index_not_found_exception', async () => {
    const answer = await ask(gateway.url, '/drop-in/absent/_search');
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({
      error: { type: 'index_not_found_exception', index: 'absent' },
    });
  });

  it('stops the query of a client that goes away', async () => {
    const running = async (): Promise<number> =>
      Number(
        await query(
          clickHouse.url,
          "SELECT count() FROM system.processes WHERE query LIKE '%slow%' AND user = 'kibana'",
        ),
      );
    const client = new AbortController();
    const search = ask(gateway.url, '/drop-in/slow/_search', {
      method: 'POST',
      body: { size: 0, query: { term: { wait: 1 } } },
      signal: client.signal,
    });
    await expect(eventually(async () => (await running()) > 0)).resolves.toBe(true);
    client.abort();
    await expect(search).rejects.toThrow();
    await expect(eventually(async () => (await running()) === 0)).resolves.toBe(true);
  }, 30_000);
});
