import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  AsyncSearchRecord,
  AsyncSearchStore,
} from '../../plugins/kibana-clickhouse/metadata/async-search/async-search-store';
import { elasticsearchAsyncSearchStore } from '../../plugins/kibana-clickhouse/metadata/async-search/elasticsearch-async-search-store';
import { fileAsyncSearchStore } from '../../plugins/kibana-clickhouse/metadata/async-search/file-async-search-store';
import {
  createElasticsearchClient,
  type ElasticsearchClient,
} from '../../plugins/kibana-clickhouse/metadata/elasticsearch-client';
import { describeStores, startLimitMs, storeServers, type StoreServer } from './servers';

jest.setTimeout(60_000);

const record: AsyncSearchRecord = {
  index: 'logs',
  consumer: 'kibana',
  startedAt: 1_000,
  expiresAt: Date.now() + 60_000,
  aliveAt: 1_000,
};
const outcome = { completedAt: 2_000, status: 200, text: '{"hits":"ä😀"}' };

/** What holds for every store. */
function behavesAsStore(open: () => AsyncSearchStore): void {
  it('finds what was kept, changed and removed', async () => {
    const [one, other] = [open(), open()];
    expect(await one.read('a')).toBeUndefined();
    expect(await one.update('a', { aliveAt: 1 })).toBe(false);
    await one.create('a', record);
    expect(await other.read('a')).toEqual(record);
    expect(await other.update('a', { expiresAt: record.expiresAt + 1 })).toBe(true);
    expect(await one.update('a', { aliveAt: 3_000 })).toBe(true);
    expect(await one.update('a', { outcome })).toBe(true);
    const changed = { ...record, expiresAt: record.expiresAt + 1, aliveAt: 3_000, outcome };
    expect(await other.read('a')).toEqual(changed);
    await one.create('b', { ...record, outcome });
    expect(await other.read('b')).toEqual({ ...record, outcome });
    expect(await other.expiries(['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', record.expiresAt + 1],
        ['b', record.expiresAt],
      ]),
    );
    expect(await other.remove('a')).toBe(true);
    expect(await other.remove('a')).toBe(false);
    expect(await one.read('a')).toBeUndefined();
    expect(await one.update('a', { outcome })).toBe(false);
    expect(await one.read('a')).toBeUndefined();
  });

  it('two nodes that change different things at once lose nothing', async () => {
    const [one, other] = [open(), open()];
    await one.create('c', record);
    const expiresAt = record.expiresAt + 5;
    await Promise.all([
      one.update('c', { outcome }),
      other.update('c', { expiresAt }),
      one.update('c', { aliveAt: 9 }),
    ]);
    expect(await other.read('c')).toEqual({ ...record, expiresAt, aliveAt: 9, outcome });
  });
}

describeStores.each(storeServers)('asynchronous searches in %s', (_name, start) => {
  let server: StoreServer;
  let client: ElasticsearchClient;
  const open = (): AsyncSearchStore =>
    elasticsearchAsyncSearchStore(
      () => ({ client, release: () => undefined }),
      () => 1,
    );

  beforeAll(async () => {
    server = await start();
    client = createElasticsearchClient({ hosts: [server.url] });
    await client.indices.delete({ index: 'proxy-async-search' }, { ignore: [404] });
  }, startLimitMs);

  afterAll(async () => {
    await client.indices.delete({ index: 'proxy-async-search' }, { ignore: [404] });
    await client.close();
    await server.close();
  }, startLimitMs);

  behavesAsStore(open);

  it('those that have expired are removed, and no others', async () => {
    const store = open();
    await store.create('old', { ...record, expiresAt: 1_000 });
    await store.create('new', record);
    await client.indices.refresh({ index: 'proxy-async-search' });
    await store.removeExpired(Date.now());
    expect([await store.read('old'), await store.read('new')]).toEqual([undefined, record]);
  });
});

describe('asynchronous searches in files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'async-store-'));
  const path = join(directory, 'searches');
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  behavesAsStore(() => fileAsyncSearchStore(path));

  it('those that have expired are removed with all their files, and no others', async () => {
    const store = fileAsyncSearchStore(path);
    await store.create('old', { ...record, expiresAt: 1_000, outcome });
    await store.update('old', { aliveAt: 2 });
    await store.create('new', record);
    await store.removeExpired(Date.now());
    expect([await store.read('old'), await store.read('new')]).toEqual([undefined, record]);
    expect(readdirSync(path).filter((name) => name.startsWith('old'))).toEqual([]);
  });

  it('a directory that nothing stands in yet has none', async () => {
    const store = fileAsyncSearchStore(join(directory, 'absent'));
    expect(await store.read('a')).toBeUndefined();
    expect(await store.remove('a')).toBe(false);
    await store.removeExpired(Date.now());
    expect(await store.expiries(['a'])).toEqual(new Map());
  });
});
