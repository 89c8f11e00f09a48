import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import type { Gateway } from '../../dev/gateway/gateway';
import { ask, closeClient, type Answer } from './client';
import { kongConfig, pluginConfig, startProduct, startTables } from './product';
import { selfSigned } from './certificate';
import { type Received, startUpstream, type Upstream } from './upstream';

// a limit for what hangs, not for what is slow on a busy machine
jest.setTimeout(60_000);

/*
 * One gateway with a Service of every kind, each on a prefix of its own; both failure modes. In strict
 * mode the Service refuses connections and `metadata_config.hosts` names the upstream.
 */
let clickHouse: EmbeddedClickHouse;
let plain: Upstream;
let secure: Upstream;
let gateway: Gateway;

interface Kind {
  readonly name: string;
  readonly prefix: string;
  /** Path of Elasticsearch behind the Service. */
  readonly servicePath: string;
  readonly isSecure: boolean;
}

const kinds: readonly Kind[] = [
  { name: 'http', prefix: '/plain', servicePath: '', isSecure: false },
  { name: 'http with a path', prefix: '/path', servicePath: '/es/v1', isSecure: false },
  { name: 'https', prefix: '/tls', servicePath: '', isSecure: true },
  { name: 'https with a path', prefix: '/tls-path', servicePath: '/es/v1', isSecure: true },
  { name: 'strict http', prefix: '/strict', servicePath: '', isSecure: false },
  {
    name: 'strict http with a path',
    prefix: '/strict-path',
    servicePath: '/es/v1',
    isSecure: false,
  },
  { name: 'strict https', prefix: '/strict-tls', servicePath: '', isSecure: true },
];

const upstreamOf = (kind: Kind): Upstream => (kind.isSecure ? secure : plain);

function routeOf(kind: Kind): Parameters<typeof kongConfig>[0][number] {
  const isStrict = kind.name.startsWith('strict');
  const scheme = kind.isSecure ? 'https' : 'http';
  const address = `${scheme}://127.0.0.1:${String(upstreamOf(kind).port)}`;
  return {
    serviceUrl: `${isStrict ? `${scheme}://localhost:1` : address}${kind.servicePath}`,
    service: { retries: 0 },
    route: { paths: [kind.prefix], strip_path: true },
    plugin: pluginConfig(clickHouse.url, {
      failure_mode: isStrict ? 'strict' : 'drop-in',
      ...(isStrict && { metadata_config: { hosts: [address] } }),
    }),
  };
}

beforeAll(async () => {
  [clickHouse, plain, secure] = await Promise.all([
    startTables(),
    startUpstream(),
    startUpstream(selfSigned()),
  ]);
  gateway = await startProduct(kongConfig(kinds.map(routeOf)));
}, 60_000);

afterAll(async () => {
  closeClient();
  await gateway.close();
  await Promise.all([plain.close(), secure.close(), clickHouse.close()]);
});

beforeEach(() => {
  plain.reset();
  secure.reset();
});

const isFromClickHouse = (answer: Answer): boolean =>
  answer.status === 200 &&
  answer.headers['x-elastic-product'] === 'Elasticsearch' &&
  answer.text.includes('"hits"');

