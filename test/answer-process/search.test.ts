import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { startClickHouse, type EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { connect, runSql } from '../../dev/clickhouse/run-sql';
import { AnswerProcessUnderTest } from './support';
import { Upstream } from './upstream';

jest.setTimeout(60_000);

let clickhouse: EmbeddedClickHouse;
let target: AnswerProcessUnderTest;
let upstream: Upstream;

const config = (more: object = {}) => ({
  settings: { proxy: { whiteIndexList: ['logs', 'big', 'absent'], ck: { url: clickhouse.url } } },
  ...more,
});

beforeAll(async () => {
  clickhouse = await startClickHouse();
  await runSql(
    clickhouse.url,
    `CREATE TABLE logs (\`@timestamp\` DateTime64(3, 'UTC'), status UInt16, host LowCardinality(String))
       ENGINE = MergeTree ORDER BY \`@timestamp\`;
     INSERT INTO logs SELECT toDateTime64('2024-01-01 00:00:00', 3, 'UTC') + number, 200 + number % 3,
       'web-' || toString(number % 2) FROM numbers(100);
     CREATE TABLE big (\`@timestamp\` DateTime64(3, 'UTC'), message String)
       ENGINE = MergeTree ORDER BY \`@timestamp\`;
     INSERT INTO big SELECT toDateTime64('2024-01-01 00:00:00', 3, 'UTC') + number,
       repeat(toString(number), 200) FROM numbers(10000);`,
  );
  upstream = await Upstream.start();
  target = await AnswerProcessUnderTest.start();
  await target.configure('r', config());
  await target.configure('es', config({ metadata_config: { hosts: [upstream.host] } }));
  await target.configure('down', config({ metadata_config: { hosts: ['127.0.0.1:1'] } }));
  await target.configure('open', {
    ...config({ metadata_config: { hosts: ['127.0.0.1:1'] } }),
    authorization: 'none',
  });
});

afterAll(async () => {
  await target.stop();
  await upstream.stop();
  await clickhouse.close();
});

beforeEach(() => {
  upstream.received.length = 0;
  upstream.reply = () => ({ body: '{}' });
});

const search = (body: object, more: object = {}) =>
  target.call({ path: '/logs/_search', body: JSON.stringify(body), ...more });

describe('one search', () => {
  it('answers _search', async () => {
    const answer = await search({
      query: { term: { status: 200 } },
      size: 1,
      track_total_hits: true,
    });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      timed_out: false,
      hits: { total: { value: 34, relation: 'eq' }, hits: [{ _index: 'logs' }] },
    });
    expect(answer.headers).toMatchObject({
      'content-length': String(answer.bytes.length),
      'x-elastic-product': 'Elasticsearch',
    });
  });

  it('takes a body with GET, and none', async () => {
    expect((await search({ size: 0 }, { method: 'GET' })).json()).toMatchObject({
      hits: { hits: [] },
    });
    const none = await target.call({ path: '/logs/_search?size=2' });
    expect(none.json()).toMatchObject({ hits: { total: { value: 100 } } });
  });

  it('answers _async_search complete and without an id, if it ends in time', async () => {
    const answer = await target.call({
      path: '/logs/_async_search?keep_alive=1m&wait_for_completion_timeout=30s',
      body: '{"size":1}',
    });
    const envelope = answer.json() as Record<string, number>;
    expect(envelope).toMatchObject({
      is_partial: false,
      is_running: false,
      response: { hits: { total: { value: 100 } }, sampling: 1, cache: false },
    });
    expect(envelope).not.toHaveProperty('id');
    const { start_time_in_millis: start = 0, expiration_time_in_millis: end = 0 } = envelope;
    expect(end - start).toBe(60_000);
    const bad = await target.call({ path: '/logs/_async_search?keep_alive=soon', body: '{}' });
    expect(bad.status).toBe(400);
  });

  it('answers _field_caps with fields in the query string or in the body', async () => {
    const old = await target.call({ method: 'POST', path: '/logs/_field_caps?fields=*' });
    expect(old.json()).toMatchObject({ indices: ['logs'], fields: { status: { integer: {} } } });
    const body = '{"fields":["status"],"index_filter":{"match_all":{}}}';
    const new8 = await target.call({ path: '/logs/_field_caps', body });
    expect(Object.keys(new8.json()['fields'] as object)).toEqual(['status']);
    expect((await target.call({ path: '/logs/_field_caps' })).status).toBe(400);
  });

  it('answers 404 for a whitelisted index without a table', async () => {
    for (const path of [
      '/absent/_search',
      '/absent/_field_caps?fields=*',
      '/_resolve/index/absent',
    ]) {
      const answer = await target.call({ path });
      expect([answer.status, answer.json()]).toMatchObject([
        404,
        { error: { type: 'index_not_found_exception', index: 'absent' } },
      ]);
    }
  });

  it('answers lists and patterns, of which Elasticsearch has nothing', async () => {
    const body = '{"size":1,"track_total_hits":true,"sort":[{"@timestamp":"desc"}]}';
    const list = await target.call({ path: '/lo*,big/_search', body });
    expect(list.json()).toMatchObject({ hits: { total: { value: 10_100 }, hits: [{}] } });
    const missing = await target.call({ path: '/lo*,other/_search' });
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('[other]')]);
    const ignored = await target.call({ path: '/lo*,other/_search?ignore_unavailable=true' });
    expect(ignored.json()).toMatchObject({ hits: { total: { value: 100 } } });
    const absent = await target.call({ path: '/logs,absent/_count' });
    expect(absent.status).toBe(404);
    const left = await target.call({ path: '/lo*,a*/_count' });
    expect(left.json()).toMatchObject({ count: 100 });
  });

  it('refuses what names both sides, and asks for that once in ten seconds', async () => {
    upstream.reply = ({ url }) =>
      url.startsWith('/_resolve/index/lo*')
        ? { body: '{"indices":[{"name":"logs"},{"name":"logs-2024"}],"aliases":[{"name":"log"}]}' }
        : {};
    const handover = { runtime: 'es' };
    for (const path of [
      '/lo*/_search',
      '/lo*/_field_caps?fields=*',
      '/lo*/_count',
      '/lo*/_mapping',
    ]) {
      const mixed = await target.call({ path, handover });
      expect([mixed.status, mixed.text]).toEqual([
        400,
        expect.stringContaining(
          'which names [logs] in ClickHouse and [log], [logs-2024] in Elasticsearch',
        ),
      ]);
    }
    const remote = await target.call({ path: '/logs,other:logs/_search', handover });
    expect(remote.text).toContain('[other:logs] in Elasticsearch');
    const asked = upstream.received.filter(({ url }) => url.startsWith('/_resolve'));
    expect(asked.map(({ url }) => url)).toEqual(['/_resolve/index/lo*']);
  });

  it('takes the whitelisted names alone where Elasticsearch cannot be asked', async () => {
    const answer = await target.call({ path: '/lo*/_count', handover: { runtime: 'open' } });
    expect(answer.json()).toMatchObject({ count: 100 });
  });

  it("lists both sides' indexes", async () => {
    upstream.reply = ({ url }) => {
      if (url.startsWith('/_all/_alias'))
        return { body: '{"other":{"aliases":{"o":{}}},"logs":{"aliases":{"l":{}}}}' };
      if (url.startsWith('/_cat/indices/_all'))
        return { body: '[{"health":"yellow","index":"other","docs.count":"7","rep":"1"}]' };
      return {};
    };
    const handover = { runtime: 'es' };
    const aliases = await target.call({ path: '/_alias', handover });
    expect(aliases.json()).toEqual({
      big: { aliases: {} },
      logs: { aliases: {} },
      other: { aliases: { o: {} } },
    });
    const text = await target.call({ path: '/_cat/indices?h=index,dc,rep,health&v', handover });
    expect(text.headers['content-type']).toBe('text/plain; charset=UTF-8');
    expect(text.text).toBe(
      'index    dc rep health\nbig   10000   0 green\nlogs    100   0 green\nother     7   1 yellow\n',
    );
    const sizes = await target.call({ path: '/_cat/indices/logs?format=json&bytes=b', handover });
    const [row] = JSON.parse(sizes.text) as readonly Record<string, string>[];
    expect(row).toMatchObject({ 'docs.count': '100', status: 'open', uuid: expect.any(String) });
    expect(Number(row?.['store.size'])).toBeGreaterThan(100);
  });

  it('refuses parameters', async () => {
    const parameter = await target.call({ path: '/logs/_search?foo=1' });
    expect(parameter.text).toContain('contains unrecognized parameter: [foo]');
    for (const path of ['/logs/_search?', '/logs/_field_caps?fields=*&', '/_resolve/index/logs?']) {
      const yaml = await target.call({ path: `${path}format=yaml` });
      expect([yaml.status, yaml.text]).toEqual([
        400,
        expect.stringContaining('unsupported: [format] other than json'),
      ]);
    }
    for (const path of ['/logs/_field_caps?fields=*', '/_resolve/index/logs?']) {
      const filtered = await target.call({ path: `${path}&filter_path=indices` });
      expect([filtered.status, Object.keys(filtered.json())]).toEqual([200, ['indices']]);
    }
  });

  it('answers 503 for a ClickHouse that is away', async () => {
    const proxy = { whiteIndexList: ['logs'], ck: { url: '127.0.0.1:1' } };
    await target.configure('away', { settings: { proxy } });
    const answer = await target.call({ path: '/logs/_search', handover: { runtime: 'away' } });
    expect(answer.status).toBe(503);
  });
});

