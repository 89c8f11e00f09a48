import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { CONFIG_UPDATES } from '../../plugins/kibana-clickhouse/gateway/endpoints/config-updates';
import { ask, closeClient, type Answer } from './client';
import { kongConfig, pluginConfig, pluginsDirectory, whenAnswered } from './product';
import { startUpstream, type Upstream } from './upstream';

// A limit for what hangs, not for what is slow on a busy machine
jest.setTimeout(60_000);

const directory = mkdtempSync(join(tmpdir(), 'config-endpoints-'));
const stateFile = join(directory, 'state.json');
const log: string[] = [];
let upstream: Upstream;
let gateway: Gateway;

beforeAll(async () => {
  upstream = await startUpstream();
  const serviceUrl = `http://127.0.0.1:${String(upstream.port)}`;
  const shared: JsonObject = {
    log_level: 'debug',
    state_file: stateFile,
    secret_key: 'a key of more than sixteen characters',
    settings: {
      query: { maxResultRow: 5_000 },
      proxy: {
        whiteIndexList: ['logs'],
        ck: { url: 'http://127.0.0.1:1', user: 'kong', pass: 'pass-of-kong' },
      },
    },
  };
  const config = kongConfig([
    {
      serviceUrl,
      route: { paths: ['~/config/.+', '/logs'], strip_path: false },
      plugin: pluginConfig('', { ...shared, role: 'admin' }),
    },
    { serviceUrl, route: { paths: ['/proxied'] }, plugin: pluginConfig('', shared) },
  ]);
  gateway = await startGateway({
    config,
    port: 0,
    pluginsDirectory,
    log: (line) => log.push(line),
  });
  await whenAnswered(gateway, {
    ...config,
    services: [(config['services'] as readonly JsonObject[])[1] ?? {}],
  });
}, 120_000);

afterAll(async () => {
  closeClient();
  await gateway.close();
  await upstream.close();
  rmSync(directory, { recursive: true, force: true });
});

const post = (path: string, body?: string | JsonObject, headers = {}): Promise<Answer> =>
  ask(gateway.url, path, { method: 'POST', ...(body !== undefined && { body }), headers });

/** What was set is gone, the connections too. */
beforeEach(async () => {
  expect((await post('/config/all', { proxy: { es: {}, ck: {} } })).status).toBe(200);
});

interface Shown {
  readonly query: JsonObject;
  readonly proxy: JsonObject & { readonly es: JsonObject; readonly ck: JsonObject };
  readonly threadPool: JsonObject;
  readonly sources: Readonly<Record<string, string>>;
}

const all = async (): Promise<Shown> => {
  const answer = await ask(gateway.url, '/config/all?explain');
  expect(answer.status).toBe(200);
  return answer.json() as unknown as Shown;
};

const stored = (): string => (existsSync(stateFile) ? readFileSync(stateFile, 'utf8') : '');
const storedOverlay = (): unknown => (JSON.parse(stored()) as { overlay: unknown }).overlay;

const valueAt = (shown: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>>)[name], shown);

async function refused(sent: Promise<Answer>, reason: RegExp, status = 400): Promise<void> {
  const before = stored();
  const answer = await sent;
  expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(reason)]);
  expect(answer.headers['x-elastic-product']).toBe('Elasticsearch');
  expect(stored()).toBe(before);
}

