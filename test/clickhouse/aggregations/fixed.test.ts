import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { type Bench, openBench } from './support';

let bench: Bench;
let table: Table;

beforeAll(async () => {
  bench = await openBench();
  await bench.sql(`CREATE TABLE logs (
    ts DateTime64(3, 'UTC'), nanos DateTime64(9, 'UTC'), second DateTime('UTC'), day Date, event_time Int64,
    host String, level LowCardinality(String), bytes Nullable(Int64), price Nullable(Float64), ok Bool,
    ip IPv6, tags Array(String), seen Array(DateTime64(3, 'UTC')), big UInt64, id UUID,
    kind Enum8('two' = 1, 'one' = 2), key_0 Int32, docs Int32
  ) ENGINE = MergeTree ORDER BY ts`);
  await bench.sql(`INSERT INTO logs VALUES
    ('2024-01-01 00:10:00', '2024-01-01 00:10:00.000000001', '2024-01-01 00:10:00', '2024-01-01', 1704067800000,
     'a', 'info', 10, 1.5, true, '10.0.0.1', ['x','y','x'],
     ['2024-01-01 00:00:01','2024-01-01 00:00:02','2024-01-02 00:00:00'], 18446744073709551615,
     '00000000-0000-0000-0000-000000000002', 'two', 1, 10),
    ('2024-01-01 01:20:00', '1969-12-31 23:59:59.999999999', '2024-01-01 01:20:00', '2024-01-01', 1704072000000,
     'b', 'warn', 20, NULL, false, '::1', ['y'], [], 18446744073709551615,
     '10000000-0000-0000-0000-000000000001', 'one', 2, 20),
    ('2024-01-01 04:30:00', '2024-01-01 04:30:00', '2024-01-01 04:30:00', '2024-01-01', 1704083400000,
     'a', 'info', NULL, 2.5, true, '10.0.0.1', [], ['2024-01-03 00:00:00'], 1,
     '00000000-0000-0000-0000-000000000002', 'two', 3, 30),
    ('2024-01-03 00:00:00', '2024-01-03 00:00:00', '2024-01-03 00:00:00', '2024-01-03', 1704240000000,
     'c', 'info', 30, NULL, true, '10.0.0.2', ['z','y'], ['2024-01-03 00:00:00'], 2,
     '00000000-0000-0000-0000-000000000003', 'one', 4, 40)`);
  table = await bench.table('logs');
}, 60_000);
afterAll(() => bench.close());

const search = async (aggs: JsonValue): Promise<JsonObject> =>
  (await bench.search(table, aggs)).aggregations;

const one = async (agg: JsonValue): Promise<JsonObject> =>
  (await search({ a: agg }))['a'] as JsonObject;

const keys = async (agg: JsonValue): Promise<readonly unknown[]> => {
  const { buckets } = await one(agg);
  return (buckets as readonly JsonObject[]).map((bucket) => [bucket['key'], bucket['doc_count']]);
};

const refusal = async (agg: JsonValue): Promise<object> =>
  one(agg).then(
    () => ({}),
    (error: unknown) => error as object,
  );

describe('avg', () => {
  test('is null of nothing, a double of everything else', async () => {
    expect(
      await search({
        some: { avg: { field: 'bytes' }, meta: { id: 1 } },
        none: { avg: { field: 'nothing' } },
        boolean: { avg: { field: 'ok' } },
        overflow: { avg: { field: 'big' } },
      }),
    ).toEqual({
      some: { meta: { id: 1 }, value: 20 },
      none: { value: null },
      boolean: { value: 0.75, value_as_string: 'true' },
      overflow: { value: (2 * 2 ** 64 + 3) / 4 },
    });
  });

  test('of dates has a text', async () => {
    expect(await one({ avg: { field: 'day', format: 'yyyy-MM-dd HH' } })).toEqual({
      value: Date.parse('2024-01-01T12:00:00Z'),
      value_as_string: '2024-01-01 12',
    });
  });

  test('of every value of an array', async () => {
    expect(await one({ avg: { field: 'seen', format: 'epoch_millis' } })).toMatchObject({
      value: Date.parse('2024-01-02T00:00:00.600Z'),
    });
  });

  test('is refused for text and what is no number', async () => {
    expect(await refusal({ avg: { field: 'level' } })).toMatchObject({
      status: 400,
      message: 'Field [level] of type [keyword] is not supported for aggregation [avg]',
    });
  });

  test('columns named like the statement’s own are the table’s', async () => {
    const { a } = await search({
      a: {
        terms: { field: 'key_0', size: 1, order: { d: 'desc' } },
        aggs: { d: { avg: { field: 'docs' } } },
      },
    });
    expect(a).toMatchObject({ buckets: [{ key: 4, doc_count: 1, d: { value: 40 } }] });
  });
});

