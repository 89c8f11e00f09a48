import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../../plugins/kibana-clickhouse/common/log';
import {
  BlackList,
  type BlackListOptions,
} from '../../plugins/kibana-clickhouse/metadata/black-list/black-list';
import type { BlackListStore } from '../../plugins/kibana-clickhouse/metadata/black-list/black-list-store';
import { elasticsearchBlackListStore } from '../../plugins/kibana-clickhouse/metadata/black-list/elasticsearch-black-list-store';
import { fileBlackListStore } from '../../plugins/kibana-clickhouse/metadata/black-list/file-black-list-store';
import {
  createElasticsearchClient,
  type ElasticsearchClient,
} from '../../plugins/kibana-clickhouse/metadata/elasticsearch-client';
import { Line } from './line';
import { describeStores, startLimitMs, storeServers, type StoreServer } from './servers';

jest.setTimeout(60_000);

const log = createLog('error');
const fingerprint = 'v1 `default`.`logs`';
const open: BlackList[] = [];

/** A node of its own on a store. */
function node(store: BlackListStore | undefined, more: Partial<BlackListOptions> = {}): BlackList {
  const made = new BlackList({
    store: () => store,
    isEnabled: () => true,
    log,
    everyMs: 50,
    ...more,
  });
  open.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await sleep(20);
};

/** What holds for every store. */
function behavesAlike(storeOf: () => BlackListStore): void {
  it('takes an entry once, in force at once, with an id that follows from it', async () => {
    const list = node(storeOf());
    expect(await list.match({ fingerprint })).toBeUndefined();
    const { entry, isNew } = await list.add(60_000, fingerprint);
    expect([isNew, entry]).toMatchObject([true, { range: 60_000, sql: fingerprint }]);
    expect(await list.match({ fingerprint })).toMatchObject({ id: entry.id });
    const again = await list.add(60_000, fingerprint);
    expect(again).toMatchObject({ entry, isNew: false });
    expect((await list.add(1, fingerprint)).entry.id).not.toBe(entry.id);
    expect(await list.list()).toHaveLength(2);
  });

  it('matches the fingerprint over the range of the entry and more, no range for endless', async () => {
    const list = node(storeOf());
    const { entry } = await list.add(60_000, fingerprint);
    const matched = async (rangeMs: number) => (await list.match({ fingerprint, rangeMs }))?.id;
    expect(await Promise.all([59_999, 60_000, 60_001].map(matched))).toEqual([
      undefined,
      entry.id,
      entry.id,
    ]);
    expect((await list.match({ fingerprint }))?.id).toBe(entry.id);
    expect(await list.match({ fingerprint: `${fingerprint} WHERE (1)` })).toBeUndefined();
    const { entry: shorter } = await list.add(0, fingerprint);
    expect((await list.match({ fingerprint }))?.id).toBe(shorter.id);
  });

  it('is known to other nodes, what is taken away too, and when an entry last matched', async () => {
    const [one, other] = [node(storeOf()), node(storeOf())];
    const matches = async () => (await other.match({ fingerprint })) !== undefined;
    expect(await matches()).toBe(false);
    const { entry } = await one.add(0, fingerprint);
    expect((await one.list())[0]?.lastMatchedAt).toBeUndefined();
    await until(matches);
    await until(async () => (await one.list())[0]?.lastMatchedAt !== undefined);
    expect(await one.remove(entry.id)).toBe(true);
    expect(await one.match({ fingerprint })).toBeUndefined();
    await until(async () => !(await matches()));
    expect(await one.remove(entry.id)).toBe(false);
    expect(await one.list()).toEqual([]);
  });

  it('loses nothing when two nodes write at once', async () => {
    const store = storeOf();
    const [one, other] = [node(store), node(store)];
    const added = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? one : other).add(i, fingerprint)),
    );
    const ids = (await node(store).list()).map(({ id }) => id);
    expect(ids.sort()).toEqual(added.map(({ entry }) => entry.id).sort());
  });

  it('is out of force while it is switched off', async () => {
    let isEnabled = false;
    const list = node(storeOf(), { isEnabled: () => isEnabled });
    await list.add(0, fingerprint);
    expect(await list.match({ fingerprint })).toBeUndefined();
    isEnabled = true;
    expect(await list.match({ fingerprint })).toBeDefined();
  });

  it('counts each search once, however many statements it has', async () => {
    const list = node(storeOf());
    await list.add(0, fingerprint);
    const search = { fingerprint };
    await list.match(search);
    await list.match(search);
    await list.match({ fingerprint });
    expect(list.status()).toMatchObject({ enabled: true, entries: 1, refused: 2 });
  });
}

