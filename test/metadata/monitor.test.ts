import { createLog } from '../../plugins/kibana-clickhouse/common/log';
import {
  createElasticsearchClient,
  type ElasticsearchClient,
} from '../../plugins/kibana-clickhouse/metadata/elasticsearch-client';
import {
  Monitor,
  type MonitorOptions,
} from '../../plugins/kibana-clickhouse/metadata/monitor/monitor';
import { monitorIndex } from '../../plugins/kibana-clickhouse/metadata/monitor/monitor-index';
import { monitorMapping, type MonitorRecord } from '../../schema/monitor-record';
import { Line } from './line';
import { describeStores, startLimitMs, storeServers, type StoreServer } from './servers';

jest.setTimeout(60_000);

const log = createLog('error');
const day = Date.parse('2026-01-31T12:00:00Z');
const record: MonitorRecord = {
  timestamp: day,
  index: 'logs',
  table: 'default.logs',
  consumer: 'kibana',
  sql: 'SELECT 1',
  key: 'v1 `default`.`logs`',
  fingerprint: 'v1 `default`.`logs`',
  range: 900_000,
  startTime: day - 12,
  endTime: day,
  cost: 12,
  readRows: 3,
  samplingRate: 1,
  cacheHit: false,
};
/** Nothing is written before the test says so. */
const everyMs = 1e9;