/** For each update endpoint a query string that it takes, and what then stands at its settings. */
const updates: readonly (readonly [path: string, query: string, JsonObject])[] = [
  [
    '/config/updateCk',
    'url=127.0.0.1:8124&user=u&pass=p%2Bw&defaultCkDatabase=db',
    { 'proxy.ck': { url: '127.0.0.1:8124', user: 'u', pass: '******', defaultCkDatabase: 'db' } },
  ],
  [
    '/config/updateEs',
    'host=http://es-1:9200,es-2&headers=Authorization:Basic%20YTpi',
    {
      'proxy.es': { host: 'http://es-1:9200,es-2', headers: [{ Authorization: '******' }] },
    },
  ],
  ['/config/updateWhiteIndexList', 'list=a,b.c', { 'proxy.whiteIndexList': ['a', 'b.c'] }],
  ['/config/updateBlackIndexList', 'list=a', { 'proxy.blackIndexList': ['a'] }],
  ['/config/updateSampleIndexList', 'list=a, b', { 'query.sampleIndexPatterns': ['a', 'b'] }],
  [
    '/config/updateSampleCountMaxThreshold',
    'sampleCountMaxThreshold=0',
    { 'query.sampleCountMaxThreshold': 0 },
  ],
  ['/config/updateUseCache', 'useCache=true', { 'query.useCache': true }],
  ['/config/updateMaxResultRow', 'maxResultRow=10000000', { 'query.maxResultRow': 10_000_000 }],
  [
    '/config/updateRoundAbleMinPeriod',
    'roundAbleMinPeriod=60000',
    { 'proxy.roundAbleMinPeriod': 60_000 },
  ],
  ['/config/updateRound', 'round=20', { 'proxy.round': 20 }],
  ['/config/updateMaxTimeRange', 'maxTimeRange=86400000', { 'proxy.maxTimeRange': 86_400_000 }],
  ['/config/updateEnableMonitoring', 'enableMonitoring=true', { 'proxy.enableMonitoring': true }],
  [
    '/config/updateMsearchThreadPoolCoreSize',
    'msearchThreadPoolCoreSize=8',
    { 'threadPool.msearchProperty.coreSize': 8 },
  ],
  [
    '/config/updateDefaultTimeField',
    'defaultTimeFieldName=@timestamp',
    { 'proxy.defaultTimeFieldName': '@timestamp' },
  ],
];

test('every update endpoint is tried here', () => {
  expect(updates.map(([path]) => path)).toEqual(CONFIG_UPDATES.map(({ path }) => path));
});

describe.each(updates)('POST %s', (path, query, expected) => {
  const parameters = (CONFIG_UPDATES.find((one) => one.path === path)?.parameters ?? []).map(
    ({ name }) => name,
  );

  it('sets what it names, at once, and answers what changed', async () => {
    const before = (JSON.parse(stored()) as { version: number }).version;
    const answer = await post(`${path}?${query.replaceAll(' ', '%20')}`);
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        acknowledged: true,
        changed: expect.arrayContaining([expect.any(String)]),
        version: before + 1,
      },
    ]);
    const shown = await all();
    for (const [setting, value] of Object.entries(expected)) {
      expect(valueAt(shown, setting)).toEqual(value);
      const sources = Object.entries(shown.sources).filter(([name]) =>
        `${name}.`.startsWith(`${setting}.`),
      );
      expect(new Set(sources.map(([, source]) => source))).toEqual(new Set(['admin']));
    }
    const again = await post(`${path}?${query.replaceAll(' ', '%20')}`);
    expect(again.json()).toEqual({ acknowledged: true, changed: [], version: before + 1 });
  });

  it.each(parameters)('without %s is a 400 that names it', async (name) => {
    const others = query
      .replaceAll(' ', '')
      .split('&')
      .filter((pair) => !pair.startsWith(`${name}=`));
    await refused(
      post(`${path}?${others.join('&')}`),
      new RegExp(`missing required parameter: \\[${name}\\]`),
    );
  });

  it('without a query string names all', async () => {
    await refused(post(path), new RegExp(parameters.map((name) => `\\[${name}\\]`).join(', ')));
  });

  it('refuses an unknown parameter, one given twice, and a body', async () => {
    const good = `${path}?${query.replaceAll(' ', '')}`;
    await refused(post(`${good}&foo=1`), /unrecognized parameter: \[foo\]/);
    const [first = ''] = parameters;
    await refused(post(`${good}&${first}=x`), new RegExp(`\\[${first}\\] more than once`));
    await refused(post(good, { a: 1 }), /does not support having a body/);
  });

  it.each(['GET', 'PUT', 'DELETE'])('is a 405 for %s', async (method) => {
    const sent = ask(gateway.url, `${path}?${query.replaceAll(' ', '')}`, { method });
    await refused(sent, /Incorrect HTTP method/, 405);
    expect((await sent).headers.allow).toBe('POST');
  });
});

