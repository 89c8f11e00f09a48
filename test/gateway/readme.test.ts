import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { query } from '../../dev/clickhouse/run-sql';
import { loadAccessLog } from '../../dev/demo/access-log';
import type { Gateway } from '../../dev/gateway/gateway';
import { ask, closeClient } from './client';
import { kongConfig, pluginConfig, reader, startProduct } from './product';
import { startClickHouse } from '../../dev/clickhouse/embedded';

/* The Discover request that the README shows, as it stands there, on the demo table. */
const readme = readFileSync(resolve(__dirname, '../../README.md'), 'utf8');
const [, path = '', body = ''] =
  /curl -s 'http:\/\/127\.0\.0\.1:8000([^']+)'.*? -d '([\s\S]*?)'\n/.exec(readme) ?? [];

interface Discover {
  readonly hits: {
    readonly total: { readonly value: number; readonly relation: string };
    readonly hits: readonly {
      readonly _id: string;
      readonly _version: number;
      readonly _source: Readonly<Record<string, unknown>>;
      readonly fields: Readonly<Record<string, readonly string[]>>;
      readonly sort: readonly [number];
    }[];
  };
  readonly aggregations: {
    readonly '2': {
      readonly buckets: readonly {
        readonly key: number;
        readonly key_as_string: string;
        readonly doc_count: number;
      }[];
    };
  };
}

let clickHouse: EmbeddedClickHouse;
let gateway: Gateway;
let answer: Discover;

beforeAll(async () => {
  clickHouse = await startClickHouse({ users: [reader] });
  await loadAccessLog({ url: clickHouse.url }, { rows: 50_000 });
  const plugin = pluginConfig(clickHouse.url, {
    settings: {
      proxy: {
        whiteIndexList: ['access_log'],
        ck: { url: clickHouse.url, user: reader.name, pass: reader.password },
      },
    },
  });
  gateway = await startProduct(
    kongConfig([{ serviceUrl: 'http://localhost:1', service: { retries: 0 }, plugin }]),
  );
  const headers = { 'content-type': 'application/json' };
  const response = await ask(gateway.url, path, { method: 'POST', body, headers });
  expect(response.status).toBe(200);
  answer = response.json() as unknown as Discover;
}, 60_000);

afterAll(async () => {
  closeClient();
  await gateway.close();
  await clickHouse.close();
});

it('answers with the newest documents, each as it is in the table', () => {
  const { hits } = answer.hits;
  expect(hits).toHaveLength(3);
  const times = hits.map(({ sort }) => sort[0]);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  for (const { _id, _version, _source, fields, sort } of hits) {
    expect(_id).toMatch(/^[0-9A-Za-z]{20,}$/);
    expect(_version).toBe(1);
    expect(_source['status']).not.toBe(404);
    expect(fields['@timestamp']).toEqual([new Date(sort[0]).toISOString()]);
    expect(Date.parse(String(_source['@timestamp']))).toBe(sort[0]);
  }
});

it('counts what ClickHouse counts', async () => {
  const counted = await query(
    clickHouse.url,
    `SELECT count() FROM access_log WHERE status != 404 AND "@timestamp" >= now64(3) - INTERVAL 24 HOUR`,
  );
  const { total } = answer.hits;
  expect(total.relation).toBe('eq');
  // the day moves on between the two questions
  expect(Math.abs(total.value - Number(counted))).toBeLessThan(20);
  expect(total.value).toBeGreaterThan(1000);
});

it('has a histogram of half hours of Warsaw that adds up to the total', () => {
  const { buckets } = answer.aggregations['2'];
  expect(buckets.reduce((sum, { doc_count }) => sum + doc_count, 0)).toBe(answer.hits.total.value);
  for (const { key, key_as_string } of buckets) {
    expect(key % 1_800_000).toBe(0);
    expect(key_as_string).toMatch(/T\d\d:[03]0:00\.000\+0[12]:00$/);
    expect(Date.parse(key_as_string)).toBe(key);
  }
});
