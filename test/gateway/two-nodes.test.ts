import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { startClickHouse } from '../../dev/clickhouse/embedded';
import { startGateway, type Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { describeStarting } from '../judge/describe-judged';
import { judgeRequest } from '../judge/request';
import { startElasticsearch, type Judge } from '../judge/start';
import { admin, bothRoles, update } from './admin';
import { ask, closeClient, type Answer } from './client';
import { doorTo, type Door } from './door';
import {
  answerProcessOf,
  eventually,
  pluginConfig,
  pluginsDirectory,
  reader,
  startProduct,
  startTables,
} from './product';

jest.setTimeout(300_000);

/** Each node with its own doors to the same Elasticsearch and ClickHouse. */
interface Node {
  readonly gateway: Gateway;
  readonly elasticsearch: Door;
}

let judge: Judge;
let clickHouse: EmbeddedClickHouse;
let clickHouseDoor: Door;
const nodes: Node[] = [];

const configOf = (elasticsearch: Door, over: JsonObject = {}): JsonObject => ({
  ...pluginConfig(clickHouseDoor.url, {
    metadata_config: { hosts: [elasticsearch.url] },
    secret_key: 'a key that nobody is told, of 32 and more characters',
    settings_suffix: 'two-nodes',
  }),
  ...over,
});

async function startNode(over: JsonObject = {}): Promise<Node> {
  const elasticsearch = await doorTo(judge.url);
  const strict = over['failure_mode'] === 'strict';
  const serviceUrl = strict ? 'http://localhost:1' : elasticsearch.url;
  const gateway = await startProduct(bothRoles(serviceUrl, configOf(elasticsearch, over)));
  return { gateway, elasticsearch };
}

const search = ({ gateway }: Node, index = 'logs'): Promise<Answer> =>
  ask(gateway.url, `/${index}/_search?size=0`);

/** From ClickHouse: Elasticsearch has no such index, and would say so. */
const isOurs = async (node: Node, index = 'logs'): Promise<boolean> =>
  (await search(node, index)).status === 200;

const configurationOf = async ({ gateway }: Node): Promise<JsonObject> =>
  (await admin(gateway, '/config/all')).json() as JsonObject;

/** How long it takes until something is so, in ms. */
async function untilSo(isSo: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  if (!(await eventually(isSo))) throw new Error('it did not come within 30 s');
  return Math.round(performance.now() - startedAt);
}

const figures: string[] = [];
const figure = (line: string): void => {
  figures.push(line);
};

describeStarting('nodes that share an Elasticsearch', () => {
  beforeAll(async () => {
    [judge, clickHouse] = await Promise.all([startElasticsearch(), startTables()]);
    clickHouseDoor = await doorTo(clickHouse.url);
    nodes.push(await startNode(), await startNode({ failure_mode: 'strict' }));
  });

  afterAll(async () => {
    closeClient();
    await Promise.all(nodes.map(({ gateway }) => gateway.close()));
    await Promise.all([
      ...nodes.map(({ elasticsearch }) => elasticsearch.close()),
      clickHouseDoor.close(),
    ]);
    await Promise.all([judge.close(), clickHouse.close()]);
    process.stdout.write(`${figures.join('\n')}\n`);
  });

  const node = (i: number): Node => {
    const found = nodes[i];
    if (!found) throw new Error('no such node');
    return found;
  };

  it('a change acts at once on its own node and within 10 s on the other', async () => {
    const took: number[] = [];
    for (const list of ['logs', 'logs,wide']) {
      await update(node(0).gateway, 'updateWhiteIndexList', { list });
      const isWide = list.includes('wide');
      expect(await isOurs(node(0), 'wide')).toBe(isWide);
      took.push(await untilSo(async () => (await isOurs(node(1), 'wide')) === isWide));
    }
    figure(`a change reached the other node after ${took.join(' and ')} ms`);
  });

  it('updates of both nodes at the same time are all kept', async () => {
    const updates: readonly [string, Readonly<Record<string, string>>][] = [
      ['updateRound', { round: '20' }],
      ['updateMaxTimeRange', { maxTimeRange: '3600000' }],
      ['updateMaxResultRow', { maxResultRow: '5000' }],
      ['updateUseCache', { useCache: 'true' }],
      ['updateRoundAbleMinPeriod', { roundAbleMinPeriod: '60000' }],
      ['updateSampleCountMaxThreshold', { sampleCountMaxThreshold: '7' }],
      ['updateSampleIndexList', { list: 'logs' }],
      ['updateBlackIndexList', { list: 'slow' }],
      ['updateMsearchThreadPoolCoreSize', { msearchThreadPoolCoreSize: '9' }],
      ['updateWhiteIndexList', { list: 'logs,slow,wide' }],
    ];
    await Promise.all(
      updates.map(([name, parameters], i) => update(node(i % 2).gateway, name, parameters)),
    );
    const expected = {
      query: {
        maxResultRow: 5000,
        useCache: true,
        sampleCountMaxThreshold: 7,
        sampleIndexPatterns: ['logs'],
      },
      proxy: {
        round: 20,
        maxTimeRange: 3_600_000,
        roundAbleMinPeriod: 60_000,
        blackIndexList: ['slow'],
        whiteIndexList: ['logs', 'slow', 'wide'],
      },
      threadPool: { msearchProperty: { coreSize: 9 } },
    };
    for (const one of nodes) {
      // the other's last updates are known within 10 s
      await eventually(async () => isPartOf(expected, await configurationOf(one)));
      expect(await configurationOf(one)).toMatchObject(expected);
    }
    const reset = [
      ['updateBlackIndexList', { list: '' }],
      ['updateMaxTimeRange', { maxTimeRange: '0' }],
      ['updateRound', { round: '0' }],
      ['updateMaxResultRow', { maxResultRow: '100000' }],
      ['updateUseCache', { useCache: 'false' }],
      ['updateSampleIndexList', { list: '' }],
    ] as const;
    for (const [name, parameters] of reset) await update(node(0).gateway, name, parameters);
  });

  it('a ClickHouse address is followed on both nodes', async () => {
    const next = await doorTo(clickHouse.url);
    await update(node(0).gateway, 'updateCk', {
      url: next.url,
      user: reader.name,
      pass: reader.password,
      defaultCkDatabase: 'default',
    });
    await sleep(10_000);
    // only the new address answers now
    await clickHouseDoor.shut();
    const took = await Promise.all(nodes.map((one) => untilSo(() => isOurs(one))));
    figure(
      `the nodes used another ClickHouse address ${String(10_000 + Math.max(...took))} ms after the update`,
    );
    await clickHouseDoor.open();
    await update(node(1).gateway, 'updateCk', {
      url: clickHouseDoor.url,
      user: reader.name,
      pass: reader.password,
      defaultCkDatabase: 'default',
    });
    await sleep(11_000);
    for (const one of nodes) expect(await isOurs(one)).toBe(true);
    await next.shut();
    for (const one of nodes) await untilSo(() => isOurs(one));
    await next.close();
  });

  it('stores no secret in clear', async () => {
    const { text } = await judgeRequest(judge.url, 'GET', '/proxy-settings-two-nodes/_search');
    expect(text).toContain('defaultCkDatabase');
    expect(text).not.toContain(reader.password);
  });

  describe.each([
    ['drop-in', 0],
    ['strict', 1],
  ])('Elasticsearch is away under load, failure mode %s', (_mode, i) => {
    it('ClickHouse answers, admin updates are refused, and all is well when it is back', async () => {
      const one = node(i);
      await isOurs(one);
      const load = startLoad(one);
      await sleep(1_000);
      await one.elasticsearch.shut();
      const refused = await ask(one.gateway.url, '/admin/config/updateRound?round=40', {
        method: 'POST',
      });
      expect(refused.status).toBe(503);
      await sleep(12_000);
      const health = await admin(one.gateway, '/health');
      expect(health.status).toBe(503);
      expect(health.json()).toMatchObject({
        parts: {
          clickhouse: { status: 'up' },
          elasticsearch: { status: 'down' },
          settings: { status: 'degraded' },
        },
      });
      await one.elasticsearch.open();
      await untilSo(async () => (await admin(one.gateway, '/health')).status === 200);
      await untilSo(async () => (await passed(one)).status === 200);
      const { ours, passing } = await load.stop();
      figure(`${_mode}, Elasticsearch away 12 s: ours ${show(ours)}; passed on ${show(passing)}`);
      expect([...ours.keys()]).toEqual([200]);
      expect(passing.get(200)).toBeGreaterThan(0);
      await update(one.gateway, 'updateRound', { round: '0' });
    });

    it('ClickHouse is killed and restarted: 503 meanwhile, pass-through does not notice', async () => {
      const one = node(i);
      const load = startLoad(one);
      await sleep(500);
      const { port, dataDirectory } = clickHouse;
      await clickHouse.kill();
      await sleep(2_000);
      clickHouse = await startClickHouse({ port, dataDirectory, users: [reader] });
      const backMs = await untilSo(() => isOurs(one));
      const { ours, passing } = await load.stop();
      figure(
        `${_mode}, ClickHouse killed: ours ${show(ours)}, back ${String(backMs)} ms after it; passed on ${show(passing)}`,
      );
      expect([...ours.keys()].sort()).toEqual([200, 503]);
      expect([...passing.keys()]).toEqual([200]);
    });

    it('the answer process is killed while Elasticsearch is away: the last known settings go on', async () => {
      const one = node(i);
      await update(one.gateway, 'updateWhiteIndexList', { list: 'logs' });
      expect(await isOurs(one, 'wide')).toBe(false);
      await one.elasticsearch.shut();
      process.kill(answerProcessOf(one.gateway.pluginServerPid()) ?? 0, 'SIGKILL');
      const backMs = await untilSo(() => isOurs(one));
      expect(await isOurs(one, 'wide')).toBe(false);
      figure(
        `${_mode}, answer process killed without Elasticsearch: answers after ${String(backMs)} ms`,
      );
      await one.elasticsearch.open();
      await untilSo(async () => (await admin(one.gateway, '/health')).status === 200);
      await update(one.gateway, 'updateWhiteIndexList', { list: 'logs,slow,wide,absent' });
    });
  });

  it('a start without Elasticsearch: the first request waits 2 s at most, then kong.yml rules', async () => {
    const dead = await doorTo(judge.url);
    await dead.shut();
    const config = bothRoles(
      clickHouse.url,
      configOf(dead, { settings_suffix: 'never-read', log_level: 'warn' }),
    );
    const started = await startGateway({ config, port: 0, pluginsDirectory });
    const late: Node = { gateway: started, elasticsearch: dead };
    nodes.push(late);
    const before = performance.now();
    await passed(late);
    figure(
      `a start without Elasticsearch: the first request passed after ${String(Math.round(performance.now() - before))} ms`,
    );
    expect(await untilSo(() => isOurs(late))).toBeDefined();
    expect(await isOurs(late, 'wide')).toBe(true);
    const health = await admin(started, '/health');
    expect(health.json()).toMatchObject({
      parts: { settings: { status: 'down', problems: [expect.stringContaining('kong.yml')] } },
    });
    await dead.open();
    await untilSo(async () => (await admin(started, '/health')).status === 200);
  });

  it('an Elasticsearch that hangs does not stop ClickHouse answers', async () => {
    if (judge.pid === undefined) return;
    process.kill(judge.pid, 'SIGSTOP');
    try {
      const until = Date.now() + 15_000;
      while (Date.now() < until) {
        expect(await isOurs(node(0))).toBe(true);
        await sleep(200);
      }
    } finally {
      process.kill(judge.pid, 'SIGCONT');
    }
  });
});

/** Whether every leaf of `part` stands in `whole`. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null || Array.isArray(part))
    return isDeepStrictEqual(part, whole);
  return Object.entries(part).every(([name, value]) =>
    isPartOf(value, (whole as Readonly<Record<string, unknown>> | undefined)?.[name]),
  );
}

const passed = ({ gateway }: Node): Promise<Answer> => ask(gateway.url, '/_cluster/health');

type Counts = Map<number, number>;

const show = (counts: Counts): string =>
  [...counts].map(([status, count]) => `${String(count)} x ${String(status)}`).join(', ');

/** Searches and requests that pass, four and two at a time, until it is stopped; counts by status. */
function startLoad(one: Node): {
  stop(): Promise<{ readonly ours: Counts; readonly passing: Counts }>;
} {
  let isOver = false;
  const [ours, passing]: [Counts, Counts] = [new Map(), new Map()];
  const asking = async (counts: Counts, ask: () => Promise<Answer>): Promise<void> => {
    while (!isOver) {
      const { status } = await ask();
      counts.set(status, (counts.get(status) ?? 0) + 1);
      await sleep(5);
    }
  };
  const running = [
    ...Array.from({ length: 4 }, () => asking(ours, () => search(one))),
    ...Array.from({ length: 2 }, () => asking(passing, () => passed(one))),
  ];
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(running);
      return { ours, passing };
    },
  };
}