describe('large answers', () => {
  const body = '{"size":10000,"sort":[{"@timestamp":"asc"}]}';

  it('streams them, gzipped when asked, with the same bytes', async () => {
    const plain = await target.call({ path: '/big/_search', body });
    expect(plain.status).toBe(200);
    expect(plain.headers['x-accel-buffering']).toBe('no');
    expect(plain.bytes.length).toBeGreaterThan(5_000_000);
    const headers = { 'accept-encoding': 'gzip' };
    const packed = await target.call({ path: '/big/_search', body, headers });
    expect(packed.headers['content-encoding']).toBe('gzip');
    const withoutTook = (bytes: Buffer) => bytes.toString().replace(/"took":\d+/, '');
    expect(withoutTook(gunzipSync(packed.bytes))).toBe(withoutTook(plain.bytes));
  });

  it('gzips small ones only from 1 kB', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const small = await search({ size: 0 }, { headers });
    expect(small.headers).not.toHaveProperty('content-encoding');
    const larger = await search({ size: 50 }, { headers });
    expect(larger.headers['content-encoding']).toBe('gzip');
    expect(larger.headers['content-length']).toBe(String(larger.bytes.length));
    expect(JSON.parse(gunzipSync(larger.bytes).toString())).toMatchObject({ timed_out: false });
  });
});

