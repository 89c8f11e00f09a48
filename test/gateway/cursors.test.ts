import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import type { Gateway } from '../../dev/gateway/gateway';
import type { JsonObject, JsonValue } from '../../plugins/kibana-clickhouse/common/json/json';
import { type Answer, ask, closeClient } from './client';
import { kongConfig, pluginConfig, startProduct, startTables } from './product';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(60_000);

let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let gateway: Gateway;

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
  const serviceUrl = `http://127.0.0.1:${String(upstream.port)}`;
  const plugin = pluginConfig(clickHouse.url, { metadata_config: { hosts: [serviceUrl] } });
  gateway = await startProduct(kongConfig([{ serviceUrl, plugin }]));
});

afterAll(async () => {
  closeClient();
  await gateway.close();
  await Promise.all([upstream.close(), clickHouse.close()]);
});

beforeEach(() => {
  upstream.reset();
});

const call = (method: string, path: string, body?: JsonObject): Promise<Answer> =>
  ask(gateway.url, path, { method, ...(body && { body }) });

interface Page {
  readonly pit_id?: string;
  readonly _scroll_id?: string;
  readonly aggregations?: JsonObject;
  readonly hits: {
    readonly total: JsonValue;
    readonly hits: readonly { readonly _id: string; readonly sort?: readonly JsonValue[] }[];
  };
}

const pageOf = (answer: Answer): Page => {
  expect(answer.text).toContain('"hits"');
  return answer.json() as unknown as Page;
};
const idsOf = ({ hits }: Page): readonly string[] => hits.hits.map(({ _id: id }) => id);

async function openPointInTime(): Promise<string> {
  const answer = await call('POST', '/logs/_pit?keep_alive=1m');
  expect(answer.status).toBe(200);
  return String(answer.json()['id']);
}

describe('points in time', () => {
  test.each([
    ['_search', 'status', { status: 'asc' }],
    [
      '_search',
      'a date in a format',
      { '@timestamp': { order: 'desc', format: 'strict_date_optional_time' } },
    ],
    ['_async_search', 'the index order', '_shard_doc'],
  ])('%s pages by %s: each document once', async (endpoint, _, sort) => {
    let id = await openPointInTime();
    const found: string[] = [];
    let after: readonly JsonValue[] | undefined;
    for (;;) {
      const body = { size: 250, _source: false, sort: [sort], pit: { id, keep_alive: '30s' } };
      const answer = await call('POST', `/${endpoint}?max_concurrent_shard_requests=5`, {
        ...body,
        ...(after && { search_after: after }),
      });
      const text = endpoint === '_search' ? answer.json() : answer.json()['response'];
      const page = text as Page;
      id = page.pit_id ?? '';
      if (page.hits.hits.length === 0) break;
      found.push(...idsOf(page));
      after = page.hits.hits.at(-1)?.sort;
    }
    expect([found.length, new Set(found).size]).toEqual([600, 600]);
    expect(upstream.received).toEqual([]);
  });

  test('hits have the tiebreaker as their last sort value, unless the last page had none', async () => {
    const id = await openPointInTime();
    const search = { size: 1, sort: [{ bytes: 'asc' }], pit: { id } };
    const first = pageOf(await call('POST', '/_search', search));
    expect(first.hits.hits[0]?.sort).toEqual([0, expect.any(Number)]);
    const fewer = pageOf(await call('POST', '/_search', { ...search, search_after: [100] }));
    expect(fewer.hits.hits[0]?.sort).toEqual([200]);
    const unsorted = pageOf(await call('GET', '/_search', { size: 1, pit: { id } }));
    expect(unsorted.hits.hits[0]?.sort).toBeUndefined();
  });

  test('end, and may be ended again', async () => {
    const id = await openPointInTime();
    for (let i = 0; i < 2; i++) {
      const answer = await call('DELETE', '/_pit', { id });
      expect([answer.status, answer.json()]).toEqual([200, { succeeded: true, num_freed: 1 }]);
    }
    expect(upstream.received).toEqual([]);
  });

  test("OpenSearch's spelling", async () => {
    const opened = await call('POST', '/logs/_search/point_in_time?keep_alive=1m');
    const { pit_id: id, ...rest } = opened.json();
    expect(rest).toEqual({
      _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
      creation_time: expect.any(Number) as unknown,
    });
    const page = pageOf(await call('POST', '/_search', { pit: { id: String(id) } }));
    expect(page.pit_id).toBe(id);
    const closed = await call('DELETE', '/_search/point_in_time', { pit_id: [String(id)] });
    expect(closed.json()).toEqual({ pits: [{ successful: true, pit_id: id }] });
  });

  test.each([
    ['POST', '/absent/_pit?keep_alive=1m', 404],
    ['POST', '/logs/_pit', 400],
    ['POST', '/logs/_pit?keep_alive=2d', 400],
    ['POST', '/logs/_pit?keep_alive=1m&nonsense=1', 400],
  ])('%s %s: %i', async (method, path, status) => {
    expect((await call(method, path)).status).toBe(status);
  });

  test('stand beside no index, and nothing that chooses one', async () => {
    const id = await openPointInTime();
    const search = { pit: { id } };
    for (const path of ['/logs/_search', '/_search?ignore_unavailable=true', '/_search?routing=1'])
      expect((await call('POST', path, search)).status).toBe(400);
  });

  test('of an index that is not served any more are not found', async () => {
    const id = `kch.pit.${Buffer.from('other').toString('base64url')}`;
    const answer = await call('POST', '/_search', { pit: { id } });
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('search_context_missing_exception');
    expect(upstream.received).toEqual([]);
  });

  test.each([
    ['POST', '/_search', { pit: { id: 'aGVsbG8=' } }],
    ['GET', '/_search', { query: { match_all: {} } }],
    ['POST', '/_async_search', { pit: { id: 'aGVsbG8=' } }],
    ['DELETE', '/_pit', { id: 'aGVsbG8=' }],
    ['DELETE', '/_search/point_in_time', { pit_id: ['aGVsbG8='] }],
    ['POST', '/_search/scroll', { scroll_id: 'aGVsbG8=' }],
    ['DELETE', '/_search/scroll', { scroll_id: ['aGVsbG8='] }],
  ])('%s %s of Elasticsearch goes there as it came', async (method, path, body) => {
    expect((await call(method, path, body)).json()).toEqual({ upstream: true });
    expect(upstream.received).toEqual([
      expect.objectContaining({ method, url: path, body: Buffer.from(JSON.stringify(body)) }),
    ]);
  });

  test('of both sides in one request are refused', async () => {
    const body = { pit_id: [await openPointInTime(), 'aGVsbG8='] };
    expect((await call('DELETE', '/_search/point_in_time', body)).status).toBe(400);
    expect(upstream.received).toEqual([]);
  });
});

