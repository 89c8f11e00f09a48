import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { runSql } from '../../dev/clickhouse/run-sql';
import type { Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { admin, bothRoles, update } from './admin';
import { ask, closeClient } from './client';
import { pluginConfig, startProduct, startTables } from './product';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(120_000);

const directory = mkdtempSync(join(tmpdir(), 'result-cache-'));
let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let gateway: Gateway;

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  await runSql(
    clickHouse.url,
    `CREATE TABLE hashed (\`@timestamp\` UInt64, host String, n UInt32) ENGINE = MergeTree
       ORDER BY (host, intHash64(\`@timestamp\`)) SAMPLE BY intHash64(\`@timestamp\`);
     CREATE TABLE timed (\`@timestamp\` UInt64, host String, n UInt32) ENGINE = MergeTree
       ORDER BY (\`@timestamp\`, intHash64(\`@timestamp\`)) SAMPLE BY intHash64(\`@timestamp\`);
     INSERT INTO hashed SELECT 1767225600000 + number * 10, toString(number % 3), number FROM numbers(50000);
     INSERT INTO timed SELECT 1767225600000 + number * 10, toString(number % 3), number FROM numbers(200000);`,
  );
  const over = { state_file: join(directory, 'state.json') };
  const serviceUrl = `http://127.0.0.1:${String(upstream.port)}`;
  gateway = await startProduct(bothRoles(serviceUrl, pluginConfig(clickHouse.url, over)));
  await update(gateway, 'updateWhiteIndexList', { list: 'logs,wide,hashed,timed' });
}, 120_000);

afterAll(async () => {
  closeClient();
  await gateway.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
  rmSync(directory, { recursive: true, force: true });
});

interface Answered extends JsonObject {
  readonly cache: boolean;
  readonly sampling: number;
}
async function search(body: JsonObject, index = 'logs'): Promise<Answered> {
  const answer = await ask(gateway.url, `/${index}/_search`, { method: 'POST', body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json() as Answered;
}
const useCache = (is: boolean) => update(gateway, 'updateUseCache', { useCache: String(is) });
const between = (gte: string, lte: string): JsonObject => ({
  range: { '@timestamp': { gte, lte } },
});
const past = between('2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z');
const dashboard: JsonObject = {
  size: 3,
  track_total_hits: true,
  query: past,
  sort: [{ '@timestamp': 'desc' }],
  aggs: { hosts: { terms: { field: 'host' } } },
};
const withoutTook = (answer: JsonObject): JsonObject => ({ ...answer, took: 0 });

describe('the result cache', () => {
  beforeEach(() => useCache(true));

  it('answers a closed range from what is known, and says so', async () => {
    const first = await search(dashboard);
    expect(first.cache).toBe(false);
    const second = await search(dashboard);
    expect(second.cache).toBe(true);
    expect(withoutTook(second)).toEqual({ ...withoutTook(first), cache: true });
    // another size is another statement for hits, and the same for the aggregation
    expect((await search({ ...dashboard, size: 2 })).cache).toBe(false);
  });

  it('knows nothing after a change of the settings, and when it is off', async () => {
    await search(dashboard);
    expect((await search(dashboard)).cache).toBe(true);
    await update(gateway, 'updateMaxResultRow', { maxResultRow: '99999' });
    expect((await search(dashboard)).cache).toBe(false);
    expect((await search(dashboard)).cache).toBe(true);
    await useCache(false);
    expect((await search(dashboard)).cache).toBe(false);
  });

  it('keeps nothing of a range that still grows, unless times are rounded', async () => {
    const growing = { ...dashboard, query: between('2026-01-01', '2100-01-01') };
    await search(growing);
    expect((await search(growing)).cache).toBe(false);
    const open = { size: 0, aggs: { hosts: { terms: { field: 'host' } } } };
    await search(open);
    expect((await search(open)).cache).toBe(false);
    await update(gateway, 'updateRound', { round: '3600000' });
    const rounded = [await search(growing), await search(growing), await search(growing)];
    await update(gateway, 'updateRound', { round: '0' });
    // a full hour may pass between two of them, not between all
    expect(rounded.some(({ cache }) => cache)).toBe(true);
  });

  it('runs a statement once for all who ask for it at the same time', async () => {
    const body = { size: 0, query: past, aggs: { bytes: { sum: { field: 'bytes' } } } };
    const answers = await Promise.all(Array.from({ length: 5 }, () => search(body)));
    expect(answers.filter(({ cache }) => !cache)).toHaveLength(1);
    expect(new Set(answers.map(({ aggregations }) => JSON.stringify(aggregations))).size).toBe(1);
  });

  it('shows its hits in the metrics', async () => {
    await search(dashboard);
    await search(dashboard);
    const metrics = await admin(gateway, '/metrics');
    expect(metrics.text).toMatch(/^kibana_clickhouse_result_cache_hits_total [1-9]/m);
    expect(metrics.text).toMatch(/^kibana_clickhouse_result_cache_bytes [1-9]/m);
  });
});

describe('sampling by the settings', () => {
  const aggs = { sum: { sum: { field: 'n' } } };

  it('begins above the threshold, and the answer says the rate', async () => {
    const body = { size: 1, track_total_hits: true, aggs };
    expect((await search(body, 'hashed')).sampling).toBe(1);
    await update(gateway, 'updateSampleIndexList', { list: 'hashed' });
    await update(gateway, 'updateSampleCountMaxThreshold', { sampleCountMaxThreshold: '10000' });
    const sampled = await search(body, 'hashed');
    expect(sampled).toMatchObject({ sampling: 0.2, hits: { total: { value: 50_000 } } });
    await update(gateway, 'updateSampleCountMaxThreshold', { sampleCountMaxThreshold: '50000' });
    expect((await search(body, 'hashed')).sampling).toBe(1);
    expect((await admin(gateway, '/health')).json()).toMatchObject({
      parts: { sampling: { status: 'up', problems: [] } },
    });
  });

  it('names listed tables that cannot be sampled', async () => {
    await update(gateway, 'updateSampleIndexList', { list: 'hashed,wide' });
    await update(gateway, 'updateSampleCountMaxThreshold', { sampleCountMaxThreshold: '1' });
    expect((await search({ size: 0, aggs }, 'wide')).sampling).toBe(1);
    const health = await admin(gateway, '/health');
    expect(health.status).toBe(200);
    expect(health.json()).toMatchObject({
      status: 'degraded',
      problems: [expect.stringMatching(/sampling: \[wide\] .*SAMPLE BY/)],
    });
  });

  it('answers from all rows where SAMPLE reads no less, and names the table', async () => {
    await update(gateway, 'updateSampleIndexList', { list: 'hashed,timed' });
    await update(gateway, 'updateSampleCountMaxThreshold', { sampleCountMaxThreshold: '10000' });
    const answer = await search({ size: 0, track_total_hits: true, aggs }, 'timed');
    expect(answer).toMatchObject({
      sampling: 1,
      hits: { total: { value: 200_000 } },
      aggregations: { sum: { value: (200_000 * 199_999) / 2 } },
    });
    expect((await search({ size: 0, aggs }, 'hashed')).sampling).toBe(0.2);
    expect((await admin(gateway, '/health')).json()).toMatchObject({
      status: 'degraded',
      problems: [
        expect.stringMatching(
          /sampling: \[timed\] .*SAMPLE reads no less .*\[intHash64\(`@timestamp`\)\]/,
        ),
      ],
    });
  });
});
