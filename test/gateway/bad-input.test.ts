import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import type { Gateway } from '../../dev/gateway/gateway';
import { ask, closeClient, type Answer } from './client';
import { kongConfig, pluginConfig, startProduct, startTables } from './product';
import { startUpstream, type Upstream } from './upstream';

let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let gateway: Gateway;

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  const serviceUrl = `http://127.0.0.1:${String(upstream.port)}`;
  gateway = await startProduct(kongConfig([{ serviceUrl, plugin: pluginConfig(clickHouse.url) }]));
}, 60_000);

afterAll(async () => {
  closeClient();
  await gateway.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
});

const contentType = { 'content-type': 'application/json' };
const search = (body: string | object): Promise<Answer> =>
  ask(gateway.url, '/logs/_search', { method: 'POST', body, headers: contentType });
const errorOf = (answer: Answer): Record<string, unknown> =>
  answer.json()['error'] as Record<string, unknown>;

describe('bodies that are no search', () => {
  it.each([
    ['truncated', '{"query": {"match_all": {', 'json_e_o_f_exception'],
    ['no JSON', 'SELECT 1', 'json_parse_exception'],
    ['an array', '[]', 'parsing_exception'],
    ['null', 'null', 'parsing_exception'],
    ['an unknown key', '{"foo": 1}', 'parsing_exception'],
    ['an unknown clause', '{"query": {"foo": {}}}', 'parsing_exception'],
    [
      'an unknown option',
      '{"query": {"term": {"status": {"value": 1, "foo": 1}}}}',
      'parsing_exception',
    ],
    [
      'a size of the wrong type',
      '{"size": "many"}',
      'number_format_exception|illegal_argument_exception|parsing_exception',
    ],
    ['a negative size', '{"size": -5}', 'illegal_argument_exception'],
    ['a duplicate key', '{"size": 1, "size": 2}', 'json_parse_exception'],
    ['an unknown aggregation', '{"aggs": {"a": {"foo": {}}}}', 'parsing_exception'],
    [
      'a clause not supported',
      '{"query": {"more_like_this": {"like": "x"}}}',
      'illegal_argument_exception',
    ],
  ])('%s: 400 with a reason', async (_name, body, type) => {
    const answer = await search(body);
    expect(answer.status).toBe(400);
    expect(errorOf(answer)['type']).toMatch(new RegExp(`^(${type})$`));
    expect(String(errorOf(answer)['reason'])).not.toBe('');
    expect(answer.headers['x-elastic-product']).toBe('Elasticsearch');
  });

  it.each([
    ['a word for a number', { query: { term: { status: 'abc' } } }],
    ['a word for a date', { query: { range: { '@timestamp': { gte: 'yesterday-ish' } } } }],
    ['a word for an address', { query: { term: { client_ip: 'nowhere' } } }],
    ['an unknown sort field', { sort: ['nothing'] }],
    ['a window of more than 10,000', { from: 9999, size: 2 }],
    ['an average of a keyword', { aggs: { a: { avg: { field: 'host' } } } }],
  ])('%s: 400 of the search phase', async (_name, body) => {
    const answer = await search(body);
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toMatchObject({
      type: 'search_phase_execution_exception',
      root_cause: [{ reason: expect.stringMatching(/\S/) }],
    });
  });

  it('a body that is not gzip although it says so: 400', async () => {
    const answer = await ask(gateway.url, '/logs/_search', {
      method: 'POST',
      body: 'no gzip',
      headers: { ...contentType, 'content-encoding': 'gzip' },
    });
    expect(answer.status).toBe(400);
  });

  it('another content type: 406 in the words of Elasticsearch', async () => {
    const answer = await ask(gateway.url, '/logs/_search', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(406);
    expect(answer.json()).toMatchObject({
      error: 'Content-Type header [text/plain] is not supported',
      status: 406,
    });
  });
});

describe('requests that are none of ours to answer', () => {
  it.each([
    ['POST', '/logs/_explain/1'],
    ['PUT', '/logs/_mapping'],
    ['PUT', '/logs/_doc/1'],
    ['POST', '/logs/_update_by_query'],
    ['POST', '/logs/_doc'],
    ['DELETE', '/logs'],
    ['POST', '/logs/_foo'],
  ])('%s %s on a whitelisted index is refused, not passed on', async (method, path) => {
    upstream.reset();
    const answer = await ask(gateway.url, path, { method, body: {} });
    expect([400, 405]).toContain(answer.status);
    expect(answer.json()).toHaveProperty('error');
    expect(upstream.received).toEqual([]);
  });

  it('a wrong method is 405 and names the right ones', async () => {
    const answer = await ask(gateway.url, '/logs/_search', { method: 'PUT', body: {} });
    expect(answer.status).toBe(405);
    expect(String(answer.headers['allow'])).toContain('POST');
  });

  it('an unknown parameter is refused by name', async () => {
    const answer = await ask(gateway.url, '/logs/_search?foo=1');
    expect(answer.status).toBe(400);
    expect(errorOf(answer)['reason']).toBe(
      'request [/logs/_search] contains unrecognized parameter: [foo]',
    );
  });

  it('no request without the secret of the hand-over is answered by the answer process', async () => {
    const forged = Buffer.from(
      JSON.stringify({ secret: 'x', runtime: 'y', role: 'admin', prefix: '' }),
    );
    const answer = await ask(gateway.url, '/other/_search', {
      headers: { 'x-kibana-clickhouse': forged.toString('base64url') },
    });
    expect(answer.text).toBe('{"upstream":true}');
  });
});

describe('a column type never seen', () => {
  it('is refused by name where a request asks for it, and does not stop other answers', async () => {
    const answer = await search({ query: { term: { labels: 'x' } } });
    expect([200, 400]).toContain(answer.status);
    const other = await search({ query: { term: { 'labels.team': 'blue' } } });
    expect(other.json()).toMatchObject({ hits: { total: { value: 300 } } });
  });
});

it('the plugin server is still the same one after all of that', async () => {
  const before = gateway.pluginServerPid();
  await search('{');
  expect(gateway.pluginServerPid()).toBe(before);
});