describe('values that are refused by name, with nothing changed', () => {
  const long = 'x'.repeat(300);
  it.each([
    ['updateRound?round=', /parse int parameter \[round\] with value \[\]/],
    ['updateRound?round=abc', /parse int parameter \[round\] with value \[abc\]/],
    ['updateRound?round=1.5', /\[round\]/],
    ['updateRound?round=1e3', /\[round\]/],
    ['updateRound?round=0x10', /\[round\]/],
    ['updateRound?round=-1', /\[proxy\.round\] must be >= 0/],
    ['updateRound?round=1500', /\[proxy\.round\] must be 0, 1 to 999 seconds/],
    ['updateRound?round=3600001', /\[proxy\.round\] must be/],
    ['updateRound?round=99999999999999999999', /\[round\]/],
    ['updateMaxResultRow?maxResultRow=0', /\[query\.maxResultRow\] must be >= 1/],
    ['updateMaxResultRow?maxResultRow=10000001', /\[query\.maxResultRow\] must be <= 10000000/],
    ['updateMaxTimeRange?maxTimeRange=-5', /\[proxy\.maxTimeRange\] must be >= 0/],
    ['updateRoundAbleMinPeriod?roundAbleMinPeriod=-5', /\[proxy\.roundAbleMinPeriod\]/],
    ['updateSampleCountMaxThreshold?sampleCountMaxThreshold=-1', /sampleCountMaxThreshold\]/],
    ['updateMsearchThreadPoolCoreSize?msearchThreadPoolCoreSize=0', /coreSize\] must be >= 1/],
    [
      'updateMsearchThreadPoolCoreSize?msearchThreadPoolCoreSize=1001',
      /coreSize\] must be <= 1000/,
    ],
    ['updateUseCache?useCache=', /parameter \[useCache\]/],
    ['updateUseCache?useCache=yes', /\[yes\] of parameter \[useCache\]/],
    ['updateEnableMonitoring?enableMonitoring=TRUE', /\[enableMonitoring\]/],
    ['updateWhiteIndexList?list=a,,b', /empty name/],
    ['updateWhiteIndexList?list=,', /empty name/],
    ['updateWhiteIndexList?list=a%20b', /\[proxy\.whiteIndexList\.0\]/],
    ['updateWhiteIndexList?list=a*', /\[proxy\.whiteIndexList\.0\]|holds \[a\*\]/],
    ['updateWhiteIndexList?list=ok,.kibana', /holds \[\.kibana\]/],
    ['updateWhiteIndexList?list=remote:a', /holds \[remote:a\]/],
    [
      `updateWhiteIndexList?list=${long}`,
      /\[proxy\.whiteIndexList\.0\] must NOT have more than 255/,
    ],
    ['updateBlackIndexList?list=a*', /\[proxy\.blackIndexList\.0\]/],
    ['updateSampleIndexList?list=a%20b', /\[query\.sampleIndexPatterns\.0\]/],
    [`updateDefaultTimeField?defaultTimeFieldName=${long}`, /\[proxy\.defaultTimeFieldName\]/],
    ['updateCk?url=&user=u&pass=&defaultCkDatabase=d', /\[proxy\.ck\.url\]/],
    ['updateCk?url=ftp://h&user=u&pass=&defaultCkDatabase=d', /\[proxy\.ck\.url\] is no address/],
    ['updateCk?url=http://u:hidden@h&user=u&pass=&defaultCkDatabase=d', /\[proxy\.ck\.url\] is no/],
    ['updateCk?url=h:1&user=u&pass=&defaultCkDatabase=', /\[proxy\.ck\.defaultCkDatabase\]/],
    ['updateEs?host=ftp://h&headers=', /\[proxy\.es\.host\] is no address/],
    ['updateEs?host=a:1,,b:2&headers=', /\[proxy\.es\.host\] is no address/],
    ['updateEs?host=h:1&headers=nonsense', /must be pairs name:value/],
    ['updateEs?host=h:1&headers=:v', /must be pairs name:value/],
    ['updateEs?host=h:1&headers=a:b,c', /must be pairs name:value/],
    ['updateEs?host=h:1&headers=a:b%5Cn', /backslash/],
    ['updateEs?host=h:1&headers=a:b,A:c', /\[A\] more than once/],
    ['updateEs?host=h:1&headers=content-length:1', /\[content-length\]/],
    ['updateEs?host=h:1&headers=a%20b:c', /\[proxy\.es\.headers\.a b\] is not a valid name/],
    ['updateEs?host=h:1&headers=a:c%0D%0Ad', /\[proxy\.es\.headers\.a\] holds characters/],
    ['updateEs?host=h:1&headers=%7B%22a%22:1%7D', /text as value of \[a\]/],
    ['updateEs?host=h:1&headers=%7B%22a%22', /is no JSON object/],
    ['updateEs?host=h:1&headers=a:******', /is the mask|holds the mask/],
  ])('%s', (path, reason) => refused(post(`/config/${path}`), reason));

  it('a list of more than 10,000 names', async () => {
    const blackIndexList = Array.from({ length: 10_001 }, (_, i) => `i${String(i)}`);
    await refused(
      post('/config/all', { proxy: { blackIndexList } }),
      /must NOT have more than 10000 items/,
    );
  });

  it('an unknown endpoint, and one that is spelled otherwise', async () => {
    await refused(post('/config/updateNothing?a=1'), /no handler found/);
    await refused(post('/config/updateround?round=1'), /no handler found/);
  });
});

