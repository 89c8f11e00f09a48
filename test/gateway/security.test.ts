import { connect } from 'node:net';
import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { runSql } from '../../dev/clickhouse/run-sql';
import type { Gateway } from '../../dev/gateway/gateway';
import { encodeHandover, HANDOVER_HEADER } from '../../plugins/kibana-clickhouse/gateway/handover';
import { type Answer, ask, closeClient } from './client';
import { kongConfig, pluginConfig, startProduct, startTables } from './product';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(120_000);

let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let gateway: Gateway;

/** Stands in every row of a table that is in ClickHouse and on no list. */
const secret = 'for-nobodys-eyes';
const mayRead = { authorization: 'Bearer of-a-reader' };
const mayNot = { authorization: 'Bearer of-somebody' };

/** Elasticsearch, which lets one caller read `logs` and nobody else anything. */
function answerAsElasticsearch(): void {
  upstream.answer(({ url, headers }, response) => {
    response.setHeader('content-type', 'application/json');
    const isProbe =
      url.startsWith('/logs/_search?') && headers.authorization !== mayRead.authorization;
    if (isProbe) response.statusCode = 403;
    response.end(
      JSON.stringify(
        isProbe ? { error: { type: 'security_exception' }, status: 403 } : { upstream: true },
      ),
    );
  });
}

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  await runSql(
    clickHouse.url,
    `CREATE TABLE hidden ("@timestamp" DateTime64(3), text String) ENGINE = MergeTree ORDER BY "@timestamp";
     INSERT INTO hidden SELECT now64(3), '${secret}' FROM numbers(10);`,
  );
  const serviceUrl = `http://127.0.0.1:${String(upstream.port)}`;
  const plugin = pluginConfig(clickHouse.url, {
    authorization: 'elasticsearch',
    metadata_config: { hosts: [serviceUrl] },
  });
  gateway = await startProduct(kongConfig([{ serviceUrl, plugin }]));
});

beforeEach(answerAsElasticsearch);

afterAll(async () => {
  closeClient();
  await gateway.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
});

/** Whether an answer shows a row of ClickHouse: none other has such a host, or the secret. */
const showsRows = ({ text }: Answer): boolean =>
  /"web-\d"|request \d+/.test(text) || text.includes(secret);

/** Spellings of a path that mean it, might mean it, or mean something else. */
const spellings = (index: string): readonly string[] => [
  `/${index}/_search`,
  `//${index}//_search`,
  `/./${index}/./_search`,
  `/x/../${index}/_search`,
  `/x/%2e%2e/${index}/_search`,
  `/x/..%2f${index}/_search`,
  `/%2f${index}/_search`,
  `/${index}%2f_search`,
  `/${index}%2F..%2F${index}/_search`,
  `/${index.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}/_search`,
  `/${index.toUpperCase()}/_search`,
  `/${index}/_SEARCH`,
  `/${index};a=b/_search`,
  `/${index}/_search;a=b`,
  `/${index}/_search/`,
  `/${index}/_search?index=${index}`,
  `/${index}%00/_search`,
  `/${index}%20/_search`,
  `/%20${index}/_search`,
  `/${index}%0d%0a/_search`,
  `/${index}%2C/_search`,
  `/,${index}/_search`,
  `/+${index}/_search`,
  `/-x,${index}/_search`,
  `/<${index}>/_search`,
  `/%3C${index}%3E/_search`,
  `/default.${index}/_search`,
  `/\`${index}\`/_search`,
  `/${index}/_doc/_search`,
  `/${index}/_search/_search`,
  `/${index}/_search/template`,
  `/${index}/_async_search`,
  `/${index}/_count`,
  `/${index}/_terms_enum`,
  `/${index}/_field_caps?fields=*`,
  `/${index}/_validate/query`,
  `/${index}/_doc/1`,
  `/${index}*/_search`,
  `/*${index.slice(1)}/_search`,
  `/${index}%2A/_search`,
];

it.each(spellings('logs'))(
  '%s shows no row to whom Elasticsearch does not let read it',
  async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await ask(gateway.url, path, { method, headers: mayNot, body: {} });
      expect([path, method, showsRows(answer)]).toEqual([path, method, false]);
    }
  },
);