describe.each(kinds)('Service: $name', (kind) => {
  it('answers a whitelisted index from ClickHouse and sends nothing upstream', async () => {
    const answer = await ask(gateway.url, `${kind.prefix}/logs/_search`, {
      method: 'POST',
      body: {},
    });
    expect(answer.json()).toMatchObject({ hits: { total: { value: 600, relation: 'eq' } } });
    expect(upstreamOf(kind).received).toEqual([]);
  });

  it('passes everything else with method, path, query, headers and body as they came', async () => {
    const body = Buffer.from('{"query": {"match_all": {}} }\n');
    const answer = await ask(gateway.url, `${kind.prefix}/other/_search?a=1&b=%2C&c`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/vnd.elasticsearch+json; compatible-with=8',
        'x-opaque-id': 'me',
      },
    });
    expect(answer.text).toBe('{"upstream":true}');
    expect(upstreamOf(kind).received).toHaveLength(1);
    expect(upstreamOf(kind).received[0]).toMatchObject({
      method: 'POST',
      url: `${kind.servicePath}/other/_search?a=1&b=%2C&c`,
      body,
      headers: {
        'content-type': 'application/vnd.elasticsearch+json; compatible-with=8',
        'x-opaque-id': 'me',
      },
    });
  });

  it.each(['/l%6Fgs/_search', '//logs/_search', '/x/../logs/_search', '/./logs//_search'])(
    'knows the index in every spelling of the path: %s',
    async (path) => {
      expect(isFromClickHouse(await ask(gateway.url, `${kind.prefix}${path}`))).toBe(true);
      expect(upstreamOf(kind).received).toEqual([]);
    },
  );

  /** What reached Elasticsearch beside the question which names it has. */
  const searched = (): readonly Received[] =>
    upstreamOf(kind).received.filter(({ url }) => !url.includes('/_resolve/index/'));

  it.each(['/l%2A/_search', '/log*/_search', '/logs,lo*/_search'])(
    'answers a pattern that only a whitelisted index fits from ClickHouse: %s',
    async (path) => {
      expect(isFromClickHouse(await ask(gateway.url, `${kind.prefix}${path}`))).toBe(true);
      expect(searched()).toEqual([]);
    },
  );

  it.each(['/logs%2Cother/_search', '/other,logs/_search'])(
    'does not answer a list with a name that is nowhere: %s',
    async (path) => {
      const answer = await ask(gateway.url, `${kind.prefix}${path}`);
      expect(answer.status).toBe(404);
      expect(answer.json()).toMatchObject({ error: { reason: 'no such index [other]' } });
      expect(searched()).toEqual([]);
    },
  );

  it.each([
    '/a%2Cb/_search',
    '/*/_search',
    '/_all/_search',
    '/remote:logs/_search',
    '/.kibana/_search',
  ])('leaves what names no whitelisted index to Elasticsearch: %s', async (path) => {
    expect((await ask(gateway.url, `${kind.prefix}${path}`)).text).toBe('{"upstream":true}');
    expect(upstreamOf(kind).received[0]?.url).toBe(`${kind.servicePath}${path}`);
  });
});

/** What Elasticsearch has is asked where its certificate is trusted: here that of none. */
const asked = kinds.filter(({ name }) => !name.includes('https'));

describe.each(asked)('Service: $name', (kind) => {
  it.each(['/logs%2Cother/_search', '/other,logs/_search'])(
    'refuses a list that names an index in Elasticsearch, too: %s',
    async (path) => {
      upstreamOf(kind).answer((_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end('{"indices":[{"name":"other"}],"aliases":[],"data_streams":[]}');
      });
      // asked by another caller: what Elasticsearch has is kept for ten seconds
      const headers = { authorization: `Bearer ${kind.name}${path}` };
      const answer = await ask(gateway.url, `${kind.prefix}${path}`, { headers });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(
        'which names [logs] in ClickHouse and [other] in Elasticsearch',
      );
    },
  );
});

describe('strip_path and preserve_host', () => {
  let other: Gateway;
  const hosts = [false, true].flatMap((strip) =>
    [false, true].map((preserve) => ({ strip, preserve })),
  );
  const nameOf = ({ strip, preserve }: (typeof hosts)[number]): string =>
    `strip-${String(strip)}.preserve-${String(preserve)}.test`;

  beforeAll(async () => {
    other = await startProduct(
      kongConfig(
        hosts.map((one) => ({
          serviceUrl: `http://127.0.0.1:${String(plain.port)}/es`,
          route: {
            hosts: [nameOf(one)],
            paths: ['/'],
            strip_path: one.strip,
            preserve_host: one.preserve,
          },
          plugin: pluginConfig(clickHouse.url),
        })),
      ),
    );
  }, 30_000);

  afterAll(() => other.close());

  it.each(hosts)('strip_path $strip, preserve_host $preserve', async (one) => {
    const headers = { host: nameOf(one) };
    expect(isFromClickHouse(await ask(other.url, '/logs/_search', { headers }))).toBe(true);
    expect(plain.received).toEqual([]);
    await ask(other.url, '/_cluster/health', { headers });
    const [passed] = plain.received;
    expect(passed?.url).toBe('/es/_cluster/health');
    expect(passed?.headers.host).toBe(
      one.preserve ? nameOf(one) : `127.0.0.1:${String(plain.port)}`,
    );
  });
});