describe('terms', () => {
  test('counts what is not shown', async () => {
    expect(await one({ terms: { field: 'host', size: '1' } })).toEqual({
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 2,
      buckets: [{ key: 'a', doc_count: 2 }],
    });
  });

  test('counts a document once for each of its distinct values', async () => {
    expect(await one({ terms: { field: 'tags', size: 1 } })).toMatchObject({
      sum_other_doc_count: 2,
      buckets: [{ key: 'y', doc_count: 3 }],
    });
  });

  test('has keys as Elasticsearch writes them', async () => {
    expect(await keys({ terms: { field: 'big' } })).toEqual([
      [18446744073709551615n, 2],
      [1, 1],
      [2, 1],
    ]);
    expect(await keys({ terms: { field: 'price' } })).toEqual([
      [1.5, 1],
      [2.5, 1],
    ]);
    expect((await one({ terms: { field: 'ok' } }))['buckets']).toEqual([
      { key: 1, key_as_string: 'true', doc_count: 3 },
      { key: 0, key_as_string: 'false', doc_count: 1 },
    ]);
    expect((await one({ terms: { field: 'day' } }))['buckets']).toEqual([
      { key: 1704067200000, key_as_string: '2024-01-01T00:00:00.000Z', doc_count: 3 },
      { key: 1704240000000, key_as_string: '2024-01-03T00:00:00.000Z', doc_count: 1 },
    ]);
  });

  test.each([
    ['ip', ['::1', '10.0.0.1', '10.0.0.2']],
    [
      'id',
      [
        '00000000-0000-0000-0000-000000000002',
        '00000000-0000-0000-0000-000000000003',
        '10000000-0000-0000-0000-000000000001',
      ],
    ],
    ['kind', ['one', 'two']],
  ])('orders the keys of %s as Elasticsearch does', async (field, expected) => {
    const found = await keys({ terms: { field, order: { _key: 'asc' } } });
    expect(found.map((pair) => (pair as readonly unknown[])[0])).toEqual(expected);
  });

  test('orders by a sub-metric, buckets without a value last both ways', async () => {
    const by = (direction: string): Promise<readonly unknown[]> =>
      keys({
        terms: { field: 'level', order: { 'm.value': direction } },
        aggs: { m: { avg: { field: 'price' } } },
      });
    expect(await by('asc')).toEqual([
      ['info', 3],
      ['warn', 1],
    ]);
    expect(await by('desc')).toEqual(await by('asc'));
  });

  test.each(['host', 'level', 'tags'])(
    'ties by key where %s is ordered by a metric of an unmapped field',
    async (field) => {
      const found = await keys({
        terms: { field, order: { m: 'desc' } },
        aggs: { m: { avg: { field: 'nothing' } }, t: { terms: { field: 'ok' } } },
      });
      const names = found.map((pair) => String((pair as readonly unknown[])[0]));
      expect(names).toEqual([...names].sort());
    },
  );

  test('finds the top keys first where there may be many, and gives the same', async () => {
    const below = {
      per_level: { terms: { field: 'level' }, aggs: { m: { avg: { field: 'bytes' } } } },
    };
    expect(await one({ terms: { field: 'host', size: 1 }, aggs: below })).toEqual({
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 2,
      buckets: [
        {
          key: 'a',
          doc_count: 2,
          per_level: {
            doc_count_error_upper_bound: 0,
            sum_other_doc_count: 0,
            buckets: [{ key: 'info', doc_count: 2, m: { value: 10 } }],
          },
        },
      ],
    });
  });

  test('of an unmapped field has no buckets', async () => {
    expect(
      await one({ terms: { field: 'nothing' }, aggs: { m: { avg: { field: 'bytes' } } } }),
    ).toEqual({
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 0,
      buckets: [],
    });
  });

  test('cannot be ordered by what is not there', async () => {
    expect(await refusal({ terms: { field: 'host', order: { zz: 'asc' } } })).toMatchObject({
      status: 400,
      type: 'aggregation_execution_exception',
      message: expect.stringContaining('Invalid aggregation order path [zz]. '),
    });
  });
});

