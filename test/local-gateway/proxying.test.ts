import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startGateway, type Gateway } from '../../dev/gateway/gateway';
import { ask, bytes, eventually, opened } from './support/client';
import { probeDirectory, type PluginDirectory } from './support/probe-plugin';
import { reset, startUpstream, type Seen, type TestUpstream } from './support/upstream';

let plugins: PluginDirectory;
let upstream: TestUpstream;
let secure: TestUpstream;
let gateway: Gateway;

beforeAll(async () => {
  plugins = probeDirectory();
  [upstream, secure] = await Promise.all([startUpstream(), startUpstream('https')]);
  const address = `http://127.0.0.1:${String(upstream.port)}`;
  const route = (path: string, more = {}): object => ({ paths: [path], ...more });
  gateway = await startGateway({
    port: 0,
    pluginsDirectory: plugins.path,
    config: {
      _format_version: '3.0',
      services: [
        {
          url: address,
          routes: [
            route('/bare'),
            route('/kept', { strip_path: false }),
            route('/preserved', { preserve_host: true }),
            route('~/v\\d+'),
            route('/tls-only', { protocols: ['https'] }),
          ],
        },
        {
          url: `${address}/es/v1`,
          routes: [route('/path'), route('/keptpath', { strip_path: false })],
        },
        { url: `${address}/`, routes: [route('/slash')] },
        { url: `https://localhost:${String(secure.port)}`, routes: [route('/tls')] },
        {
          url: `https://localhost:${String(secure.port)}`,
          tls_verify: true,
          retries: 0,
          routes: [route('/verified')],
        },
        { url: 'http://127.0.0.1:1', routes: [route('/refused')] },
        { url: 'http://no-such-name.invalid', routes: [route('/unnamed')] },
        { url: address, read_timeout: 150, retries: 5, routes: [route('/slow')] },
      ],
    } as never,
  });
}, 30_000);

afterAll(async () => {
  await gateway.close();
  await Promise.all([upstream.close(), secure.close()]);
  plugins.remove();
});

beforeEach(() => {
  reset(upstream);
  reset(secure);
});

const seen = async (path: string, options = {}): Promise<Seen> => {
  await ask(gateway.url, path, options);
  const last = [...upstream.seen, ...secure.seen].at(-1);
  if (last === undefined) throw new Error('the upstream saw nothing');
  return last;
};

describe('the path and the query', () => {
  test.each([
    ['/bare/logs/_search?q=a', '/logs/_search?q=a'],
    ['/bare', '/'],
    ['/bare?', '/?'],
    ['/bare?a=%2C%20b&c', '/?a=%2C%20b&c'],
    ['/kept/logs', '/kept/logs'],
    ['/path/logs', '/es/v1/logs'],
    ['/path', '/es/v1'],
    ['/keptpath/logs', '/es/v1/keptpath/logs'],
    ['/slash/logs', '/logs'],
    ['/v2/logs', '/logs'],
    ['/bare/l%6Fgs', '/logs'],
    ['/bare/a%2cb', '/a%2Cb'],
    ['/bare//x', '/x'],
    ['/bare/x/../y', '/y'],
    ['/bare/%3Clogs-%7Bnow%2Fd%7D%3E/_search', '/%3Clogs-%7Bnow%2Fd%7D%3E/_search'],
    ['/b%61re/%C3%A4', '/%C3%A4'],
  ])('%s reaches the Service as %s', async (path, url) => {
    expect((await seen(path)).url).toBe(url);
  });

  test('a path of 8,000 characters', async () => {
    const long = `/${'a'.repeat(7994)}`;
    expect((await seen(`/bare${long}`)).url).toBe(long);
  });

  test.each([
    ['of 10,000 characters', `/bare/${'a'.repeat(10_000)}`, 414, 'URI too long'],
    ['with %00', '/bare/%00', 400, 'Bad request'],
    ['that leads above the root', '/bare/../../x', 400, 'Bad request'],
    ['of no Route', '/none', 404, 'no Route matched with those values'],
    ['of a Route for https', '/tls-only', 426, 'Please use HTTPS protocol'],
  ])('a path %s is answered by Kong itself', async (_which, path, status, message) => {
    const answer = await ask(gateway.url, path);
    expect(answer.status).toBe(status);
    expect(answer.json()).toEqual({ message, request_id: answer.headers['x-kong-request-id'] });
    expect(upstream.seen).toEqual([]);
  });
});