describeStores.each(storeServers)('the monitor in %s', (_name, start) => {
  let server: StoreServer;
  let line: Line;
  let client: ElasticsearchClient;
  let monitor: Monitor;
  const settings = { enabled: true, retentionDays: 7, shards: 2 };

  const open = (more: Partial<MonitorOptions> = {}): Monitor =>
    new Monitor({
      take: () => ({ client, release: () => undefined }),
      settings: () => settings,
      log,
      now: () => day,
      everyMs,
      ...more,
    });

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
    await client.indices.delete({ index: 'proxy-monitor-*' });
    await client.indices.deleteIndexTemplate({ name: 'proxy-monitor' }, { ignore: [404] });
    monitor = open();
  });

  afterEach(() => monitor.close());

  const written = async (): Promise<readonly unknown[]> => {
    await client.indices.refresh({ index: 'proxy-monitor' });
    const { hits } = await client.search({ index: 'proxy-monitor', size: 10_000 });
    return hits.hits.map(({ _source: source }) => source);
  };

  it('writes records into the index of their day, behind the alias, with the shards of the settings', async () => {
    monitor.record(record);
    monitor.record({ ...record, timestamp: day + 86_400_000 });
    await monitor.flush();
    expect(await written()).toEqual(
      expect.arrayContaining([record, { ...record, timestamp: day + 86_400_000 }]),
    );
    const indexes = await client.indices.get({ index: 'proxy-monitor' });
    expect(Object.keys(indexes).sort()).toEqual([
      'proxy-monitor-2026.01.31',
      'proxy-monitor-2026.02.01',
    ]);
    const { mappings, settings: made } = indexes['proxy-monitor-2026.01.31'] ?? {};
    expect(made?.index).toMatchObject({ number_of_shards: '2', codec: 'best_compression' });
    expect(Object.keys(mappings?.properties ?? {}).sort()).toEqual(
      Object.keys(monitorMapping.properties).sort(),
    );
    expect(monitor.status()).toMatchObject({ written: 2, queued: 0, writtenAt: day });
  });

  it('can be searched by its fields', async () => {
    monitor.record(record);
    await monitor.flush();
    await client.indices.refresh({ index: 'proxy-monitor' });
    const { hits } = await client.search({
      index: 'proxy-monitor',
      query: {
        bool: {
          filter: [
            { range: { timestamp: { gte: '2026-01-31', lt: '2026-02-01' } } },
            { term: { key: record.key } },
            { range: { cost: { gte: 12 } } },
            { match: { sql: 'select' } },
          ],
        },
      },
    });
    expect(hits.hits).toHaveLength(1);
  });

  it('leaves a template of an operator alone and follows the shards with its own', async () => {
    monitor.record(record);
    await monitor.flush();
    const other = open({ settings: () => ({ ...settings, shards: 3 }) });
    other.record(record);
    await other.flush();
    await other.close();
    const ofOwn = await client.indices.getIndexTemplate({ name: 'proxy-monitor' });
    expect(ofOwn.index_templates[0]?.index_template._meta).toMatchObject({ shards: 3 });
    await client.indices.putIndexTemplate({
      name: 'proxy-monitor',
      index_patterns: ['proxy-monitor-*'],
      priority: 500,
    });
    const third = open();
    third.record(record);
    await third.flush();
    await third.close();
    const { index_templates: left } = await client.indices.getIndexTemplate({
      name: 'proxy-monitor',
    });
    expect(left[0]?.index_template._meta).toBeUndefined();
  });

  it('deletes the indexes of days before the retention, those of its own names only', async () => {
    const kept = ['proxy-monitor-2026.01.24', 'proxy-monitor-2020-01-01', 'proxy-monitor-old'];
    for (const index of ['proxy-monitor-2026.01.23', 'proxy-monitor-2025.12.31', ...kept])
      await client.indices.create({ index });
    await monitor.flush();
    expect(Object.keys(await client.indices.get({ index: 'proxy-monitor-*' })).sort()).toEqual(
      [...kept].sort(),
    );
  });

  it.each(['cut', 'silent'] as const)(
    'keeps records over a line that is %s, and writes each once when it is back',
    async (quality) => {
      line.quality = quality;
      monitor.record(record);
      await monitor.flush();
      expect(monitor.status()).toMatchObject({ queued: 1, written: 0 });
      expect(monitor.status().problem).toMatch(/cannot be reached|in time/);
      line.quality = 'good';
      await monitor.flush();
      expect(await written()).toHaveLength(1);
      expect(monitor.status()).toMatchObject({ queued: 0, written: 1 });
      expect(monitor.status().problem).toBeUndefined();
    },
  );

  it('keeps records while the index is read-only', async () => {
    monitor.record(record);
    await monitor.flush();
    const block = (isBlocked: boolean | null) =>
      client.indices.putSettings({
        index: monitorIndex(day),
        settings: { 'index.blocks.read_only': isBlocked },
      });
    await block(true);
    monitor.record(record);
    await monitor.flush();
    expect(monitor.status()).toMatchObject({ queued: 1, written: 1, rejected: 0 });
    expect(monitor.status().problem).toBe('Elasticsearch does not take records at the moment');
    await block(null);
    await monitor.flush();
    expect(await written()).toHaveLength(2);
  });

  it('counts what Elasticsearch does not take, and goes on', async () => {
    monitor.record({ ...record, range: 'long' as unknown as number });
    monitor.record(record);
    await monitor.flush();
    expect(monitor.status()).toMatchObject({ rejected: 1, written: 1, queued: 0 });
  });

  it('makes the index again when it was deleted under it', async () => {
    monitor.record(record);
    await monitor.flush();
    await client.indices.delete({ index: 'proxy-monitor-*' });
    monitor.record(record);
    await monitor.flush();
    expect(await written()).toHaveLength(1);
  });

  it('drops and counts what goes beyond the bound', async () => {
    await monitor.close();
    monitor = open({ limits: { records: 3, bytes: 1e9 } });
    line.quality = 'silent';
    for (let i = 0; i < 10; i++) monitor.record(record);
    expect(monitor.status()).toMatchObject({ queued: 3, dropped: 7 });
    line.quality = 'good';
    await monitor.flush();
    expect(await written()).toHaveLength(3);
  });

  it('writes many records in few requests, and the last ones when it is closed', async () => {
    const before = line.requests.length;
    for (let i = 0; i < 1_200; i++) monitor.record(record);
    await monitor.close();
    expect(await written()).toHaveLength(1_200);
    const bulks = line.requests.slice(before).filter((one) => one.startsWith('POST /_bulk'));
    expect(bulks).toHaveLength(3);
  });
});

describe('the monitor without Elasticsearch', () => {
  const settings = { enabled: true, retentionDays: 7, shards: 2 };

  it('says what it needs, and drops records', async () => {
    const monitor = new Monitor({ take: () => undefined, settings: () => settings, log, everyMs });
    monitor.record(record);
    await monitor.flush();
    expect(monitor.status()).toEqual({
      enabled: true,
      queued: 0,
      written: 0,
      dropped: 1,
      rejected: 0,
      problem:
        'monitoring needs an Elasticsearch: name one in metadata_config.hosts or proxy.es.host',
    });
    await monitor.close();
  });

  it('takes nothing while it is switched off', async () => {
    let enabled = false;
    const monitor = new Monitor({
      take: () => undefined,
      settings: () => ({ ...settings, enabled }),
      log,
      everyMs,
    });
    monitor.record(record);
    expect(monitor.status()).toMatchObject({ enabled: false, queued: 0, dropped: 0 });
    enabled = true;
    monitor.record(record);
    expect(monitor.status()).toMatchObject({ enabled: true, queued: 1 });
    await monitor.close();
  });
});
