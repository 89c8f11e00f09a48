import { createLog } from '../../plugins/kibana-clickhouse/common/log';
import {
  createElasticsearchClient,
  type ElasticsearchClient,
} from '../../plugins/kibana-clickhouse/metadata/elasticsearch-client';
import {
  SharedResults,
  type SharedResultsLimits,
} from '../../plugins/kibana-clickhouse/metadata/results/shared-results';
import { sharedResultsIndex } from '../../plugins/kibana-clickhouse/metadata/results/shared-results-index';
import { Line } from './line';
import { describeStores, startLimitMs, storeServers, type StoreServer } from './servers';

jest.setTimeout(60_000);

const log = createLog('error');
/** Slow enough for a busy machine, where a test does not speak of the time. */
const patient: Partial<SharedResultsLimits> = { readMs: 10_000 };

describeStores.each(storeServers)('results that nodes share in %s', (_name, start) => {
  let server: StoreServer;
  let line: Line;
  let client: ElasticsearchClient;
  const opened: SharedResults[] = [];

  const open = (limits: Partial<SharedResultsLimits> = patient): SharedResults => {
    const one = new SharedResults({
      take: () => ({ client, release: () => undefined }),
      shards: () => 1,
      log,
      limits,
    });
    opened.push(one);
    return one;
  };
  const indexes = async (): Promise<readonly string[]> =>
    Object.keys(await client.indices.get({ index: 'proxy-cache-*' })).sort();
  const soon = (): number => Date.now() + 60_000;
  /** Leaves a result; it stands in the store when it resolves. */
  async function leave(one: SharedResults, key: string, text: string, expiresAt = soon()) {
    one.write({ key, text: () => text, expiresAt });
    await one.flush();
  }

  beforeAll(async () => {
    server = await start();
    line = await Line.to(server.url);
    client = createElasticsearchClient({ hosts: [line.url], requestTimeoutMs: 2_000 });
  }, startLimitMs);

  afterAll(async () => {
    await client.close();
    await line.close();
    await server.close();
  }, startLimitMs);

  beforeEach(async () => {
    line.quality = 'good';
    await client.indices.delete({ index: 'proxy-cache-*' });
  });

  afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

  it('are found by another node, as they were written', async () => {
    const text = JSON.stringify({ rows: [['ä', '18446744073709551615', null, [1.5]]] });
    const [a, b] = [open(), open()];
    expect(await b.read('k+/=')).toBeUndefined();
    const expiresAt = soon();
    await leave(a, 'k+/=', text, expiresAt);
    expect(await b.read('k+/=')).toEqual({ text, expiresAt });
    expect(await b.read('other')).toBeUndefined();
    expect([a.status(), b.status()]).toEqual([
      { hits: 0, written: 1, dropped: 0 },
      { hits: 1, written: 0, dropped: 0 },
    ]);
  });

  it('end: a result that is over is not read, and its index is deleted when all of it is', async () => {
    const one = open();
    const now = Date.now();
    await leave(one, 'over', 'x', now + 1);
    await leave(one, 'far', 'x', now + 86_400_000);
    expect(await one.read('over')).toBeUndefined();
    const far = await one.read('far');
    // no longer than 15 minutes
    expect(far?.expiresAt).toBeLessThanOrEqual(Date.now() + 900_000);
    await client.indices.create({ index: sharedResultsIndex(now - 900_000) });
    await client.indices.create({ index: 'proxy-cache-of-another' });
    const next = open();
    await leave(next, 'k', 'x');
    const left = await indexes();
    expect(left).not.toContain(sharedResultsIndex(now - 900_000));
    expect(left).toContain(sharedResultsIndex(Date.now() + 60_000));
    expect(left).toContain('proxy-cache-of-another');
    expect(await next.read('far')).toBeDefined();
    await client.indices.delete({ index: 'proxy-cache-of-another' });
  });

  it('take no more room than they may', async () => {
    const noise = Array.from({ length: 2_000 }, () => Math.random()).join();
    const small = open({ ...patient, resultBytes: 1_000 });
    await leave(small, 'large', noise);
    await leave(small, 'small', 'x');
    expect(await small.read('large')).toBeUndefined();
    expect(await small.read('small')).toBeDefined();
    expect(small.status()).toMatchObject({ written: 1, dropped: 1 });
    const full = open({ ...patient, storedBytes: 1 });
    await leave(full, 'more', 'x');
    expect(await small.read('more')).toBeUndefined();
    expect(full.status()).toMatchObject({
      written: 0,
      dropped: 1,
      problem: expect.stringContaining('room') as unknown,
    });
    // what is there is still read
    expect(await full.read('small')).toBeDefined();
    const queue = open({ ...patient, queued: 1 });
    queue.write({ key: 'q1', text: () => 'x', expiresAt: soon() });
    queue.write({ key: 'q2', text: () => 'x', expiresAt: soon() });
    await queue.flush();
    expect(queue.status()).toMatchObject({ dropped: 1 });
  });

  it('are not waited for while Elasticsearch does not answer', async () => {
    const one = open({ readMs: 50, pauseMs: 60_000 });
    line.quality = 'silent';
    const before = line.requests.length;
    for (let i = 0; i < 20; i++) expect(await one.read(`k${String(i)}`)).toBeUndefined();
    // three late ones, and then it is left alone
    expect(line.requests.length - before).toBe(3);
    await leave(one, 'k', 'x');
    expect(line.requests.length - before).toBe(3);
    expect(one.status().problem).toMatch(/in time/);
  });

  it('are asked for again some time after a failure, which is told', async () => {
    const one = open({ ...patient, pauseMs: 1_000 });
    await leave(one, 'k', 'x');
    line.quality = 'cut';
    expect(await one.read('k')).toBeUndefined();
    expect(one.status().problem).toMatch(/Elasticsearch/);
    line.quality = 'good';
    expect(await one.read('k')).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await one.read('k')).toBeDefined();
    expect(one.status().problem).toBeUndefined();
  });

  it('of an index that went away meanwhile are written into a new one', async () => {
    const one = open({ ...patient, pauseMs: 0 });
    await leave(one, 'k', 'x');
    await client.indices.delete({ index: 'proxy-cache-*' });
    await leave(one, 'k', 'x');
    await leave(one, 'k', 'y');
    expect((await one.read('k'))?.text).toBe('y');
  });

  it('that nobody of us wrote are not taken', async () => {
    const one = open();
    await leave(one, 'k', 'x');
    const [index = ''] = await indexes();
    await client.index({ index, id: 'k', document: { expiresAt: soon(), value: 'bm8gZ3ppcA==' } });
    expect(await one.read('k')).toBeUndefined();
    expect(one.status().problem).toBeUndefined();
  });
});
