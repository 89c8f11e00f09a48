import { Authorization } from '../../plugins/kibana-clickhouse/metadata/authorization';
import { Elasticsearch } from '../../plugins/kibana-clickhouse/metadata/forward';
import { Upstream } from './upstream';

let upstream: Upstream;
let elasticsearch: Elasticsearch;
let now = 0;
let authorization: Authorization;

beforeEach(async () => {
  upstream = await Upstream.start();
  elasticsearch = new Elasticsearch([upstream.host]);
  now = 1_000_000;
  authorization = new Authorization(elasticsearch, () => now);
});

afterEach(async () => {
  await elasticsearch.close();
  await upstream.stop();
});

const ask = (token: string, more: readonly string[] = []) =>
  authorization.verdict('my logs', {
    prefix: '/es',
    headers: ['Authorization', token, 'Content-Type', 'text/plain', ...more],
  });

it.each([
  [200, 'allowed'],
  [404, 'allowed'],
  [401, 'denied'],
  [403, 'denied'],
])('reads status %d as %s', async (status, kind) => {
  upstream.reply = () => ({
    status,
    body: '{"error":"x"}',
    headers: { 'www-authenticate': 'Basic' },
  });
  expect(await ask('a')).toMatchObject(kind === 'denied' ? { kind, status } : { kind });
});

it('lets a caller read whom Elasticsearch tells that its own index is closed', async () => {
  const closed = '{"error":{"root_cause":[{"type":"index_closed_exception"}]},"status":400}';
  upstream.reply = () => ({ status: 400, body: closed });
  expect(await ask('a')).toEqual({ kind: 'allowed' });
  upstream.reply = () => ({ status: 400, body: '{"error":"no"}' });
  expect(await ask('b')).toMatchObject({ kind: 'denied', status: 400 });
});

it('lets nobody read whose search Elasticsearch answers without asking a shard', async () => {
  const answer = (total: number) => ({
    body: `{"took":1,"_shards" : {"total":${String(total)},"successful":0}}`,
  });
  upstream.reply = () => answer(0);
  const verdict = await ask('a');
  expect(verdict).toMatchObject({ kind: 'denied', status: 403 });
  expect(String((verdict as { body: Buffer }).body)).toContain('security_exception');
  upstream.reply = () => answer(10);
  expect(await ask('b')).toEqual({ kind: 'allowed' });
});

it('asks with the caller’s own headers, without ignore_unavailable', async () => {
  await ask('token', ['Cookie', 'sid=1']);
  expect(upstream.received).toHaveLength(1);
  expect(upstream.received[0]).toMatchObject({
    method: 'POST',
    url: '/es/my%20logs/_search?size=0',
    headers: { authorization: 'token', cookie: 'sid=1' },
    body: '',
  });
  expect(upstream.received[0]?.headers).not.toHaveProperty('content-type');
});

it('keeps a verdict for 60 s, for each caller, and asks once at a time', async () => {
  await Promise.all([ask('a'), ask('a', ['X-Opaque-Id', '1']), ask('a', ['traceparent', '2'])]);
  expect(upstream.received).toHaveLength(1);
  await ask('b');
  await ask('a', ['X-Proxy-User', 'root']);
  expect(upstream.received).toHaveLength(3);
  now += 59_999;
  await ask('a');
  expect(upstream.received).toHaveLength(3);
  now += 1;
  await ask('a');
  expect(upstream.received).toHaveLength(4);
});

it('keeps to the last verdict for another minute while Elasticsearch is away', async () => {
  await ask('a');
  upstream.reply = () => ({ status: 502 });
  now += 119_999;
  expect(await ask('a')).toEqual({ kind: 'allowed' });
  now += 1;
  await expect(ask('a')).rejects.toMatchObject({ status: 503 });
  await upstream.stop();
  await expect(ask('b')).rejects.toMatchObject({ status: 503 });
  upstream = await Upstream.start();
});

it('asks the next host when one cannot be reached, and stays there', async () => {
  const both = new Elasticsearch(['127.0.0.1:1', upstream.host]);
  const other = new Authorization(both);
  expect(await other.verdict('a', { headers: [], prefix: '' })).toEqual({ kind: 'allowed' });
  await both.close();
});
