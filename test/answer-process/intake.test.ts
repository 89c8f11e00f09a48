import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { gzipSync, deflateSync, deflateRawSync } from 'node:zlib';
import { isAlive } from '../dev/processes';
import { AnswerProcessUnderTest } from './support';

jest.setTimeout(60_000);

let target: AnswerProcessUnderTest;

beforeAll(async () => {
  target = await AnswerProcessUnderTest.start();
  await target.configure('r', { settings: { proxy: { whiteIndexList: ['logs'] } } });
});

afterAll(() => target.stop());

describe('who is let in', () => {
  it('refuses a request without a hand-over, with another secret, or with rubbish', async () => {
    for (const headers of [
      { 'x-kibana-clickhouse': '' },
      { 'x-kibana-clickhouse': 'rubbish' },
      { 'x-kibana-clickhouse': Buffer.from('null').toString('base64url') },
    ]) {
      const answer = await target.call({ path: '/health/live', headers });
      expect(answer.status).toBe(403);
      expect(answer.json()).toMatchObject({ error: { type: 'security_exception' }, status: 403 });
    }
    const wrong = await target.call({
      path: '/health/live',
      handover: { role: 'admin', secret: 'x'.repeat(target.secret.length) },
    });
    expect(wrong.status).toBe(403);
  });

  it('answers an unknown configuration with 503 and what to do', async () => {
    const answer = await target.call({
      path: '/health/live',
      handover: { role: 'admin', runtime: 'unknown' },
    });
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('reconfigure');
  });

  it('takes admin paths only from the admin role', async () => {
    const admin = await target.call({ path: '/health/live', handover: { role: 'admin' } });
    expect([admin.status, admin.text]).toEqual([200, '{"status":"ok"}']);
    const proxy = await target.call({ path: '/config/all' });
    expect(proxy.status).toBe(400);
    expect(proxy.text).toBe('{"error":"no handler found for uri [/config/all] and method [GET]"}');
  });

  it('passes the reason of a refusal on', async () => {
    const ours = await target.call({ path: '/logs/_search', handover: { refusal: 'why' } });
    expect([ours.status, ours.json()]).toEqual([
      503,
      expect.objectContaining({ status: 503, error: expect.objectContaining({ reason: 'why' }) }),
    ]);
    const theirs = await target.call({
      path: '/logs/_search',
      handover: { refusal: 'why', refusalStatus: 400 },
    });
    expect(theirs.status).toBe(400);
  });
});

