import type { Panel, PanelAggregation } from '../../dev/docs/kibana/panels';
import { panels } from '../../dev/docs/kibana/panels';
import { exported, kibanaVersions, writtenObjects } from '../../dev/docs/kibana/write';
import { createLog } from '../../plugins/kibana-clickhouse/common/log';
import type { JsonObject, JsonValue } from '../../plugins/kibana-clickhouse/common/json/json';
import {
  createElasticsearchClient,
  type ElasticsearchClient,
} from '../../plugins/kibana-clickhouse/metadata/elasticsearch-client';
import { Monitor } from '../../plugins/kibana-clickhouse/metadata/monitor/monitor';
import type { MonitorRecord } from '../../schema/monitor-record';
import { describeStores, startLimitMs, storeServers, type StoreServer } from './servers';

jest.setTimeout(60_000);

test.each(kibanaVersions)(
  'the objects for Kibana %s are those of the panels: npm run docs:kibana',
  (version) => {
    expect(writtenObjects(version)).toBe(exported(version));
  },
);

describe.each(kibanaVersions)('the objects for Kibana %s', (version) => {
  const objects = exported(version)
    .trimEnd()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as {
          readonly id: string;
          readonly type: string;
          readonly attributes: Readonly<Record<string, JsonValue>>;
          readonly references: readonly { readonly id: string; readonly name: string }[];
        },
    );

  test('refer to objects that stand before them', () => {
    const known = new Set<string>();
    for (const { id, references } of objects) {
      for (const reference of references) expect(known).toContain(reference.id);
      known.add(id);
    }
    expect(known.size).toBe(panels.length + 2);
  });

  test('show each visualization once on the dashboard, none over another', () => {
    const dashboard = objects.at(-1);
    const shown = JSON.parse(textOf(dashboard?.attributes['panelsJSON'])) as readonly {
      readonly panelIndex: string;
      readonly panelRefName: string;
      readonly gridData: {
        readonly x: number;
        readonly y: number;
        readonly w: number;
        readonly h: number;
      };
    }[];
    const names = shown.map(({ panelIndex, panelRefName }) =>
      version === '7.10' ? panelRefName : `${panelIndex}:${panelRefName}`,
    );
    expect(dashboard?.references.map(({ name }) => name)).toEqual(names);
    const cells = shown.flatMap(({ gridData: { x, y, w, h } }) =>
      Array.from(
        { length: w * h },
        (_, i) => `${String(x + (i % w))},${String(y + Math.floor(i / w))}`,
      ),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** The aggregations that Kibana makes of a visualization's: the buckets one in another, the metrics in the innermost. */
function aggregationsOf(aggs: readonly PanelAggregation[]): JsonObject {
  const metrics = Object.fromEntries(
    aggs
      .filter(({ schema, type }) => schema === 'metric' && type !== 'count')
      .map(({ id, type, params }) => [id, { [type]: { field: params['field'] ?? null } }]),
  );
  const orders = new Map(aggs.map(({ id, type }) => [id, type === 'count' ? '_count' : id]));
  return aggs
    .filter(({ schema }) => schema !== 'metric')
    .reduceRight<JsonObject>((inner, { id, type, params }) => {
      const own =
        type === 'terms'
          ? {
              field: params['field'] ?? null,
              size: params['size'] ?? null,
              order: { [orders.get(textOf(params['orderBy'])) ?? '']: 'desc' },
            }
          : { field: params['field'] ?? null, fixed_interval: '1h' };
      // an order by a metric needs it beside
      return { [id]: { [type]: own, aggs: { ...metrics, ...inner } } };
    }, metrics);
}

const now = Date.parse('2026-01-31T12:00:00Z');
const record = (i: number): MonitorRecord => ({
  timestamp: now - i * 60_000,
  index: i % 2 === 0 ? 'logs' : 'orders',
  table: 'default.logs',
  consumer: 'kibana',
  application: 'dashboards',
  dashboard: 'd1',
  panel: `p${String(i % 3)}`,
  sql: 'SELECT 1',
  key: `v1 ${String(i % 4)}`,
  fingerprint: `v1 ${String(i % 4)}`,
  startTime: now - i * 60_000 - i,
  endTime: now - i * 60_000,
  cost: i,
  samplingRate: 1,
  cacheHit: i % 5 === 0,
  ...(i % 7 === 0
    ? { error: { type: 'timeout_exception', reason: 'too long' } }
    : { readRows: i * 1000, readBytes: i, memory: 1, resultRows: 1 }),
});

describeStores.each(storeServers)('the panels over %s', (_name, start) => {
  let server: StoreServer;
  let client: ElasticsearchClient;

  beforeAll(async () => {
    server = await start();
    client = createElasticsearchClient({ hosts: [server.url] });
    const monitor = new Monitor({
      take: () => ({ client, release: () => undefined }),
      settings: () => ({ enabled: true, retentionDays: 7, shards: 1 }),
      log: createLog('error'),
      now: () => now,
      everyMs: 1e9,
    });
    for (let i = 0; i < 60; i++) monitor.record(record(i));
    await monitor.flush();
    await monitor.close();
    await client.indices.refresh({ index: 'proxy-monitor' });
  }, startLimitMs);

  afterAll(async () => {
    await client.indices.delete({ index: 'proxy-monitor-*' });
    await client.close();
    await server.close();
  }, startLimitMs);

  const fieldsOf = ({ aggs }: Panel): readonly string[] =>
    aggs.flatMap(({ params: { field } }) => (typeof field === 'string' ? [field] : []));

  test.each(panels)('$id: every field can be aggregated, and buckets come', async (panel) => {
    const { fields } = await client.transport.request<{
      readonly fields: Readonly<
        Record<string, Readonly<Record<string, { readonly aggregatable: boolean }>>>
      >;
    }>({
      method: 'GET',
      path: '/proxy-monitor/_field_caps',
      querystring: { fields: fieldsOf(panel).join(',') },
    });
    for (const field of fieldsOf(panel))
      expect([
        field,
        Object.values(fields[field] ?? {}).map(({ aggregatable }) => aggregatable),
      ]).toEqual([field, [true]]);
    const answer = await client.search({
      index: 'proxy-monitor',
      size: 0,
      ...(panel.query === 'error.type : *' && { query: { exists: { field: 'error.type' } } }),
      aggs: aggregationsOf(panel.aggs) as never,
    });
    const [first] = Object.values(answer.aggregations ?? {}) as unknown as readonly {
      readonly buckets: readonly { readonly doc_count: number }[];
    }[];
    expect(first?.buckets.length).toBeGreaterThan(0);
    expect(first?.buckets.every(({ doc_count }) => doc_count > 0)).toBe(true);
  });

  test('every query of a panel is one that is asked here', () => {
    expect(panels.map(({ query }) => query).filter((query) => query !== undefined)).toEqual([
      'error.type : *',
    ]);
  });
});