describe('headers of the request', () => {
  test('Host is the Service, or the client with preserve_host', async () => {
    const host = { host: 'kibana.example.org:5601' };
    expect((await seen('/bare', { headers: host })).headers.host).toBe(
      `127.0.0.1:${String(upstream.port)}`,
    );
    expect((await seen('/preserved', { headers: host })).headers.host).toBe(
      'kibana.example.org:5601',
    );
  });

  test('what the client said of proxies is replaced, its address is appended', async () => {
    const { headers } = await seen('/bare/logs?q=1', {
      headers: {
        host: 'Kibana.example.org:5601',
        'x-forwarded-for': '10.1.1.1',
        'x-forwarded-host': 'forged',
        'x-forwarded-prefix': '/forged',
        'x-real-ip': '10.1.1.1',
      },
    });
    expect(headers).toMatchObject({
      'x-forwarded-for': '10.1.1.1, 127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'kibana.example.org',
      'x-forwarded-port': String(gateway.port),
      'x-forwarded-path': '/bare/logs',
      'x-forwarded-prefix': '/bare',
      'x-real-ip': '127.0.0.1',
    });
  });

  test('hop-by-hop headers end here, all others go on', async () => {
    const { headers } = await seen('/bare', {
      headers: {
        connection: 'close, x-mine',
        'x-mine': '1',
        te: 'trailers',
        'proxy-authorization': 'Basic x',
        authorization: 'ApiKey abc',
        'x-opaque-id': 'id',
        'x-consumer-username': 'claimed',
        accept: 'application/vnd.elasticsearch+json;compatible-with=8',
      },
    });
    expect(headers).toMatchObject({
      authorization: 'ApiKey abc',
      'x-opaque-id': 'id',
      'x-consumer-username': 'claimed',
      accept: 'application/vnd.elasticsearch+json;compatible-with=8',
      connection: 'keep-alive',
    });
    for (const name of ['x-mine', 'te', 'proxy-authorization'])
      expect(headers).not.toHaveProperty(name);
  });
});

describe('the body of the request', () => {
  test('GET with a body', async () => {
    const body = '{"query":{"match_all":{}}}';
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    expect(await seen('/bare/_search', { headers, body })).toMatchObject({
      method: 'GET',
      body: Buffer.from(body),
      headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
    });
  });

  test('1 MB, byte for byte', async () => {
    const body = randomBytes(1_048_576);
    const { body: received } = await seen('/bare/_bulk', { method: 'POST', body });
    expect(received.equals(body)).toBe(true);
  });

  test('chunked', async () => {
    const { request, response } = opened(gateway.url, '/bare/_bulk', { method: 'POST' });
    request.write('first ');
    request.write('second');
    request.end();
    await bytes(await response);
    expect(upstream.seen[0]?.body.toString()).toBe('first second');
  });

  test('gzip stays gzip', async () => {
    const body = gzipSync('{"size":1}');
    const { headers, body: received } = await seen('/bare/_search', {
      method: 'POST',
      headers: { 'content-encoding': 'gzip' },
      body,
    });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(received).toString()).toBe('{"size":1}');
  });

  test('DELETE without one, POST without one', async () => {
    const { body } = await seen('/bare/logs', { method: 'DELETE' });
    expect(body).toHaveLength(0);
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write('POST /bare/_refresh HTTP/1.1\r\nHost: a\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    const headers = upstream.seen.at(-1)?.headers;
    expect(headers).toMatchObject({ 'content-length': '0' });
    expect(headers).not.toHaveProperty('transfer-encoding');
  });

  test('Expect: 100-continue is answered by the gateway and not passed on', async () => {
    const { request, response } = opened(gateway.url, '/bare/_bulk', {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': '4' },
    });
    const continued = new Promise((resolve) => request.once('continue', resolve));
    request.flushHeaders();
    await continued;
    request.end('body');
    await bytes(await response);
    expect(upstream.seen[0]?.body.toString()).toBe('body');
    expect(upstream.seen[0]?.headers).not.toHaveProperty('expect');
  });
});