describe('_msearch', () => {
  const msearch = (lines: readonly (string | object)[], more: object = {}) =>
    target.call({
      path: '/_msearch',
      body: lines
        .map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
        .join(''),
      headers: { 'content-type': 'application/x-ndjson', authorization: 'Bearer caller' },
      ...more,
    });
  const ours = (size: number) => [{ index: 'logs' }, { size }];

  it('answers several searches in their order, each with its status', async () => {
    const answer = await msearch([
      ...ours(1),
      ...[{ index: 'absent' }, {}],
      ...[{ index: ['logs'] }, '{"query":'],
      ...[{ index: 'logs,big' }, { size: 0, track_total_hits: true }],
      ...ours(0),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      responses: [
        { hits: { hits: [{}] }, sampling: 1, cache: false, status: 200 },
        { error: { type: 'index_not_found_exception' }, status: 404 },
        { error: { type: 'json_e_o_f_exception' }, status: 400 },
        { hits: { total: { value: 10_100 } }, status: 200 },
        { hits: { hits: [] }, status: 200 },
      ],
    });
  });

  it('takes the index of the path, and refuses what it cannot read as a whole', async () => {
    const answer = await msearch([{}, { size: 0 }], { path: '/logs/_msearch' });
    expect(answer.json()).toMatchObject({ responses: [{ status: 200 }] });
    const key = await msearch([{ index: 'logs', foo: 1 }, {}], { path: '/logs/_msearch' });
    expect([key.status, key.text]).toEqual([400, expect.stringContaining('metadata section')]);
    const end = await msearch([], { body: '{"index":"logs"}\n{}' });
    expect([end.status, end.text]).toEqual([
      400,
      expect.stringContaining('terminated by a newline'),
    ]);
    const empty = await target.call({ method: 'POST', path: '/logs/_msearch' });
    expect([empty.status, empty.json()]).toMatchObject([
      400,
      { error: { type: 'parse_exception' } },
    ]);
    const type = await msearch(ours(0), { headers: { 'content-type': 'text/plain' } });
    expect(type.status).toBe(406);
  });

  it('sends foreign searches on in one request and merges by position', async () => {
    upstream.reply = ({ url }) =>
      url.startsWith('/_msearch')
        ? { body: '{"took":5,"responses":[{"n":12345678901234567890,"x":1.0}, {"second":"],"}]}' }
        : {};
    const foreign = '{"index":"other"}\n{"query" : {"match_all":{}}}\n{"index":"more-*"}\n{}\n';
    const [first, second, third, fourth] = foreign.split('\n') as [string, string, string, string];
    const answer = await msearch([first, second, ...ours(0), third, fourth], {
      path: '/_msearch?rest_total_hits_as_int=true',
      handover: { runtime: 'es', prefix: '' },
    });
    const sent = upstream.received.filter(({ url }) => url.startsWith('/_msearch'));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ body: foreign, url: '/_msearch?rest_total_hits_as_int=true' });
    expect(sent[0]?.headers).toMatchObject({
      authorization: 'Bearer caller',
      'content-type': 'application/x-ndjson',
    });
    expect(sent[0]?.headers).not.toHaveProperty('x-kibana-clickhouse');
    expect(answer.text).toMatch(
      /"responses":\[\{"n":12345678901234567890,"x":1\.0\},\{"took".*"total":100,.*"status":200\}, \{"second":"\],"\}\]\}$/,
    );
  });

  it('still answers ours when Elasticsearch is away', async () => {
    const lines = [{ index: 'other' }, {}, ...ours(0)];
    const answer = await msearch(lines, { handover: { runtime: 'open' } });
    expect(answer.json()).toMatchObject({ responses: [{ status: 503 }, { status: 200 }] });
    const none = await msearch(lines);
    expect(none.text).toContain('metadata_config.hosts');
  });

  it('sends a request without any of ours on unchanged', async () => {
    upstream.reply = () => ({ status: 418, body: 'as it is', headers: { 'x-own': '1' } });
    const body = '{"index":"other","strange":1}\r\nnot json';
    const answer = await msearch([], { body, handover: { runtime: 'es' } });
    expect([answer.status, answer.text, answer.headers['x-own']]).toEqual([418, 'as it is', '1']);
    expect(upstream.received).toEqual([expect.objectContaining({ body, method: 'POST' })]);
  });
});

