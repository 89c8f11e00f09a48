import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import type { Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { makeAuthority } from '../tls/authority';
import { type Front, startFront } from '../tls/front';
import { ask, closeClient } from './client';
import { kongConfig, pluginConfig, reader, startProduct, startTables } from './product';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(120_000);

const authority = makeAuthority();
let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let inFrontOfClickHouse: Front;
let inFrontOfElasticsearch: Front;

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  [inFrontOfClickHouse, inFrontOfElasticsearch] = await Promise.all([
    startFront(clickHouse.url, authority, { requestCert: true, rejectUnauthorized: true }),
    startFront(`http://127.0.0.1:${String(upstream.port)}`, authority),
  ]);
});

afterAll(async () => {
  closeClient();
  inFrontOfClickHouse.close();
  inFrontOfElasticsearch.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
});

const own = (): JsonObject => ({
  authorization: 'elasticsearch',
  metadata_config: { hosts: [inFrontOfElasticsearch.url], ca: authority.ca },
  clickhouse: {
    ca: authority.ca,
    certificate: authority.client.cert,
    key: authority.client.key,
  },
  settings: {
    proxy: {
      whiteIndexList: ['logs'],
      ck: {
        url: `https://127.0.0.1:1,${inFrontOfClickHouse.url}`,
        user: reader.name,
        pass: reader.password,
      },
    },
  },
});

describe.each([
  ['strict', () => 'https://localhost:1'],
  ['drop-in', () => inFrontOfElasticsearch.url],
])('failure mode %s, TLS to ClickHouse and to Elasticsearch', (mode, serviceUrl) => {
  let gateway: Gateway;
  beforeAll(async () => {
    const plugin = pluginConfig('', { ...own(), failure_mode: mode });
    gateway = await startProduct(kongConfig([{ serviceUrl: serviceUrl(), plugin }]));
  });
  afterAll(() => gateway.close());

  it('answers from ClickHouse, the second server of two, when Elasticsearch lets the caller read', async () => {
    upstream.reset();
    const answer = await ask(gateway.url, '/logs/_search', {
      method: 'POST',
      headers: { authorization: `Bearer of-${mode}` },
      body: { size: 1, track_total_hits: true },
    });
    expect(answer.json()).toMatchObject({ hits: { total: { value: 600 } } });
    const [probe] = upstream.received;
    expect(probe?.url).toMatch(/^\/logs\/_search\?/);
    expect(probe?.headers.authorization).toBe(`Bearer of-${mode}`);
  });

  it('passes everything else on', async () => {
    upstream.reset();
    const answer = await ask(gateway.url, '/other/_search', {
      headers: { authorization: 'Bearer a' },
    });
    expect(answer.json()).toEqual({ upstream: true });
    expect(upstream.received.map(({ url }) => url)).toEqual(['/other/_search']);
  });
});
