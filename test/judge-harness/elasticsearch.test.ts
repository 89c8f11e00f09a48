import { describeJudged, sharedJudgeUrl } from '../judge/describe-judged';
import { loadIndex } from '../judge/load';
import { judgeRequest, judgeRequester } from '../judge/request';

const index = 'judge-harness';

interface Found {
  readonly hits: {
    readonly hits: readonly { readonly fields?: unknown }[];
    readonly total: unknown;
  };
  readonly aggregations: Readonly<Record<string, { readonly buckets: readonly object[] }>>;
}

async function search(body: object): Promise<Found> {
  const {
    status,
    text,
    body: found,
  } = await judgeRequest(sharedJudgeUrl(), 'POST', `/${index}/_search`, body);
  expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
  return found as Found;
}

describeJudged('the shared Elasticsearch', () => {
  beforeAll(async () => {
    await loadIndex(sharedJudgeUrl(), {
      index,
      mappings: {
        properties: {
          at: { type: 'date' },
          bytes: { type: 'long' },
          host: { type: 'keyword' },
          place: { type: 'geo_point' },
        },
      },
      documents: [
        { id: '1', source: { at: '2024-01-01T00:00:00Z', bytes: 1, host: 'a', place: '52,21' } },
        { id: '2', source: { at: '2024-01-02T00:00:00Z', bytes: 2, host: 'b' } },
        { id: '3', source: '{"at":"2024-01-02T12:00:00Z",\n"bytes":9007199254740993,"host":"b"}' },
      ],
    });
  }, 60_000);

  afterAll(async () => {
    await judgeRequest(sharedJudgeUrl(), 'DELETE', `/${index}`);
  });

  it('is 7.17.29', async () => {
    const { status, body } = await judgeRequest(sharedJudgeUrl(), 'GET', '/');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: { number: '7.17.29' },
      tagline: 'You Know, for Search',
    });
  });

  it('keeps whole numbers beyond 2^53', async () => {
    const { text } = await judgeRequest(sharedJudgeUrl(), 'GET', `/${index}/_doc/3`);
    expect(text).toContain('"bytes":9007199254740993');
  });

  it('runs Painless in a query', async () => {
    const found = await search({ query: { script: { script: "doc['bytes'].value % 2 == 0" } } });
    expect(found.hits).toMatchObject({ total: { value: 1 }, hits: [{ _id: '2' }] });
  });

  it.each([
    ['long', "emit(doc['bytes'].value + 1)", 2],
    ['double', "emit(doc['bytes'].value / 2.0)", 0.5],
    ['boolean', "emit(doc['host'].value == 'a')", true],
    ['date', "emit(doc['at'].value.toInstant().toEpochMilli())", '2024-01-01T00:00:00.000Z'],
    ['ip', "emit('10.0.0.' + doc['bytes'].value)", '10.0.0.1'],
    ['keyword', "emit(doc['host'].value + '!')", 'a!'],
    ['geo_point', 'emit(52.0, 21.0)', '51.99999995995313, 20.999999921768904'],
  ])('runs Painless in a runtime field of type %s', async (type, source, value) => {
    const found = await search({
      query: { ids: { values: ['1'] } },
      runtime_mappings: { made: { type, script: { source } } },
      fields: ['made'],
      _source: false,
    });
    expect(found.hits.hits[0]?.fields).toEqual({ made: [value] });
  });

  it('runs Painless in a runtime field of type composite', async () => {
    const found = await search({
      query: { ids: { values: ['1'] } },
      runtime_mappings: {
        made: {
          type: 'composite',
          script: "emit('n', doc['bytes'].value); emit(['k': doc['host'].value])",
          fields: { n: { type: 'long' }, k: { type: 'keyword' } },
        },
      },
      fields: ['made.*'],
    });
    expect(found.hits.hits[0]?.fields).toEqual({ 'made.n': [1], 'made.k': ['a'] });
  });

  it.each(['painless', 'expression'])('runs a bucket script in %s', async (lang) => {
    const source = lang === 'painless' ? 'params.least * 10' : 'least * 10';
    const found = await search({
      size: 0,
      aggs: {
        hosts: {
          terms: { field: 'host', order: { _key: 'asc' } },
          aggs: {
            least: { min: { field: 'bytes' } },
            ten: { bucket_script: { buckets_path: { least: 'least' }, script: { lang, source } } },
          },
        },
      },
    });
    expect(found.aggregations['hosts']?.buckets).toMatchObject([
      { key: 'a', ten: { value: 10 } },
      { key: 'b', ten: { value: 20 } },
    ]);
  });

  it('spells days and months in full and begins weeks on Monday', async () => {
    const format = 'EEEE d MMMM, e, YYYY-ww';
    const found = await search({
      size: 0,
      aggs: { days: { date_histogram: { field: 'at', calendar_interval: 'day', format } } },
    });
    expect(found.aggregations['days']?.buckets).toMatchObject([
      { key_as_string: 'Monday 1 January, 1, 2024-01' },
      { key_as_string: 'Tuesday 2 January, 2, 2024-01' },
    ]);
  });

  it('is left by a request that takes too long', async () => {
    const path = '/_cluster/health?wait_for_nodes=9&timeout=30s';
    await expect(judgeRequester(300)(sharedJudgeUrl(), 'GET', path)).rejects.toThrow(
      `GET ${path}: no answer within 0.3 s`,
    );
    await search({ size: 0 });
  });

  it('replaces an index that is loaded again, and says which document it refuses', async () => {
    const again = { index: `${index}-again`, mappings: { properties: { n: { type: 'long' } } } };
    const url = sharedJudgeUrl();
    await expect(loadIndex(url, { ...again, documents: [{ source: { n: 1 } }] })).resolves.toBe(1);
    await expect(loadIndex(url, { ...again, documents: [{ source: { n: 2 } }] })).resolves.toBe(1);
    const { body } = await judgeRequest(url, 'POST', `/${again.index}/_count`);
    expect(body).toMatchObject({ count: 1 });
    await expect(loadIndex(url, { ...again, documents: [{ source: { n: 'x' } }] })).rejects.toThrow(
      /mapper_parsing_exception.*failed to parse field \[n\]/,
    );
    await judgeRequest(url, 'DELETE', `/${again.index}`);
  });
});