describe('lists, headers and masks', () => {
  it('an empty list= empties a list that kong.yml fills', async () => {
    expect((await all()).proxy['whiteIndexList']).toEqual(['logs']);
    await post('/config/updateWhiteIndexList?list=');
    expect((await all()).proxy['whiteIndexList']).toEqual([]);
  });

  it('10,000 names are taken', async () => {
    const blackIndexList = Array.from({ length: 10_000 }, (_, i) => `index-${String(i)}`);
    expect((await post('/config/all', { proxy: { blackIndexList } })).status).toBe(200);
    expect((await all()).proxy['blackIndexList']).toEqual(blackIndexList);
  });

  it.each([
    ['values with a colon', 'a:b:c,d:e', ['a', 'd']],
    ['an escaped comma and backslash', 'a:b\\,c\\\\,d:e', ['a', 'd']],
    ['a JSON object', '{"a":"b,c:d"}', ['a']],
    ['none', '', []],
  ])('headers: %s', async (_name, headers, names) => {
    const query = new URLSearchParams({ host: 'h:1', headers }).toString();
    expect((await post(`/config/updateEs?${query}`)).status).toBe(200);
    expect((await all()).proxy.es['headers']).toEqual(names.map((name) => ({ [name]: '******' })));
  });

  it('a masked password keeps the one of kong.yml, and is not stored', async () => {
    await post('/config/updateCk?url=h:1&user=u&pass=******&defaultCkDatabase=d');
    expect(storedOverlay()).toEqual({
      proxy: { es: {}, ck: { url: 'h:1', user: 'u', defaultCkDatabase: 'd' } },
    });
    expect((await all()).sources['proxy.ck.pass']).toBe('kong.yml');
  });

  it('a masked password and masked headers keep those that were set', async () => {
    await post('/config/updateCk?url=h:1&user=u&pass=secret&defaultCkDatabase=d');
    await post('/config/updateEs?host=es:1&headers=a:one,b:two');
    const before = storedOverlay();
    const answer = await post('/config/updateCk?url=h:2&user=u&pass=******&defaultCkDatabase=d');
    expect(answer.json()).toMatchObject({ changed: ['proxy.ck.url'] });
    const headers = await post('/config/updateEs?host=es:1&headers=A:******,c:three');
    expect(headers.json()).toMatchObject({ changed: ['proxy.es.headers'] });
    expect((await all()).proxy.es['headers']).toEqual([{ A: '******' }, { c: '******' }]);
    expect(storedOverlay()).not.toEqual(before);
  });

  it('what is shown can be sent back and changes nothing', async () => {
    await post('/config/updateCk?url=h:1&user=u&pass=secret&defaultCkDatabase=d');
    await post('/config/updateEs?host=http://user:hidden@es:1&headers=a:one');
    await post('/config/updateRound?round=20');
    const shown = await ask(gateway.url, '/config/all');
    const answer = await post('/config/all', shown.json() as JsonObject);
    expect([answer.status, answer.json()]).toEqual([
      200,
      { acknowledged: true, changed: [], version: expect.any(Number) },
    ]);
    expect((await ask(gateway.url, '/config/all')).text).toBe(shown.text);
  });
});