async function scrolled(search: JsonObject, options = ''): Promise<readonly Page[]> {
  const pages = [pageOf(await call('POST', `/logs/_search?scroll=1m${options}`, search))];
  for (;;) {
    const last = pages.at(-1);
    if (!last || last.hits.hits.length === 0) return pages;
    const body = { scroll: '1m', scroll_id: last._scroll_id ?? '' };
    pages.push(pageOf(await call('POST', '/_search/scroll', body)));
  }
}

describe('scrolls', () => {
  test.each([
    ['index order', {}],
    ['a key that ties', { sort: [{ status: 'desc' }] }],
    [
      'a date in a format that leaves out the time',
      {
        sort: [{ '@timestamp': { order: 'asc', format: 'yyyy-MM-dd' } }],
      },
    ],
  ])('%s: each document once, all counted on every page', async (_, search) => {
    const pages = await scrolled({ ...search, size: 250, _source: false });
    expect(pages.map(({ hits }) => hits.hits.length)).toEqual([250, 250, 100, 0]);
    expect(new Set(pages.flatMap(idsOf)).size).toBe(600);
    for (const { hits } of pages) expect(hits.total).toEqual({ value: 600, relation: 'eq' });
    expect(upstream.received).toEqual([]);
  });

  test('hits are what the search asks for, aggregations stand on the first page', async () => {
    const pages = await scrolled({
      size: 400,
      sort: [{ bytes: 'desc' }],
      query: { range: { bytes: { gte: 5000 } } },
      _source: ['bytes'],
      aggs: { most: { max: { field: 'bytes' } } },
    });
    expect(pages[0]?.aggregations).toEqual({ most: { value: 59_900 } });
    expect(pages[1]?.aggregations).toBeUndefined();
    expect(pages[1]?.hits.hits[0]).toMatchObject({ _source: { bytes: 19_900 }, sort: [19_900] });
  });

  test('a page without `scroll` has no id, and ids may be ended again', async () => {
    const first = pageOf(await call('POST', '/logs/_search?scroll=1m&size=1'));
    const id = first._scroll_id ?? '';
    const last = pageOf(await call('GET', '/_search/scroll', { scroll_id: id }));
    expect([last._scroll_id, last.hits.hits.length]).toEqual([undefined, 1]);
    const asInteger = await call(
      'POST',
      `/_search/scroll?rest_total_hits_as_int=true&scroll=1m&scroll_id=${id}`,
    );
    expect(pageOf(asInteger).hits.total).toBe(600);
    for (const ended of [id, [id, id]]) {
      const answer = await call('DELETE', '/_search/scroll', { scroll_id: ended });
      expect(answer.json()).toEqual({ succeeded: true, num_freed: [ended].flat().length });
    }
  });

  test('an id that nobody gave is not found', async () => {
    const answer = await call('POST', '/_search/scroll', { scroll_id: 'kch.scroll.nonsense' });
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('search_context_missing_exception');
  });
});