describe('paths and methods', () => {
  it('takes the path of the Service off', async () => {
    const handover = { role: 'admin', prefix: '/es/v1' } as const;
    expect((await target.call({ path: '/es/v1/health/live', handover })).status).toBe(200);
    expect((await target.call({ path: '/es/v1x/health/live', handover })).status).toBe(400);
  });

  it('answers 405 as Elasticsearch', async () => {
    const answer = await target.call({ method: 'PUT', path: '/logs/_search?pretty', body: '{}' });
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('GET,POST');
    expect(answer.json()).toEqual({
      error:
        'Incorrect HTTP method for uri [/logs/_search?pretty] and method [PUT], allowed: [GET, POST]',
      status: 405,
    });
  });

  it('refuses what only Elasticsearch could answer, and what it does not know either', async () => {
    const known = await target.call({ path: '/logs/_eql/search', body: '{}' });
    expect(known.status).toBe(400);
    expect(known.text).toContain('unsupported: endpoint [POST /logs/_eql/search]');
    expect(known.text).toContain('EQL is not translated');
    const unknown = await target.call({ path: '/logs/_foo', body: '{}' });
    expect([unknown.status, unknown.text]).toEqual([
      400,
      '{"error":"no handler found for uri [/logs/_foo] and method [POST]"}',
    ]);
  });

  it.each([
    ['PUT', '/logs'],
    ['DELETE', '/logs'],
    ['POST', '/logs/_doc'],
    ['PUT', '/logs/_doc/1'],
    ['DELETE', '/logs/_doc/1'],
    ['PUT', '/logs/_create/1'],
    ['POST', '/logs/_update/1'],
    ['POST', '/logs/_bulk'],
    ['POST', '/logs/_delete_by_query'],
    ['PUT', '/logs/_mapping'],
    ['PUT', '/logs/_settings'],
    ['PUT', '/logs/_alias/a'],
    ['POST', '/logs/_refresh'],
  ])('refuses to change an index: %s %s', async (method, path) => {
    const answer = await target.call({ method, path, body: '{}' });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      {
        error: {
          type: 'illegal_argument_exception',
          reason: expect.stringContaining(
            `unsupported: [${method} ${path}] would change the index`,
          ),
        },
      },
    ]);
  });

  it('refuses queries in other languages on an index of ours, by their text', async () => {
    for (const [path, query] of [
      ['/_query', 'FROM logs | LIMIT 1'],
      ['/_query/async', 'from other, "lo*" metadata _id | stats count(*)'],
      ['/_sql?format=json', 'SELECT * FROM "logs" WHERE a = 1'],
      ['/_sql', 'SELECT * FROM other o JOIN logs'],
    ] as const) {
      const answer = await target.call({ path, body: JSON.stringify({ query }) });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('[logs]')]);
    }
  });

  it('names the methods of a path to OPTIONS', async () => {
    const answer = await target.call({ method: 'OPTIONS', path: '/logs/_search' });
    expect([answer.status, answer.headers['allow'], answer.text]).toEqual([200, 'GET,POST', '']);
    const known = await target.call({ method: 'OPTIONS', path: '/logs' });
    expect(known.headers['allow']).toBe('GET,HEAD');
  });

  it('answers methods and paths that HTTP allows and nobody uses', async () => {
    const answer = await target.call({ method: 'PROPFIND', path: '/logs/_search' });
    expect(answer.status).toBe(405);
    const malformed = await target.call({ path: '/logs%zz/_search' });
    expect(malformed.status).toBe(400);
    expect(malformed.json()).toMatchObject({ error: { type: 'illegal_argument_exception' } });
    expect(malformed.headers['x-elastic-product']).toBe('Elasticsearch');
    const long = `/${'a'.repeat(8000)}/_foo`;
    expect((await target.call({ path: long })).status).toBe(400);
  });
});

describe('headers of an answer', () => {
  it('names the product, echoes the opaque id and the compatible content type', async () => {
    const answer = await target.call({
      path: '/logs/_foo',
      headers: {
        accept: 'application/vnd.elasticsearch+json; compatible-with=8',
        'x-opaque-id': 'an-id;kibana',
      },
    });
    expect(answer.headers).toMatchObject({
      'x-elastic-product': 'Elasticsearch',
      'x-opaque-id': 'an-id;kibana',
      'content-type': 'application/vnd.elasticsearch+json;compatible-with=8',
    });
    const plain = await target.call({ path: '/logs/_foo' });
    expect(plain.headers['content-type']).toBe('application/json; charset=UTF-8');
    expect(plain.headers).not.toHaveProperty('x-opaque-id');
  });

  it('answers HEAD with the length and without a body', async () => {
    const get = await target.call({ path: '/logs/_foo' });
    const head = await target.call({ method: 'HEAD', path: '/logs/_foo' });
    expect(head.bytes.length).toBe(0);
    // "HEAD" is one character longer than "GET"
    expect(Number(head.headers['content-length'])).toBe(get.bytes.length + 1);
  });
});