describe('POST /config/all', () => {
  it('replaces the whole, in the spellings of the specification', async () => {
    await post('/config/updateMaxTimeRange?maxTimeRange=5');
    const answer = await post('/config/all', {
      query: { sampleIndexPatterns: ['a'], sampleCountMaxThreshold: '1500000', useCache: true },
      Proxy: {
        roundAbleMinPeriod: 120000,
        round: 1000,
        enableMonitoring: true,
        blackIndexList: null,
        whiteIndexList: null,
        es: { host: 'es:9200', headers: [{ Authorization: 'Basic one' }, { 'x-two': 'a:b,c' }] },
        ck: { url: 'ck:8123', user: 'u', pass: '', defaultCkDatabase: 'd' },
      },
    });
    expect(answer.status).toBe(200);
    const { proxy, query, sources } = await all();
    expect(query).toEqual({
      sampleIndexPatterns: ['a'],
      sampleCountMaxThreshold: 1_500_000,
      useCache: true,
      maxResultRow: 5_000,
      maxBuckets: 65_536,
      maxExecutionMs: 30_000,
      maxMemoryBytes: 0,
      maxReadRows: 0,
    });
    expect(proxy).toMatchObject({
      round: 1_000,
      maxTimeRange: 0,
      whiteIndexList: [],
      es: { host: 'es:9200', headers: [{ Authorization: '******' }, { 'x-two': '******' }] },
      ck: { url: 'ck:8123', user: 'u', pass: '', defaultCkDatabase: 'd' },
    });
    expect(sources).toMatchObject({
      'query.maxResultRow': 'kong.yml',
      'proxy.maxTimeRange': 'default',
      'proxy.whiteIndexList': 'admin',
      'query.sampleCountMaxThreshold': 'admin',
    });
  });

  it('keeps es and ck where it does not name them, or names them null', async () => {
    await post('/config/updateCk?url=h:1&user=u&pass=secret&defaultCkDatabase=d');
    await post('/config/updateEs?host=es:1&headers=a:one');
    const { ck, es } = (await all()).proxy;
    for (const body of [{}, { proxy: {} }, { proxy: { es: null, ck: null, round: 3 } }]) {
      expect((await post('/config/all', body)).status).toBe(200);
      expect((await all()).proxy).toMatchObject({ ck, es });
    }
    await post('/config/all', { proxy: { ck: { user: 'v' } } });
    expect((await all()).proxy.ck).toEqual({
      url: 'http://127.0.0.1:1',
      user: 'v',
      pass: '******',
      defaultCkDatabase: 'default',
    });
    expect((await all()).sources['proxy.ck.pass']).toBe('kong.yml');
  });

  it('takes the fields beyond the specification', async () => {
    const tables = { logs: { timeField: 't', idColumns: ['a'], emptyIsMissing: true } };
    const body = {
      threadPool: { msearchProperty: { coreSize: 2 }, commonProperty: { queueSize: 0 } },
      defaultShard: 1,
      proxy: { textSearch: 'tokens', monitorRetentionDays: 30, enableBlackList: false },
      tables,
    };
    expect((await post('/config/all', body)).status).toBe(200);
    expect(await all()).toMatchObject({ ...body, tables });
  });

  it.each([
    ['', /request body is required/],
    ['{', /Unexpected end-of-input/],
    ['[]', /must be an object/],
    ['null', /must be an object/],
    ['{"a":1}', /\[a\] is not a setting/],
    ['{"proxy":{"ronud":1}}', /\[proxy\.ronud\] is not a setting/],
    ['{"__proto__":{"a":1}}', /\[__proto__\] is not a setting/],
    ['{"constructor":{}}', /\[constructor\] is not a setting/],
    ['{"proxy":{},"Proxy":{}}', /same group/],
    ['{"proxy":null}', /\[proxy\] must be object/],
    ['{"proxy":3}', /\[proxy\] must be object/],
    ['{"proxy":{"round":null}}', /\[proxy\.round\] must be 0, 1 to/],
    ['{"proxy":{"round":"a"}}', /\[proxy\.round\] must be 0, 1 to/],
    ['{"proxy":{"round":1.5}}', /\[proxy\.round\]/],
    ['{"proxy":{"round":1000000000000000000000}}', /\[proxy\.round\]/],
    ['{"query":{"useCache":"true"}}', /\[query\.useCache\] must be boolean/],
    ['{"proxy":{"whiteIndexList":"a"}}', /\[proxy\.whiteIndexList\] must be array/],
    ['{"proxy":{"whiteIndexList":[1]}}', /\[proxy\.whiteIndexList\.0\] must be string/],
    ['{"proxy":{"whiteIndexList":[".a"]}}', /\[\.a\]/],
    ['{"proxy":{"es":3}}', /\[proxy\.es\] must be object/],
    ['{"proxy":{"es":{"headers":3}}}', /array of objects/],
    ['{"proxy":{"es":{"headers":[{}]}}}', /array of objects/],
    ['{"proxy":{"es":{"headers":[{"a":"b","c":"d"}]}}}', /array of objects/],
    ['{"proxy":{"es":{"headers":[{"a":"b"},{"A":"d"}]}}}', /more than once/],
    ['{"proxy":{"es":{"headers":{"a":null}}}}', /text as value of \[a\]/],
    ['{"proxy":{"es":{"headers":{"a":"******"}}}}', /mask/],
    ['{"proxy":{"es":{"host":"http://******@x"}}}', /mask/],
    ['{"proxy":{"ck":{"url":"not an address"}}}', /\[proxy\.ck\.url\]/],
    ['{"proxy":{"ck":{"more":1}}}', /\[proxy\.ck\.more\] is not a setting/],
    ['{"tables":{"a b":{}}}', /\[tables\.a b\] is not a valid name/],
    ['{"tables":{"a":{"b":1}}}', /\[tables\.a\.b\] is not a setting/],
    ['{"tables":{"a":{"textSearch":"x"}}}', /\[tables\.a\.textSearch\] must be one of/],
    ['{"proxy":{"round":1,"round":2}}', /Duplicate field/],
  ])('%s is refused', (body, reason) =>
    refused(post('/config/all', body, { 'content-type': 'application/json' }), reason),
  );

  it('refuses parameters, other content types, and a body of many megabytes', async () => {
    await refused(post('/config/all?a=1', {}), /unrecognized parameter: \[a\]/);
    await refused(
      post('/config/all', 'a: 1', { 'content-type': 'application/yaml' }),
      /Content-Type/,
      406,
    );
    const large = JSON.stringify({ a: 'x'.repeat(17 * 1024 * 1024) });
    const headers = { 'content-type': 'application/json' };
    await refused(post('/config/all', large, headers), /more than \[16777216\] bytes/, 413);
    await refused(ask(gateway.url, '/config/all', { method: 'DELETE' }), /GET, POST/, 405);
  });
});

