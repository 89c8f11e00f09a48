import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import type { Gateway } from '../../dev/gateway/gateway';
import { ask, closeClient } from './client';
import { kongConfig, pluginConfig, startProduct, startTables } from './product';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(120_000);

let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let gateway: Gateway;

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  const serviceUrl = `http://127.0.0.1:${String(upstream.port)}/es`;
  gateway = await startProduct(kongConfig([{ serviceUrl, plugin: pluginConfig(clickHouse.url) }]));
});

beforeEach(() => {
  upstream.reset();
});

afterAll(async () => {
  closeClient();
  await gateway.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
});

/** Requests whose path does not say whose they are, with bodies that name what is Elasticsearch's. */
describe('without metadata_config.hosts, the Elasticsearch that is the Service gets what is its own', () => {
  it.each([
    ['POST', '/_search/scroll', { scroll: '1m', scroll_id: 'FGluY2x1ZGVfY29udGV4dA==' }],
    ['DELETE', '/_pit', { id: '46ToAwMDaWR5BXV1aWQyKwZub2RlXzMAAAAAAAAAACoBYwADaWR4' }],
    ['POST', '/_query', { query: 'FROM other' }],
    ['POST', '/_sql?format=json', { query: 'SELECT 1 FROM other' }],
    ['POST', '/_search', { pit: { id: '46ToAwMDaWR5BXV1aWQyKwZub2RlXzMAAAAAAAAAACoBYwADaWR4' } }],
  ])('%s %s', async (method, path, body) => {
    const answer = await ask(gateway.url, path, { method, body });
    expect([answer.status, answer.json()]).toEqual([200, { upstream: true }]);
    const [sent] = upstream.received;
    expect([sent?.method, sent?.url, JSON.parse(String(sent?.body))]).toEqual([
      ...[method, `/es${path}`, body],
    ]);
  });

  it('and the lines of an _msearch', async () => {
    upstream.answer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"took":1,"responses":[{"theirs":true,"status":200}]}');
    });
    const answer = await ask(gateway.url, '/_msearch', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: '{"index":"logs"}\n{"size":0}\n{"index":"other"}\n{}\n',
    });
    expect(answer.json()).toMatchObject({
      responses: [{ hits: { total: { value: 600 } } }, { theirs: true }],
    });
  });
});