describe('the answer', () => {
  test('status, headers and bytes are the upstream own; only Kong headers come on top', async () => {
    upstream.answer = (_request, response) => {
      response.writeHead(418, 'Odd', [
        ...[
          'Content-Type',
          'application/vnd.elasticsearch+json;compatible-with=8',
          'X-Elastic-Product',
          'Elasticsearch',
        ],
        ...[
          'Warning',
          '299 one',
          'Warning',
          '299 two',
          'X-Accel-Buffering',
          'no',
          'Content-Length',
          '2',
          'Date',
          'then',
        ],
      ]);
      response.end('{}');
    };
    const answer = await ask(gateway.url, '/bare');
    expect(answer.status).toBe(418);
    expect(answer.body.toString()).toBe('{}');
    const { via, 'x-kong-request-id': id, connection, ...rest } = answer.headers;
    expect([via, typeof id, connection]).toEqual([
      '1.1 kong/3.9 (local gateway)',
      'string',
      'close',
    ]);
    expect(rest).toEqual({
      'content-type': 'application/vnd.elasticsearch+json;compatible-with=8',
      'x-elastic-product': 'Elasticsearch',
      warning: '299 one, 299 two',
      'content-length': '2',
      date: 'then',
    });
  });

  test('10 MB, byte for byte', async () => {
    const body = randomBytes(10_485_760);
    upstream.answer = (_request, response) => response.end(body);
    const answer = await ask(gateway.url, '/bare');
    expect(answer.body.equals(body)).toBe(true);
  });

  test('gzip is not unpacked', async () => {
    upstream.answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('{"took":1}'));
    };
    const answer = await ask(gateway.url, '/bare', { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(answer.body).toString()).toBe('{"took":1}');
  });

  test.each([204, 304])('%s without a body', async (status) => {
    upstream.answer = (_request, response) => response.writeHead(status).end();
    expect(await ask(gateway.url, '/bare')).toMatchObject({ status, body: Buffer.alloc(0) });
  });

  test('HEAD keeps the length of what GET would give', async () => {
    upstream.answer = (_request, response) =>
      response.writeHead(200, { 'content-length': '1234' }).end();
    const answer = await ask(gateway.url, '/bare', { method: 'HEAD' });
    expect(answer.headers['content-length']).toBe('1234');
    expect(answer.body).toHaveLength(0);
    expect(upstream.seen[0]?.method).toBe('HEAD');
  });

  test('streams: headers and the first bytes arrive while the upstream is still writing', async () => {
    let finish = (): void => undefined;
    upstream.answer = (_request, response) => {
      response.flushHeaders();
      finish = () => {
        response.write('first');
        finish = () => response.end('last');
      };
    };
    const { request, response } = opened(gateway.url, '/bare');
    request.end();
    const answer = await response;
    finish();
    const first = await new Promise((resolve) => answer.once('data', resolve));
    expect(String(first)).toBe('first');
    finish();
    expect((await bytes(answer)).toString()).toBe('last');
  });

  test('streams the request too: the upstream has its start before its end was sent', async () => {
    const { request, response } = opened(gateway.url, '/bare', { method: 'POST' });
    const arrived = new Promise((resolve) => {
      upstream.arrived = resolve;
    });
    request.write('start');
    expect(String(await arrived)).toBe('start');
    request.end('end');
    await bytes(await response);
    expect(upstream.seen[0]?.body.toString()).toBe('startend');
  });

  test('an answer that breaks off does not look complete', async () => {
    upstream.answer = (_request, response) => {
      response.write('part');
      setTimeout(() => response.destroy(), 20);
    };
    const { request, response } = opened(gateway.url, '/bare');
    request.end();
    await expect(bytes(await response)).rejects.toThrow('aborted');
  });

  test.each([
    ['before the answer', false],
    ['in the middle of it', true],
  ])('a client that goes away %s ends the request to the upstream', async (_when, starts) => {
    let gone = false;
    upstream.answer = (_request, response) => {
      if (starts) response.write('part');
      response.on('close', () => (gone = true));
    };
    const { request, response } = opened(gateway.url, '/bare');
    response.catch(() => undefined);
    request.end();
    await eventually(() => upstream.seen.length === 1);
    if (starts) await response;
    request.destroy();
    expect(await eventually(() => gone)).toBe(true);
  });

  test('connections to the client and to the upstream are kept alive', async () => {
    const ports = new Set<number | undefined>();
    upstream.answer = (request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    };
    const socket = connect(gateway.port, '127.0.0.1');
    const send = async (): Promise<string> => {
      socket.write('GET /bare HTTP/1.1\r\nHost: a\r\n\r\n');
      return String(await new Promise((resolve) => socket.once('data', resolve)));
    };
    expect(await send()).toContain('200 OK');
    expect(await send()).toContain('200 OK');
    expect(ports.size).toBe(1);
    socket.destroy();
  });
});

describe('https Services', () => {
  test('do not verify certificates by default, do with tls_verify', async () => {
    expect(await seen('/tls/logs')).toMatchObject({
      url: '/logs',
      headers: { host: `localhost:${String(secure.port)}` },
    });
    expect((await ask(gateway.url, '/verified')).status).toBe(502);
  });
});

describe('upstreams that fail', () => {
  test.each([
    ['/refused', 502, 'An invalid response was received from the upstream server'],
    ['/unnamed', 503, 'name resolution failed'],
  ])('%s answers %s', async (path, status, message) => {
    const answer = await ask(gateway.url, path, { method: 'POST', body: 'x' });
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ message });
  });

  test('a silent one is asked six times by GET, body and all, and once by POST', async () => {
    upstream.answer = () => undefined;
    const body = '{"size":1}';
    const get = await ask(gateway.url, '/slow/_search', {
      headers: { 'content-length': '10' },
      body,
    });
    expect(get.status).toBe(504);
    expect(get.json()).toMatchObject({ message: 'The upstream server is timing out' });
    expect(upstream.seen.map((one) => one.body.toString())).toEqual(Array<string>(6).fill(body));
    upstream.seen.length = 0;
    expect((await ask(gateway.url, '/slow/_search', { method: 'POST', body })).status).toBe(504);
    expect(upstream.seen).toHaveLength(1);
  });

  test('one that hangs up is asked again by GET, and its answer taken', async () => {
    upstream.answer = (request, response) => {
      if (upstream.seen.length < 3) request.socket.destroy();
      else response.end('third');
    };
    expect((await ask(gateway.url, '/bare')).body.toString()).toBe('third');
    upstream.seen.length = 0;
    expect((await ask(gateway.url, '/bare', { method: 'POST', body: 'x' })).status).toBe(502);
    expect(upstream.seen).toHaveLength(1);
  });
});