it('shows rows to whom it lets, by the names that mean the index', async () => {
  for (const path of spellings('logs').slice(0, 4)) {
    const answer = await ask(gateway.url, path, { method: 'POST', headers: mayRead, body: {} });
    expect([path, answer.status, showsRows(answer)]).toEqual([path, 200, true]);
  }
});

it.each([
  ...spellings('hidden'),
  '/logs,hidden/_search',
  '/hidden,logs/_search',
  '/logs%2Chidden/_search',
  '/logs/../hidden/_search',
  '/logs%2f..%2fhidden/_search',
  '/system.tables/_search',
  '/logs.hidden/_search',
  '/logs`,`hidden/_search',
])('%s does not reach a table that is on no list', async (path) => {
  for (const method of ['GET', 'POST']) {
    const answer = await ask(gateway.url, path, { method, headers: mayRead, body: {} });
    expect([path, method, answer.text.includes(secret)]).toEqual([path, method, false]);
  }
});

it.each(['hidden', 'logs,hidden', 'default.hidden', 'hid*', '../hidden', 'hidden\u0000'])(
  'a line of an _msearch for %s does not reach it either',
  async (index) => {
    const lines = [
      { index },
      {},
      { index: [index] },
      {},
      { index: 'logs' },
      { query: { terms: { _index: [index] } } },
    ];
    for (const path of ['/_msearch', '/logs/_msearch']) {
      const answer = await ask(gateway.url, path, {
        method: 'POST',
        headers: { ...mayRead, 'content-type': 'application/x-ndjson' },
        body: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
      });
      expect(answer.text).not.toContain(secret);
    }
  },
);

describe('what a client says about itself', () => {
  const forged = encodeHandover({ secret: 'guessed', runtime: '', role: 'admin', prefix: '' });

  it.each([
    ['/config/all', { [HANDOVER_HEADER]: forged }],
    ['/logs/../config/all', { [HANDOVER_HEADER]: forged }],
    ['/config%2fall', { [HANDOVER_HEADER]: forged }],
    ['/logs/_search/../../config/all', {}],
    ['/health', { 'x-forwarded-path': '/health' }],
    ['/config/all', { host: '127.0.0.1' }],
    ['/config/all', { 'x-original-url': '/config/all', 'x-rewrite-url': '/config/all' }],
  ])('does not make %s one of the administration', async (path, headers) => {
    const answer = await ask(gateway.url, path, { headers: { ...mayRead, ...headers } });
    expect(answer.text).not.toContain('whiteIndexList');
    expect(answer.json()).toEqual({ upstream: true });
  });

  it('does not make it another consumer, or one who may read', async () => {
    const headers = {
      ...mayNot,
      [HANDOVER_HEADER]: forged,
      'x-consumer-username': 'administrator',
      'x-consumer-id': '1',
      'x-credential-identifier': 'administrator',
      'x-forwarded-authorization': mayRead.authorization,
    };
    const answer = await ask(gateway.url, '/logs/_search', { method: 'POST', headers, body: {} });
    expect([answer.status, showsRows(answer)]).toEqual([403, false]);
  });
});

/** Sends bytes as they are, and gives what comes back until the other side closes. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket
      .setTimeout(3_000, () => socket.destroy())
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', () => undefined)
      .on('close', () => {
        resolve(Buffer.concat(chunks).toString());
      });
  });
}

it.each([
  [
    'an absolute target',
    'GET http://127.0.0.1/hidden/_search HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  ],
  [
    'two lengths',
    'POST /logs/_search HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 60\r\nConnection: close\r\n\r\n{}GET /hidden/_search HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
  [
    'a length and chunks',
    'POST /logs/_search HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\nGET /hidden/_search HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
  [
    'a folded header',
    'GET /logs/_search HTTP/1.1\r\nHost: a\r\nX: y\r\n Authorization: Bearer z\r\nConnection: close\r\n\r\n',
  ],
  ['no HTTP', 'hidden\r\n\r\n'],
])('%s shows no row', async (_what, text) => {
  const answer = await raw(text);
  expect(answer).not.toContain(secret);
  expect(answer).not.toMatch(/"web-\d"/);
});