describe('bodies and answers of every size and form', () => {
  it('passes a 10 MB answer and a 1 MB request through unchanged', async () => {
    const large = randomBytes(10 * 1024 * 1024);
    const body = randomBytes(1024 * 1024);
    plain.answer((_request, response) => response.end(large));
    const answer = await ask(gateway.url, '/plain/other/_bulk', { method: 'POST', body });
    expect(answer.bytes.equals(large)).toBe(true);
    expect(plain.received[0]?.body.equals(body)).toBe(true);
  });

  it('answers 10 MB of hits', async () => {
    const answer = await ask(gateway.url, '/plain/wide/_search?size=10000');
    const { hits } = answer.json() as { readonly hits: { readonly hits: readonly unknown[] } };
    expect(hits.hits).toHaveLength(10_000);
    expect(answer.bytes.length).toBeGreaterThan(10_000_000);
  });

  const search = Buffer.from(JSON.stringify({ size: 1, query: { term: { status: 503 } } }));
  const padded = Buffer.concat([search, Buffer.alloc(1024 * 1024, ' ')]);
  const expected = { hits: { total: { value: 60, relation: 'eq' } } };
  const contentType = { 'content-type': 'application/json' };

  it.each([
    ['GET with a body', 'GET', search, contentType],
    ['a body of 1 MB', 'POST', padded, contentType],
    ['a gzipped body', 'POST', gzipSync(search), { ...contentType, 'content-encoding': 'gzip' }],
    ['a chunked body', 'POST', search, { ...contentType, 'transfer-encoding': 'chunked' }],
  ])('answers %s', async (_name, method, body, headers) => {
    const answer = await ask(gateway.url, '/plain/logs/_search', { method, body, headers });
    expect(answer.json()).toMatchObject(expected);
  });

  it('answers HEAD without a body, and passes it', async () => {
    const ours = await ask(gateway.url, '/plain/logs/_search', { method: 'HEAD' });
    expect(ours.bytes).toHaveLength(0);
    const passed = await ask(gateway.url, '/plain/other', { method: 'HEAD' });
    expect(passed.status).toBe(200);
    expect(plain.received[0]?.method).toBe('HEAD');
  });

  it('takes paths and query strings of 8,000 characters', async () => {
    const name = 'a'.repeat(8000 - '/plain/'.length - '/_search'.length);
    await ask(gateway.url, `/plain/${name}/_search`);
    expect(plain.received[0]?.url).toBe(`/${name}/_search`);
    const preference = 'b'.repeat(7900);
    const answer = await ask(gateway.url, `/plain/logs/_search?preference=${preference}`);
    expect(isFromClickHouse(answer)).toBe(true);
  });

  it('gzips its answer when asked, and only then', async () => {
    const asked = await ask(gateway.url, '/plain/logs/_search?size=100', {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(asked.headers['content-encoding']).toBe('gzip');
    const bare = await ask(gateway.url, '/plain/logs/_search?size=100');
    expect(bare.headers['content-encoding']).toBeUndefined();
  });
});

describe('headers of an answer', () => {
  it('carries the product header, the opaque id, and the content type that was accepted', async () => {
    const answer = await ask(gateway.url, '/plain/logs/_search', {
      headers: {
        accept: 'application/vnd.elasticsearch+json; compatible-with=8',
        'x-opaque-id': 'one;kibana:application:discover:',
      },
    });
    expect(answer.headers).toMatchObject({
      'x-elastic-product': 'Elasticsearch',
      'x-opaque-id': 'one;kibana:application:discover:',
      'content-type': 'application/vnd.elasticsearch+json;compatible-with=8',
    });
    const plainAnswer = await ask(gateway.url, '/plain/logs/_search');
    expect(plainAnswer.headers['content-type']).toBe('application/json; charset=UTF-8');
  });
});
