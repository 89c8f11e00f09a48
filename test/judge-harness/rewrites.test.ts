import type { JsonObject, JsonValue } from '../../plugins/kibana-clickhouse/common/json/json';
import { isJsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { describeJudged, sharedJudgeUrl } from '../judge/describe-judged';
import { loadIndex } from '../judge/load';
import { judgeRequest } from '../judge/request';
import { equalRequest } from '../judge/rewrites';

const index = 'judge-rewrites';

async function ask(path: string, body: JsonObject): Promise<JsonObject> {
  const { request, restore } = equalRequest({ method: 'POST', path: `/${index}/${path}`, body });
  const sent = request.body === undefined ? undefined : writeJson(request.body);
  const { status, text } = await judgeRequest(sharedJudgeUrl(), request.method, request.path, sent);
  if (status !== 200) throw new Error(`${String(status)} ${text}`);
  const answer = restore(parseJson(text));
  if (!isJsonObject(answer)) throw new Error(text);
  return answer;
}

const aggregate = async (
  aggs: JsonObject,
  query: JsonObject = { match_all: {} },
): Promise<JsonValue> => (await ask('_search', { size: 0, query, aggs }))['aggregations'] ?? null;

const months: JsonObject = { field: 'at', calendar_interval: 'month' };
const days: JsonObject = { field: 'at', fixed_interval: '1d', min_doc_count: 1 };

describeJudged('what the judge has not, by what it has', () => {
  beforeAll(async () => {
    await loadIndex(sharedJudgeUrl(), {
      index,
      mappings: {
        properties: {
          at: { type: 'date' },
          host: { type: 'keyword' },
          n: { type: 'long' },
          d: { type: 'double' },
          ok: { type: 'boolean' },
          ip: { type: 'ip' },
          many: { type: 'long' },
        },
      },
      documents: [
        {
          at: '2024-01-01T00:00:00Z',
          host: 'a',
          n: -1,
          d: 1.5,
          ok: true,
          ip: '10.0.0.1',
          many: [1, 2],
        },
        {
          at: '2024-01-02T00:00:00Z',
          host: 'a',
          n: 10,
          d: 1e7,
          ok: false,
          ip: '10.0.200.7',
          many: [3, 6],
        },
        {
          at: '2024-02-01T00:00:00Z',
          host: 'b',
          n: 9,
          d: -2,
          ok: true,
          ip: '2001:db8::ff00:42:8329',
        },
        { at: '2024-02-01T06:00:00Z', host: 'b', n: 9, d: -2, ok: true, ip: '2001:db8:0:1::1' },
        { at: '2024-04-01T00:00:00Z', host: 'Ĉ', d: 4 },
      ].map((source, i) => ({ id: String(i), source })),
    });
  }, 60_000);

  afterAll(async () => {
    await judgeRequest(sharedJudgeUrl(), 'DELETE', `/${index}`);
  });

  it('top_metrics', async () => {
    const metrics = [{ field: 'n' }, { field: 'many' }, { field: 'at' }, { field: 'ok' }];
    const aggs = {
      last: { top_metrics: { metrics, sort: { at: 'desc' }, size: 2 } },
      most: { top_metrics: { metrics: { field: 'd' }, sort: [{ n: 'desc' }] } },
      none: {
        filter: { term: { host: 'z' } },
        aggs: { last: { top_metrics: { metrics, sort: { at: 'desc' } } } },
      },
    };
    expect(await aggregate(aggs, { terms: { host: ['a'] } })).toEqual({
      last: {
        top: [
          {
            sort: ['2024-01-02T00:00:00.000Z'],
            metrics: { n: 10, many: 5, at: '2024-01-02T00:00:00.000Z', ok: 'false' },
          },
          {
            sort: ['2024-01-01T00:00:00.000Z'],
            metrics: { n: -1, many: 2, at: '2024-01-01T00:00:00.000Z', ok: 'true' },
          },
        ],
      },
      most: { top: [{ sort: [10], metrics: { d: 10_000_000 } }] },
      none: { doc_count: 0, last: { top: [] } },
    });
  });

  it('multi_terms', async () => {
    const multi = (terms: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
      multi_terms: { terms, ...more },
    });
    const aggs = {
      pairs: {
        ...multi([{ field: 'host' }, { field: 'n' }]),
        aggs: { sum: { sum: { field: 'd' } } },
      },
      all: multi([{ field: 'at' }, { field: 'd' }, { field: 'ok' }], {
        size: 1,
        order: { _key: 'desc' },
      }),
      filled: multi([{ field: 'n', missing: 0 }, { field: 'host' }], { order: { _key: 'asc' } }),
      several: multi([{ field: 'many' }, { field: 'host' }]),
    };
    const bucket = (key: readonly JsonValue[], text: string, count: number): JsonObject => ({
      key,
      key_as_string: text,
      doc_count: count,
    });
    const around = { doc_count_error_upper_bound: 0, sum_other_doc_count: 0 };
    expect(await aggregate(aggs)).toEqual({
      pairs: {
        ...around,
        buckets: [
          { ...bucket(['b', 9], 'b|9', 2), sum: { value: -4 } },
          { ...bucket(['a', -1], 'a|-1', 1), sum: { value: 1.5 } },
          { ...bucket(['a', 10], 'a|10', 1), sum: { value: 1e7 } },
        ],
      },
      all: {
        ...around,
        sum_other_doc_count: 3,
        buckets: [
          bucket(['2024-02-01T06:00:00.000Z', -2, true], '2024-02-01T06:00:00.000Z|-2.0|true', 1),
        ],
      },
      filled: {
        ...around,
        buckets: [
          bucket([-1, 'a'], '-1|a', 1),
          bucket([0, 'Ĉ'], '0|Ĉ', 1),
          bucket([9, 'b'], '9|b', 2),
          bucket([10, 'a'], '10|a', 1),
        ],
      },
      several: {
        ...around,
        buckets: [1, 2, 3, 6].map((n) => bucket([n, 'a'], `${String(n)}|a`, 1)),
      },
    });
    const large = await aggregate(
      { a: multi([{ field: 'd' }, { field: 'host' }]) },
      { term: { n: 10 } },
    );
    expect(large).toMatchObject({ a: { buckets: [{ key_as_string: '1.0E7|a' }] } });
  });

  it('rate', async () => {
    const rates = {
      docs: { rate: { unit: 'day' } },
      yearly: { rate: { unit: 'year' } },
      sum: { rate: { unit: 'hour', field: 'n' } },
      values: { rate: { unit: 'month', field: 'many', mode: 'value_count' } },
      plain: { rate: {} },
    };
    const found = await aggregate({
      months: { date_histogram: months, aggs: rates },
      weeks: {
        date_histogram: { ...days, fixed_interval: '7d' },
        aggs: { hosts: { terms: { field: 'host' }, aggs: { docs: { rate: { unit: '1d' } } } } },
      },
    });
    const shown = (...values: readonly number[]): JsonObject =>
      Object.fromEntries(Object.keys(rates).map((name, i) => [name, { value: values[i] ?? null }]));
    expect(found).toMatchObject({
      months: {
        buckets: [
          shown(2 / 31, 24, 9 / (31 * 24), 4, 2),
          shown(2 / 29, 24, 18 / (29 * 24), 0, 2),
          shown(0, 0, 0, 0, 0),
          shown(1 / 30, 12, 0, 0, 1),
        ],
      },
      weeks: {
        buckets: [
          { hosts: { buckets: [{ key: 'a', docs: { value: 2 / 7 } }] } },
          { hosts: { buckets: [{ key: 'b', docs: { value: 2 / 7 } }] } },
          { hosts: { buckets: [{ key: 'Ĉ', docs: { value: 1 / 7 } }] } },
        ],
      },
    });
  });

  it('rate over months in which clocks change', async () => {
    const histogram = { ...months, time_zone: 'America/New_York', min_doc_count: 1 };
    const found = await aggregate(
      { a: { date_histogram: histogram, aggs: { r: { rate: { unit: 'hour' } } } } },
      { range: { at: { gte: '2024-04-01' } } },
    );
    expect(found).toMatchObject({ a: { buckets: [{ r: { value: 1 / (31 * 24 - 1) } }] } });
  });

  it('ip_prefix', async () => {
    const prefix = (more: JsonObject): JsonObject => ({ ip_prefix: { field: 'ip', ...more } });
    const v4 = (key: string, count: number, length: number, netmask: string): JsonObject => ({
      key,
      doc_count: count,
      is_ipv6: false,
      prefix_length: length,
      netmask,
    });
    const v6 = (key: string, count: number, length: number): JsonObject => ({
      key,
      doc_count: count,
      is_ipv6: true,
      prefix_length: length,
    });
    const only = { term: { host: 'a' } };
    const aggs = {
      wide: { ...prefix({ prefix_length: 8 }), aggs: { n: { sum: { field: 'n' } } } },
      narrow: prefix({ prefix_length: 18, append_prefix_length: true }),
      keyed: prefix({ prefix_length: 16, keyed: true }),
    };
    const keyed = { doc_count: 2, is_ipv6: false, prefix_length: 16, netmask: '255.255.0.0' };
    expect(await aggregate(aggs, only)).toEqual({
      wide: { buckets: [{ ...v4('10.0.0.0', 2, 8, '255.0.0.0'), n: { value: 9 } }] },
      narrow: {
        buckets: [
          v4('10.0.0.0/18', 1, 18, '255.255.192.0'),
          v4('10.0.192.0/18', 1, 18, '255.255.192.0'),
        ],
      },
      keyed: { buckets: { '10.0.0.0': keyed } },
    });
    const long = {
      a: prefix({ prefix_length: 64, is_ipv6: true }),
      b: prefix({ prefix_length: 128, is_ipv6: true }),
    };
    expect(await aggregate(long)).toEqual({
      a: { buckets: [v6('::', 2, 64), v6('2001:db8::', 1, 64), v6('2001:db8:0:1::', 1, 64)] },
      b: {
        buckets: [
          v6('10.0.0.1', 1, 128),
          v6('10.0.200.7', 1, 128),
          v6('2001:db8::ff00:42:8329', 1, 128),
          v6('2001:db8:0:1::1', 1, 128),
        ],
      },
    });
  });

  it('normalize', async () => {
    const path = { buckets_path: 'n' };
    const normal = (method: string): JsonObject => ({ normalize: { ...path, method } });
    const aggs = {
      a: {
        date_histogram: months,
        aggs: {
          n: { sum: { field: 'n' } },
          share: normal('percent_of_sum'),
          scaled: normal('rescale_0_1'),
          hundred: normal('rescale_0_100'),
          mean: normal('mean'),
          z: normal('z-score'),
          soft: normal('softmax'),
          docs: { normalize: { buckets_path: '_count', method: 'percent_of_sum' } },
        },
      },
    };
    const names = ['n', 'share', 'scaled', 'mean', 'z', 'soft', 'docs', 'hundred'];
    const shown = (...values: readonly number[]): Readonly<Record<string, unknown>> =>
      Object.fromEntries(
        [...values, 100 * (values[2] ?? 0)].map((value, i): [string, unknown] => [
          names[i] ?? '',
          { value: expect.closeTo(value, 12) },
        ]),
      );
    const sumExp = Math.exp(9) + Math.exp(18) + 1;
    const deviation = Math.sqrt(54);
    expect(await aggregate(aggs)).toMatchObject({
      a: {
        buckets: [
          shown(9, 9 / 27, 0.5, 0, 0, Math.exp(9) / sumExp, 0.4),
          shown(18, 18 / 27, 1, 0.5, 9 / deviation, Math.exp(18) / sumExp, 0.4),
          {
            n: { value: 0 },
            share: { value: null },
            scaled: { value: null },
            z: { value: null },
            docs: { value: 0 },
          },
          shown(0, 0, 0, -0.5, -9 / deviation, 1 / sumExp, 0.2),
        ],
      },
    });
  });

  it('cumulative_cardinality', async () => {
    const aggs = {
      a: {
        date_histogram: months,
        aggs: {
          hosts: { cardinality: { field: 'host', precision_threshold: 100 } },
          soFar: { cumulative_cardinality: { buckets_path: 'hosts' } },
        },
      },
    };
    expect(await aggregate(aggs)).toMatchObject({
      a: {
        buckets: [
          { hosts: { value: 1 }, soFar: { value: 1 } },
          { hosts: { value: 1 }, soFar: { value: 2 } },
          { hosts: { value: 0 }, soFar: { value: 2 } },
          { hosts: { value: 1 }, soFar: { value: 3 } },
        ],
      },
    });
  });

  it('random_sampler of all documents', async () => {
    const aggs = {
      a: {
        random_sampler: { probability: 1, seed: 7 },
        aggs: { b: { top_metrics: { metrics: { field: 'n' }, sort: { n: 'asc' } } } },
      },
    };
    expect(await aggregate(aggs)).toEqual({
      a: {
        seed: 7,
        probability: 1,
        doc_count: 5,
        b: { top: [{ sort: [-1], metrics: { n: -1 } }] },
      },
    });
  });

  it('_terms_enum', async () => {
    const answer = await ask('_terms_enum', { field: 'host', string: 'A', case_insensitive: true });
    expect(answer).toMatchObject({ terms: ['a'], complete: true });
  });

  it('_field_caps with its fields in the body', async () => {
    const answer = await ask('_field_caps?include_empty_fields=true', { fields: ['host', 'n*'] });
    expect(answer['fields']).toMatchObject({ host: {}, n: { long: { type: 'long' } } });
  });

  it('meta of an aggregation', async () => {
    const aggs = { a: { date_histogram: months, aggs: { r: { rate: {}, meta: { id: 'x' } } } } };
    expect(await aggregate(aggs)).toMatchObject({
      a: { buckets: [{ r: { value: 2, meta: { id: 'x' } } }, {}, {}, {}] },
    });
  });
});