describe('who may read', () => {
  const as = (user: string, more: object = {}) =>
    search({ size: 0 }, { handover: { runtime: 'es' }, headers: { authorization: user }, ...more });

  it('passes a refusal of Elasticsearch on, and asks for every way to read', async () => {
    const error = '{"error":"no","status":403}';
    upstream.reply = () => ({ status: 403, body: error, headers: { 'x-opaque-id': 'not yours' } });
    for (const path of [
      '/logs/_search',
      '/logs/_async_search?wait_for_completion_timeout=30s',
      '/logs/_field_caps?fields=*',
    ])
      expect(await as('eve', { path, method: 'POST', body: undefined })).toMatchObject({
        status: 403,
        text: error,
      });
    const resolved = await target.call({
      path: '/_resolve/index/logs',
      handover: { runtime: 'es' },
      headers: { authorization: 'eve', 'x-opaque-id': 'mine' },
    });
    expect(resolved).toMatchObject({ status: 403, headers: { 'x-opaque-id': 'mine' } });
    const item = await target.call({
      path: '/_msearch',
      body: '{"index":"logs"}\n{}\n',
      handover: { runtime: 'es' },
      headers: { authorization: 'eve' },
    });
    expect(item.json()).toMatchObject({ responses: [{ error: 'no', status: 403 }] });
    expect(upstream.received).toHaveLength(1);
  });

  it('lets in whom Elasticsearch lets in; 503 while it is away', async () => {
    upstream.reply = () => ({ status: 404, body: '{}' });
    expect((await as('bob')).status).toBe(200);
    expect((await as('bob', { handover: { runtime: 'down' } })).status).toBe(503);
    expect((await as('bob', { handover: { runtime: 'open' } })).status).toBe(200);
  });
});

