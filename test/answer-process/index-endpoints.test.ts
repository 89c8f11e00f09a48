import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { startClickHouse, type EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { runSql } from '../../dev/clickhouse/run-sql';
import { AnswerProcessUnderTest } from './support';
import { Upstream } from './upstream';

jest.setTimeout(60_000);

let clickhouse: EmbeddedClickHouse;
let target: AnswerProcessUnderTest;
let upstream: Upstream;

beforeAll(async () => {
  clickhouse = await startClickHouse();
  const columns = Array.from({ length: 40 }, (_, i) => `c${String(i)} String`).join(', ');
  await runSql(
    clickhouse.url,
    `CREATE TABLE twins (\`@timestamp\` DateTime64(3, 'UTC'), host LowCardinality(String), ${columns})
       ENGINE = MergeTree ORDER BY \`@timestamp\`;
     INSERT INTO twins (\`@timestamp\`, host) SELECT '2024-01-01 00:00:00', 'same' FROM numbers(30);
     INSERT INTO twins (\`@timestamp\`, host) VALUES ('2024-01-02 00:00:00', 'other');
     CREATE DATABASE apart; CREATE TABLE apart.logs (n UInt32) ENGINE = MergeTree ORDER BY n;
     INSERT INTO apart.logs SELECT number FROM numbers(7);`,
  );
  upstream = await Upstream.start();
  target = await AnswerProcessUnderTest.start();
  const settings = {
    proxy: { whiteIndexList: ['twins', 'apart.logs'], ck: { url: clickhouse.url } },
  };
  await target.configure('r', { settings, authorization: 'none' });
  await target.configure('es', { settings, metadata_config: { hosts: [upstream.host] } });
});

afterAll(async () => {
  await target.stop();
  await upstream.stop();
  await clickhouse.close();
});

beforeEach(() => {
  upstream.received.length = 0;
  upstream.reply = () => ({});
});

const idsOf = async (size: number): Promise<readonly string[]> => {
  const body = JSON.stringify({ size, _source: false, sort: [{ '@timestamp': 'asc' }] });
  const { hits } = (await target.call({ path: '/twins/_search', body })).json() as {
    hits: { hits: readonly { readonly _id: string }[] };
  };
  return hits.hits.map(({ _id }) => _id);
};

it('finds documents behind rows that are equal', async () => {
  const ids = [...new Set(await idsOf(31))];
  expect(ids).toHaveLength(2);
  const body = JSON.stringify({ ids, docs: [] });
  const many = await target.call({ path: '/twins/_mget?_source=host', body });
  expect(many.json()).toMatchObject({
    docs: [
      { found: true, _source: { host: 'same' } },
      { found: true, _source: { host: 'other' } },
    ],
  });
});

it('takes compressed and chunked bodies, and compresses answers when asked', async () => {
  const query = '{"query":{"term":{"host":"same"}}}';
  for (const [encoding, body] of [
    ['gzip', gzipSync(query)],
    ['deflate', deflateSync(query)],
  ] as const)
    for (const chunked of [true, false]) {
      const headers = { 'content-encoding': encoding };
      const counted = await target.call({ path: '/twins/_count', body, headers, chunked });
      expect(counted.json()).toMatchObject({ count: 30 });
    }
  const headers = { 'accept-encoding': 'gzip' };
  const mapping = await target.call({ path: '/twins/_mapping', headers });
  expect(mapping.headers['content-encoding']).toBe('gzip');
  expect(JSON.parse(gunzipSync(mapping.bytes).toString())).toMatchObject({
    twins: { mappings: { properties: { c39: { type: 'text' } } } },
  });
});

it('answers HEAD with status and length alone', async () => {
  const [id = ''] = await idsOf(1);
  const statuses = [
    '/twins',
    `/twins/_doc/${id}`,
    `/twins/_source/${id}`,
    '/twins/_doc/1',
    '/none',
  ];
  const answers = await Promise.all(
    statuses.map((path) => target.call({ method: 'HEAD', path, handover: { runtime: 'es' } })),
  );
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [200, ''],
    [200, ''],
    [200, ''],
    [404, ''],
    [200, ''],
  ]);
  expect(upstream.received.map(({ url }) => url)).toContain('/none');
  const get = await target.call({ path: `/twins/_doc/${id}` });
  expect(answers[1]?.headers['content-length']).toBe(String(get.bytes.length));
});

it('takes a table with its database for a name', async () => {
  const count = await target.call({ path: '/apart.logs/_count' });
  expect(count.json()).toMatchObject({ count: 7 });
  const both = await target.call({
    path: '/apart.logs,twins/_search?size=0&track_total_hits=true',
  });
  expect(both.json()).toMatchObject({ hits: { total: { value: 38 } } });
  const text = await target.call({ path: '/_cat/indices/apart*?h=index,docs.count' });
  expect(text.text).toBe('apart.logs 7\n');
});

describe('who may read', () => {
  const forbidden = { status: 403, body: '{"error":{"type":"security_exception"},"status":403}' };
  const handover = { runtime: 'es' };
  const mayNot = (name: string) => {
    upstream.reply = ({ url }) => {
      if (url.startsWith(`/${name}/_search?size=0`)) return forbidden;
      if (url.startsWith('/_resolve/index/') && url.includes('tw*'))
        return { body: '{"indices":[{"name":"twins-of-elasticsearch"}]}' };
      return { body: '{"from":"Elasticsearch"}' };
    };
  };
  const headers = (token: string) => ({ headers: { authorization: token } });

  it('passes the refusal of a name on, whatever is asked of it', async () => {
    mayNot('twins');
    const paths = [
      '_alias',
      '_count',
      '_mapping',
      '_settings',
      '_stats',
      '_doc/1',
      '_search_shards',
      '_alias/a',
    ];
    for (const path of [
      ...paths.map((name) => `/twins/${name}`),
      '/twins',
      '/_cat/indices/twins',
    ]) {
      const answer = await target.call({ path, handover, ...headers('no') });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    const body = '{"docs":[{"_index":"apart.logs","_id":"x"},{"_id":"x"}]}';
    const many = await target.call({ path: '/twins/_mget', body, handover, ...headers('no') });
    expect(many.json()).toMatchObject({
      docs: [{ found: false }, { error: { type: 'security_exception' } }],
    });
  });

  it('leaves out of lists and patterns what the caller may not read', async () => {
    mayNot('twins');
    const call = { handover, ...headers('neither') };
    const listed = await target.call({ path: '/_resolve/index/a*,tw*', ...call });
    expect(listed.text).not.toContain('"twins"');
    const sum = await target.call({ path: '/apart*,tw*/_count', ...call });
    expect([sum.status, sum.text]).toEqual([400, expect.stringContaining('[apart.logs] in Click')]);
    expect(sum.text).not.toContain('[twins]');
    const passed = await target.call({ path: '/tw*/_count', ...call });
    expect(passed.json()).toEqual({ from: 'Elasticsearch' });
    const search = await target.call({ path: '/tw*/_search', ...call });
    expect([search.status, search.text]).toEqual([400, expect.stringContaining('may not read')]);
  });
});