describe('GET /config/all', () => {
  it('shows all groups, without the sources unless they are asked for', async () => {
    const answer = await ask(gateway.url, '/config/all');
    expect(Object.keys(answer.json()).sort()).toEqual(
      ['defaultShard', 'proxy', 'query', 'tables', 'threadPool'].sort(),
    );
    expect((await all()).sources).toMatchObject({
      'query.maxResultRow': 'kong.yml',
      'proxy.ck.pass': 'kong.yml',
      'proxy.round': 'default',
    });
  });

  it('refuses what it does not know', async () => {
    await refused(ask(gateway.url, '/config/all?explain=2'), /\[explain\]/);
    await refused(ask(gateway.url, '/config/all?explain&explain'), /more than once/);
    await refused(ask(gateway.url, '/config/all?x'), /unrecognized/);
  });
});

test('on the route of Kibana the paths are not ours: they go to Elasticsearch, and nothing changes', async () => {
  upstream.reset();
  const before = stored();
  expect((await post('/proxied/config/updateRound?round=5')).text).toBe('{"upstream":true}');
  expect(upstream.received.map(({ url }) => url)).toEqual(['/config/updateRound?round=5']);
  expect(stored()).toBe(before);
});

test('no answer, no log line and no stored text holds a secret in clear', async () => {
  const secrets = ['planted-pass', 'planted-header', 'planted-user', 'planted-url'];
  const answers = await Promise.all([
    post('/config/updateCk?url=h:1&user=u&pass=planted-pass&defaultCkDatabase=d'),
    post('/config/updateEs?host=http://x:planted-user@es:1&headers=Authorization:planted-header'),
    post(
      '/config/updateCk?url=http://x:planted-url@h:1&user=u&pass=planted-pass&defaultCkDatabase=',
    ),
    post('/config/updateEs?host=h:1&headers=planted-header'),
    post('/config/updateEs?host=h:1&headers={"a":"planted-header"'),
    post('/config/all', { proxy: { es: { headers: { 'a b': 'planted-header' } } } }),
    post('/config/all', { proxy: { ck: { pass: 'planted-pass', url: 3 } } }),
    post('/config/all', { proxy: { es: { headers: [{ a: 'planted-header\n' }] } } }),
  ]);
  answers.push(await ask(gateway.url, '/config/all?explain'));
  answers.push(await ask(gateway.url, '/health'));
  const texts = [...answers.map(({ text }) => text), stored(), ...log];
  expect(stored()).toContain('"encrypted"');
  expect(log.join('\n')).toContain('/config/updateCk');
  for (const secret of [...secrets, 'pass-of-kong', 'a key of more than sixteen'])
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
});