describe('bodies', () => {
  const search = (body: string | Buffer, headers: Record<string, string> = {}) =>
    target.call({ path: '/logs/_search', body, headers });

  it('refuses content types as Elasticsearch', async () => {
    const answer = await search('{}', { 'content-type': 'text/plain' });
    expect([answer.status, answer.json()]).toEqual([
      406,
      { error: 'Content-Type header [text/plain] is not supported', status: 406 },
    ]);
    const lines = await search('{}', { 'content-type': 'application/x-ndjson' });
    expect(lines.status).toBe(406);
    const odd = await search('{}', { 'content-type': 'rubbish' });
    expect(odd.status).toBe(406);
  });

  it.each([
    ['truncated', '{"query":', 'json_e_o_f_exception'],
    ['no JSON', 'hello', 'json_parse_exception'],
    ['an array', '[]', 'parsing_exception'],
    ['an unknown clause', '{"query":{"foo":{}}}', 'parsing_exception'],
  ])('answers a body that is %s with 400', async (_name, body, type) => {
    const answer = await search(body);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { root_cause: [{ type }] }, status: 400 });
  });

  it('inflates gzip, zlib and raw deflate', async () => {
    const text = '{"query":';
    for (const [encoding, body] of [
      ['gzip', gzipSync(text)],
      ['deflate', deflateSync(text)],
      ['deflate', deflateRawSync(text)],
    ] as const) {
      const answer = await search(body, { 'content-encoding': encoding });
      expect(answer.json()).toMatchObject({ error: { type: 'json_e_o_f_exception' } });
    }
    const broken = await search('not gzip', { 'content-encoding': 'gzip' });
    expect([broken.status, broken.text]).toEqual([400, expect.stringContaining('not valid gzip')]);
    expect((await search('{}', { 'content-encoding': 'br' })).status).toBe(400);
  });

  it('bounds the body, inflated too', async () => {
    const bomb = gzipSync(Buffer.alloc(101 * 1024 * 1024, 0x20));
    const answer = await search(bomb, { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(413);
    expect(answer.json()).toMatchObject({ status: 413 });
  });

  it('reads a chunked body of 10 MB, also of a GET', async () => {
    const body = `${' '.repeat(10 * 1024 * 1024)}{"query":`;
    for (const method of ['GET', 'POST']) {
      const answer = await target.call({ method, path: '/logs/_search', body, chunked: true });
      expect(answer.json()).toMatchObject({ error: { type: 'json_e_o_f_exception' } });
    }
  });
});

describe('errors', () => {
  it('writes no body, header value or parameter into its log', async () => {
    await target.call({
      path: '/logs/_search?q=secretquery',
      body: '{"query":{"term":{"f":"secretvalue"}}',
      headers: { authorization: 'Bearer secrettoken' },
    });
    expect(target.log).toContain('/logs/_search');
    expect(target.log).not.toMatch(/secret(query|value|token)/);
  });

  it('answers a configuration that cannot be used with a 500 that names the field', async () => {
    await target.configure('bad', {
      authorization: 'none',
      settings: {
        proxy: { whiteIndexList: ['logs'], ck: { url: 'http://u:hidden@ch:1', pass: 'hidden' } },
      },
    });
    const handover = { runtime: 'bad' };
    const answer = await target.call({ path: '/logs/_search', body: '{}', handover });
    expect(answer.status).toBe(500);
    expect(answer.text).toContain('proxy.ck.url');
    expect(answer.text).not.toContain('hidden');
    const admin = { runtime: 'bad', role: 'admin' } as const;
    const all = await target.call({ path: '/config/all', handover: admin });
    expect(all.json()).toMatchObject({
      proxy: { whiteIndexList: ['logs'], ck: { url: 'http://******@ch:1', pass: '******' } },
    });
    expect(all.text).not.toContain('hidden');
    await target.configure('worse', { log_level: 'loud' as 'info' });
    const other = await target.call({ path: '/x/_search', handover: { runtime: 'worse' } });
    expect([other.status, other.text]).toEqual([500, expect.stringContaining('log_level')]);
  });
});

it('ends when its channel is closed', async () => {
  const other = await AnswerProcessUnderTest.start();
  await other.stop();
  expect(other.child.exitCode).toBe(0);
});

it('ends when its parent is killed', async () => {
  const parent = fork(join(__dirname, 'parent.ts'), [], { execArgv: ['--import', 'tsx'] });
  const [{ pid }] = (await once(parent, 'message')) as [{ readonly pid: number }];
  const exited = once(parent, 'exit');
  parent.kill('SIGKILL');
  await exited;
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isAlive(pid)).toBe(false);
});
