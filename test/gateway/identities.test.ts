import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedClickHouse, startClickHouse } from '../../dev/clickhouse/embedded';
import { runSql } from '../../dev/clickhouse/run-sql';
import { type Gateway, startGateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { type Answer, ask, closeClient } from './client';
import { eventually, pluginConfig, pluginsDirectory, reader } from './product';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(120_000);

const directory = mkdtempSync(join(tmpdir(), 'identities-'));
let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let gateway: Gateway;

const consumers = ['blue', 'red', 'writer', 'stranger'];
const headersOf = (consumer: string) => ({ apikey: `key-of-${consumer}` });

const search = (consumer: string, body: JsonObject = {}, index = 'orders'): Promise<Answer> =>
  ask(gateway.url, `/${index}/_search`, {
    method: 'POST',
    headers: headersOf(consumer),
    body: { track_total_hits: true, ...body },
  });

const byTeam: JsonObject = {
  size: 10,
  sort: ['n'],
  query: { range: { '@timestamp': { gte: '2026-01-01T00:00:00Z', lte: '2026-01-02T00:00:00Z' } } },
  aggs: { team: { terms: { field: 'team' } } },
};

const teams = (answer: Answer): unknown => {
  const { aggregations, hits } = answer.json() as {
    readonly aggregations: {
      readonly team: {
        readonly buckets: readonly { readonly key: string; readonly doc_count: number }[];
      };
    };
    readonly hits: {
      readonly total: { readonly value: number };
      readonly hits: readonly { readonly _source: { readonly team: string } }[];
    };
  };
  return {
    total: hits.total.value,
    buckets: aggregations.team.buckets.map(({ key, doc_count }) => [key, doc_count]),
    hits: [...new Set(hits.hits.map(({ _source }) => _source.team))],
  };
};

beforeAll(async () => {
  const password = 'its-own';
  [clickHouse, upstream] = await Promise.all([
    startClickHouse({
      users: [
        { ...reader, databases: [], roles: ['reads_orders'] },
        { name: 'blue', password, rows: { orders: "team = 'blue'" } },
        { name: 'red', password, rows: { orders: "team = 'red'" } },
      ],
      roles: [{ name: 'reads_orders', tables: ['default.orders'] }],
    }),
    startUpstream(),
  ]);
  await runSql(
    clickHouse.url,
    `CREATE TABLE orders ("@timestamp" DateTime64(3), n UInt32, team LowCardinality(String), labels Map(String, String)) ENGINE = MergeTree ORDER BY "@timestamp";
     INSERT INTO orders SELECT toDateTime64('2026-01-01 00:00:00', 3, 'UTC') + number, number, if(number % 3 = 0, 'blue', 'red'), map(if(number % 3 = 0, 'sky', 'rose'), 'x') FROM numbers(30);
     CREATE TABLE other AS orders;`,
  );
  const plugin = pluginConfig(clickHouse.url, {
    state_file: join(directory, 'state.json'),
    settings: {
      query: { useCache: true },
      proxy: {
        whiteIndexList: ['orders', 'other'],
        ck: { url: clickHouse.url, user: reader.name, pass: reader.password },
      },
    },
    clickhouse: {
      users: { blue: 'blue', red: 'red' },
      passwords: { blue: password, red: password },
      roles: { writer: 'reads_orders' },
    },
  });
  const own = (role: string): JsonObject => ({
    name: 'kibana-clickhouse',
    config: { ...plugin, role },
  });
  gateway = await startGateway({
    config: {
      _format_version: '3.0',
      services: [
        {
          url: `http://127.0.0.1:${String(upstream.port)}`,
          routes: [{ paths: ['/'], plugins: [{ name: 'key-auth', config: {} }, own('proxy')] }],
        },
      ],
      consumers: consumers.map((name) => ({
        username: name,
        keyauth_credentials: [{ key: `key-of-${name}` }],
      })),
    },
    port: 0,
    pluginsDirectory,
  });
  expect(await eventually(async () => (await search('blue')).status === 200)).toBe(true);
});

afterAll(async () => {
  closeClient();
  await gateway.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
  rmSync(directory, { recursive: true, force: true });
});

const blue = { total: 10, buckets: [['blue', 10]], hits: ['blue'] };
const red = { total: 20, buckets: [['red', 20]], hits: ['red'] };

it('shows each consumer the rows of its own user, also of results that are kept', async () => {
  for (let round = 0; round < 2; round++) {
    expect(teams(await search('blue', byTeam))).toEqual(blue);
    expect(teams(await search('red', byTeam))).toEqual(red);
  }
  expect((await search('red', { ...byTeam, size: 0 })).json()).toMatchObject({
    cache: expect.any(Boolean) as boolean,
  });
  expect((await search('blue', { ...byTeam, size: 0 })).json()).toMatchObject({
    hits: { total: { value: 10 } },
  });
});

it('shows them also to searches that come at the same time and share one flight', async () => {
  const body = { ...byTeam, size: 0, aggs: { team: { terms: { field: 'team', size: 5 } } } };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => search(i % 2 === 0 ? 'blue' : 'red', body)),
  );
  const totals = answers.map((answer) => {
    const { hits } = answer.json() as {
      readonly hits: { readonly total: { readonly value: number } };
    };
    return [answer.status, hits.total.value];
  });
  expect(totals).toEqual(answers.map((_, i) => [200, i % 2 === 0 ? 10 : 20]));
});

it.each([
  ['blue', ['labels.sky'], ['labels.rose']],
  ['red', ['labels.rose'], ['labels.sky']],
])('knows the keys of maps from the rows of %s alone', async (consumer, known, unknown) => {
  const answer = await ask(gateway.url, '/orders/_field_caps?fields=*', {
    headers: headersOf(consumer),
  });
  const fields = Object.keys((answer.json() as { readonly fields: object }).fields);
  expect(fields).toEqual(expect.arrayContaining(known));
  expect(fields).not.toEqual(expect.arrayContaining(unknown));
});

it('lets a consumer read with its role what the user may not', async () => {
  const answer = await search('writer', byTeam);
  expect(answer.status).toBe(200);
  expect(
    (answer.json() as { readonly hits: { readonly total: unknown } }).hits.total,
  ).toMatchObject({ value: 30 });
});

it('tells a role that lacks the grant so', async () => {
  const answer = await search('writer', {}, 'other');
  expect([answer.status, answer.text]).toEqual([
    expect.any(Number),
    expect.stringMatching(/grant|no table of that name/),
  ]);
  expect(answer.status).toBeGreaterThanOrEqual(400);
});

it('refuses a consumer that has neither user nor role, by name', async () => {
  const answer = await search('stranger');
  expect(answer.status).toBe(403);
  expect(answer.json()).toMatchObject({
    error: {
      type: 'security_exception',
      reason:
        '[kibana-clickhouse] neither clickhouse.users nor clickhouse.roles names the consumer [stranger]',
    },
  });
});

it('keeps asynchronous searches to the consumer that began them', async () => {
  const begun = await ask(gateway.url, '/orders/_async_search?keep_on_completion=true', {
    method: 'POST',
    headers: headersOf('blue'),
    body: byTeam,
  });
  const { id } = begun.json() as { readonly id: string };
  const read = (consumer: string) =>
    ask(gateway.url, `/_async_search/${id}`, { headers: headersOf(consumer) });
  const { response } = (await read('blue')).json() as {
    readonly response: { readonly hits: { readonly total: unknown } };
  };
  expect(response.hits.total).toMatchObject({ value: 10 });
  expect((await read('red')).status).toBe(404);
});