describeStores.each(storeServers)('the query blacklist in %s', (_name, start) => {
  let server: StoreServer;
  let line: Line;
  let client: ElasticsearchClient;
  const store = (): BlackListStore =>
    elasticsearchBlackListStore({
      take: () => ({ client, release: () => undefined }),
      shards: () => 3,
    });

  beforeAll(async () => {
    server = await start();
    line = await Line.to(server.url);
    client = createElasticsearchClient({ hosts: [line.url], requestTimeoutMs: 1_000 });
  }, startLimitMs);

  afterAll(async () => {
    await client.close();
    await line.close();
    await server.close();
  }, startLimitMs);

  beforeEach(async () => {
    line.quality = 'good';
    await client.indices.delete({ index: 'proxy-black-list' }, { ignore: [404] });
  });

  behavesAlike(store);

  it('is made with the shards of the settings, and passes over documents of others', async () => {
    const list = node(store());
    await list.add(5, 'a');
    await client.index({ index: 'proxy-black-list', document: { key: '5_a' }, refresh: true });
    expect(await list.list()).toMatchObject([{ range: 5, sql: 'a' }]);
    const { 'proxy-black-list': index } = await client.indices.getSettings({
      index: 'proxy-black-list',
    });
    expect(index?.settings?.index?.number_of_shards).toBe('3');
  });

  it.each(['cut', 'silent'] as const)(
    'goes on by the last list over a line that is %s',
    async (quality) => {
      const list = node(store());
      const { entry } = await list.add(0, fingerprint);
      expect(await list.match({ fingerprint })).toBeDefined();
      line.quality = quality;
      await until(() => Promise.resolve(list.status().problem !== undefined));
      expect((await list.match({ fingerprint }))?.id).toBe(entry.id);
      for (const call of [list.list(), list.add(1, 'b'), list.remove(entry.id)])
        await expect(call).rejects.toMatchObject({ status: 503 });
      expect((await list.match({ fingerprint }))?.id).toBe(entry.id);
      line.quality = 'good';
      await until(() => Promise.resolve(list.status().problem === undefined));
    },
  );

  it('lets searches go on when it could never be read', async () => {
    line.quality = 'silent';
    const list = node(store());
    expect(await list.match({ fingerprint })).toBeUndefined();
    await until(() => Promise.resolve(list.status().problem !== undefined));
  });

  it('goes on by the list of a read-only index', async () => {
    const list = node(store());
    await list.add(0, fingerprint);
    const block = (isBlocked: boolean | null) =>
      client.indices.putSettings({
        index: 'proxy-black-list',
        settings: { 'index.blocks.read_only': isBlocked },
      });
    await block(true);
    expect(await list.match({ fingerprint })).toBeDefined();
    await expect(list.add(1, 'b')).rejects.toMatchObject({ status: 503 });
    expect(await list.list()).toHaveLength(1);
    await block(null);
  });
});

describe('the query blacklist in a file', () => {
  let directory: string;
  const path = (): string => join(directory, 'deep', 'state.json.black-list');

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'black-list-'));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  behavesAlike(() => fileBlackListStore(path()));

  it('leaves nothing but the file, and refuses one that is none of its own', async () => {
    const list = node(fileBlackListStore(path()));
    const { entry } = await list.add(7, 'a');
    expect(readdirSync(join(directory, 'deep'))).toEqual(['state.json.black-list']);
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toMatchObject({
      [entry.id]: { range: 7, sql: 'a' },
    });
    writeFileSync(path(), '{"broken');
    await expect(list.list()).rejects.toMatchObject({ status: 503 });
    await expect(list.add(1, 'b')).rejects.toMatchObject({ status: 503 });
    expect(readFileSync(path(), 'utf8')).toBe('{"broken');
  });
});

it('takes no entry where there is no store, and refuses nothing', async () => {
  const list = node(undefined);
  expect([await list.list(), await list.match({ fingerprint })]).toEqual([[], undefined]);
  await expect(list.add(0, fingerprint)).rejects.toMatchObject({ status: 503 });
  expect(list.status()).toMatchObject({ store: 'none', entries: 0 });
});