describe('date_histogram', () => {
  const hist = (more: JsonObject): JsonValue => ({
    date_histogram: { field: 'ts', fixed_interval: '2h', ...more },
  });

  test('fills the gaps with the empty shapes of its sub-aggregations', async () => {
    const { buckets } = await one({
      ...(hist({ fixed_interval: '1d' }) as JsonObject),
      aggs: { m: { avg: { field: 'bytes' } }, t: { terms: { field: 'host' } } },
    });
    expect((buckets as readonly JsonObject[])[1]).toEqual({
      key_as_string: '2024-01-02T00:00:00.000Z',
      key: 1704153600000,
      doc_count: 0,
      m: { value: null },
      t: { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] },
    });
  });

  test('prints keys in its format and time zone', async () => {
    expect(
      await one(
        hist({ time_zone: 'Europe/Warsaw', min_doc_count: 1, keyed: true, format: 'dd HH:mm' }),
      ),
    ).toEqual({
      buckets: {
        '01 00:00': { key_as_string: '01 00:00', key: 1704063600000, doc_count: 1 },
        '01 02:00': { key_as_string: '01 02:00', key: 1704070800000, doc_count: 1 },
        '01 04:00': { key_as_string: '01 04:00', key: 1704078000000, doc_count: 1 },
        '03 00:00': { key_as_string: '03 00:00', key: 1704236400000, doc_count: 1 },
      },
    });
  });

  test('moves its buckets by an offset, bounds by the rounded offset', async () => {
    const day = { fixed_interval: '1d', offset: '+6h' };
    expect(await keys(hist(day))).toEqual([
      [Date.parse('2023-12-31T06:00Z'), 3],
      [Date.parse('2024-01-01T06:00Z'), 0],
      [Date.parse('2024-01-02T06:00Z'), 1],
    ]);
    const bounds = { min: '2023-12-31', max: '2024-01-03||/d' };
    expect(await keys(hist({ ...day, extended_bounds: bounds }))).toHaveLength(4);
  });

  test('extended bounds make buckets where there are none, and need both ends for that', async () => {
    const unmapped = { field: 'nothing', fixed_interval: '1d' };
    const both = { min: 1704067200000, max: '2024-01-02' };
    expect(await keys(hist({ ...unmapped, extended_bounds: both }))).toEqual([
      [1704067200000, 0],
      [1704153600000, 0],
    ]);
    expect(await keys(hist({ ...unmapped, extended_bounds: { min: 1704067200000 } }))).toEqual([]);
    expect(await refusal(hist({ ...unmapped, extended_bounds: { min: 2, max: 1 } }))).toMatchObject(
      { status: 400 },
    );
  });

  test('orders filled buckets, too', async () => {
    expect(await keys(hist({ fixed_interval: '1d', order: { _count: 'asc' } }))).toEqual([
      [1704153600000, 0],
      [1704240000000, 1],
      [1704067200000, 3],
    ]);
  });

  test.each(['ts', 'second', 'day', 'event_time'])('takes the time field %s', async (field) => {
    expect(await keys({ date_histogram: { field, calendar_interval: '1d' } })).toEqual([
      [1704067200000, 3],
      [1704153600000, 0],
      [1704240000000, 1],
    ]);
  });

  test('cuts nanoseconds off downwards before 1970', async () => {
    const agg = { date_histogram: { field: 'nanos', fixed_interval: '1ms', min_doc_count: 1 } };
    expect((await keys(agg))[0]).toEqual([-1, 1]);
  });

  test('counts a document with several dates in each of their buckets once', async () => {
    expect(await keys({ date_histogram: { field: 'seen', calendar_interval: 'day' } })).toEqual([
      [1704067200000, 1],
      [1704153600000, 1],
      [1704240000000, 2],
    ]);
  });

  test('refuses more buckets than Elasticsearch would answer', async () => {
    expect(await refusal(hist({ fixed_interval: '1s' }))).toMatchObject({
      type: 'too_many_buckets_exception',
    });
    const nested = {
      ...(hist({ fixed_interval: '1h' }) as JsonObject),
      aggs: {
        inner: hist({
          fixed_interval: '1m',
          extended_bounds: { min: '2024-01-01', max: '2024-01-03' },
        }),
      },
    };
    expect(await refusal(nested)).toMatchObject({ type: 'too_many_buckets_exception' });
  });
});

test('the number of statements is the number of ways to a leaf', () => {
  const count = (aggs: JsonValue): number => bench.plan(table, aggs).statements.length;
  const avg = { avg: { field: 'bytes' } };
  const terms = (aggs: JsonObject): JsonObject => ({ terms: { field: 'host' }, aggs });
  expect(count({ a: avg, b: avg })).toBe(1);
  expect(count({ a: terms({ b: terms({ c: avg }) }), d: avg })).toBe(1);
  expect(count({ a: terms({ b: terms({}), c: terms({}) }), d: terms({}) })).toBe(3);
});

test('the total comes with every answer', async () => {
  expect((await bench.search(table, {})).total).toBe(4);
  expect((await bench.search(table, { a: { terms: { field: 'tags' } } })).total).toBe(4);
});

it('refuses Elasticsearch’s own fields instead of answering them as unmapped ones', async () => {
  await expect(one({ terms: { field: '_id' } })).rejects.toThrow(
    '[kibana-clickhouse] unsupported: aggregation [terms] on [_id]',
  );
});