describe('_resolve/index', () => {
  it('answers one of ours alone', async () => {
    const answer = await target.call({ path: '/_resolve/index/logs' });
    expect(answer.json()).toEqual({
      indices: [{ name: 'logs', attributes: ['open'] }],
      aliases: [],
      data_streams: [],
    });
  });

  it('adds those of Elasticsearch to a pattern, sorted', async () => {
    upstream.reply = ({ url }) =>
      url.startsWith('/_resolve')
        ? {
            body: '{"indices":[{"name":"loga"},{"name":"logs"},{"name":"logz"}],"aliases":[{"name":"x"}],"data_streams":[]}',
          }
        : {};
    const handover = { runtime: 'es' };
    const path = '/_resolve/index/lo*,big?expand_wildcards=open';
    const answer = await target.call({ path, handover });
    expect(upstream.received.map(({ url }) => url)).toContain(
      '/_resolve/index/lo*?expand_wildcards=open',
    );
    expect(answer.json()).toMatchObject({
      indices: [{ name: 'big' }, { name: 'loga' }, { name: 'logs' }, { name: 'logz' }],
      aliases: [{ name: 'x' }],
    });
    const alone = await target.call({ path, handover: { runtime: 'open' } });
    expect(alone.json()).toMatchObject({ indices: [{ name: 'big' }, { name: 'logs' }] });
  });
});

describe('a client that goes away', () => {
  it('stops its query', async () => {
    await runSql(
      clickhouse.url,
      "CREATE VIEW slow AS SELECT toDateTime64(0, 3, 'UTC') AS `@timestamp`, toFloat64(number) AS s FROM numbers(1000000000000)",
    );
    const proxy = { whiteIndexList: ['slow'], ck: { url: clickhouse.url } };
    await target.configure('slow', { settings: { proxy } });
    const client = connect({ url: clickhouse.url });
    const running = async () => {
      const result = await client.query({
        query:
          "SELECT query_id FROM system.processes WHERE query LIKE '%slow%' AND query NOT LIKE '%system.%'",
        format: 'JSONEachRow',
      });
      return (await result.json()).length;
    };
    const until = async (wanted: (count: number) => boolean) => {
      while (!wanted(await running())) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    const request = target.open({
      path: '/slow/_search',
      body: JSON.stringify({ size: 0, aggs: { a: { avg: { field: 's' } } } }),
      handover: { runtime: 'slow' },
    });
    const failed = once(request, 'error');
    request.on('response', (response) => response.resume());
    await until((count) => count > 0);
    request.destroy(new Error('gone'));
    await failed;
    await until((count) => count === 0);
    await client.close();
    // below the 30 s after which ClickHouse would stop it anyway
  }, 20_000);

  it('while it still sends its body, costs nothing and harms nothing', async () => {
    const request = target.open({
      path: '/logs/_search',
      chunked: true,
      handover: {},
      headers: { 'content-type': 'application/json', 'content-length': '1000000' },
      method: 'POST',
    });
    request.on('error', () => undefined);
    request.destroy();
    expect((await search({ size: 0 })).status).toBe(200);
  });
});
