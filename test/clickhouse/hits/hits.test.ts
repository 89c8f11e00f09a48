import { readHits } from '../../../plugins/kibana-clickhouse/search/hits/read-hits';
import {
  type HitsRequest,
  planHits,
} from '../../../plugins/kibana-clickhouse/search/hits/plan-hits';
import { parseDocumentId } from '../../../plugins/kibana-clickhouse/search/hits/document-id';
import { alwaysTrue } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseSort } from '../../../plugins/kibana-clickhouse/search/request/sort';
import type { QueryNode } from '../../../plugins/kibana-clickhouse/search/queries/definition';
import {
  type IndexedTables,
  accessLog,
  execution,
  logLine,
  startIndexedTables,
} from '../search/indexed-tables';

const everything: QueryNode = {
  type: 'match_all',
  params: {},
  scoring: true,
  isNone: () => false,
  toCondition: () => alwaysTrue,
};

const request = (given: Partial<HitsRequest> = {}): HitsRequest => ({
  query: everything,
  sort: [],
  from: 0,
  size: 100,
  source: { enabled: true, includes: [], excludes: [] },
  fields: [],
  docvalueFields: [],
  showsId: true,
  version: false,
  seqNoPrimaryTerm: false,
  trackScores: false,
  ...given,
});

const wideTable = `
CREATE TABLE wide (
  ts DateTime64(9, 'UTC'),
  s String, ns Nullable(String), lc LowCardinality(String), lcn LowCardinality(Nullable(String)),
  fs FixedString(6), e Enum8('zebra' = 1, 'ant' = 2), u UUID,
  i8 Int8, u8 UInt8, i16 Int16, u32 UInt32, i64 Int64, u64 UInt64, i128 Int128, u256 UInt256,
  f32 Float32, f64 Float64, nf Nullable(Float64), d Decimal(38, 10), b Bool,
  d16 Date, d32 Date32, dt DateTime('Europe/Berlin'), dt3 DateTime64(3, 'Asia/Tokyo'), dt6 DateTime64(6, 'UTC'),
  ip4 IPv4, ip6 IPv6,
  arr Array(String), arrn Array(Nullable(Int64)), nested Array(Array(UInt64)),
  t Tuple(a Int64, b Tuple(c String)), tu Tuple(UInt8, String), m Map(String, UInt64),
  pt Point, geo Tuple(lat Float64, lon Float64),
  n Nested(k String, v UInt64),
  v Variant(String, UInt64), dy Dynamic, j JSON,
  sim SimpleAggregateFunction(sum, UInt64),
  agg AggregateFunction(uniq, UInt64),
  mat String MATERIALIZED concat(s, '!'), al String ALIAS concat(s, '?'), eph String EPHEMERAL
) ENGINE = MergeTree ORDER BY ts;
INSERT INTO wide SELECT
  toDateTime64('2024-01-01 00:00:00.123456789', 9, 'UTC'),
  'text', NULL, 'low', NULL, 'ab', 'zebra', '00000000-0000-0000-0000-0000000000ff',
  -128, 255, -32768, 4294967295, 9223372036854775807, 18446744073709551615, toInt128('170141183460469231731687303715884105727'), 7,
  1.1, 0.1, nan, '1234567890123456789.0000000001', true,
  '2024-02-29', '1950-03-04', '2024-07-01 12:00:00', '2024-07-01 12:00:00.5', '2024-07-01 12:00:00.000001',
  '10.1.2.3', '::1',
  ['b', 'a', 'b'], [3, NULL, 9223372036854775807], [[1], [2, 18446744073709551615]],
  (9007199254740993, tuple('x')), (1, 'y'), map('k', 18446744073709551615),
  (21, 52.5), (52.5, 21),
  ['x', 'y'], [1, 2],
  18446744073709551615::UInt64, 'dyn', '{"a":{"b":9007199254740993},"c":[1,2]}',
  5, uniqState(toUInt64(1))
GROUP BY 1;`;

let tables: IndexedTables;

beforeAll(async () => {
  tables = await startIndexedTables(accessLog + wideTable);
}, 60_000);
afterAll(() => tables.close());

async function hitTexts(
  name: string,
  given: Partial<HitsRequest> = {},
): Promise<readonly string[]> {
  const table = await tables.table(name);
  const plan = planHits(request(given), table, { where: alwaysTrue });
  const shape = { index: name, typed: false, version: false, seqNoPrimaryTerm: false };
  const hits = await readHits(plan, shape, tables.executor, execution);
  const texts: string[] = [];
  for await (const batch of hits.batches) texts.push(...batch);
  return texts;
}

const hitsOf = async (name: string, given: Partial<HitsRequest> = {}): Promise<JsonObject[]> =>
  (await hitTexts(name, given)).map((text) => parseJson(text) as JsonObject);

const onlyHit = async (name: string, given: Partial<HitsRequest> = {}): Promise<JsonObject> => {
  const [hit] = await hitsOf(name, given);
  if (hit === undefined) throw new Error('no hit');
  return hit;
};

describe('_source', () => {
  test('every type of column is written without loss', async () => {
    const { _source: source } = await onlyHit('wide');
    expect(source).toEqual({
      ts: '2024-01-01T00:00:00.123456789Z',
      s: 'text',
      ns: null,
      lc: 'low',
      lcn: null,
      fs: 'ab',
      e: 'zebra',
      u: '00000000-0000-0000-0000-0000000000ff',
      i8: -128,
      u8: 255,
      i16: -32768,
      u32: 4294967295,
      i64: 9223372036854775807n,
      u64: 18446744073709551615n,
      i128: 170141183460469231731687303715884105727n,
      u256: 7,
      f32: 1.1,
      f64: 0.1,
      nf: null,
      d: Number('1234567890123456789.0000000001'),
      b: true,
      d16: '2024-02-29',
      d32: '1950-03-04',
      dt: '2024-07-01T10:00:00Z',
      dt3: '2024-07-01T03:00:00.500Z',
      dt6: '2024-07-01T12:00:00.000001Z',
      ip4: '10.1.2.3',
      ip6: '::1',
      arr: ['b', 'a', 'b'],
      arrn: [3, null, 9223372036854775807n],
      nested: [[1], [2, 18446744073709551615n]],
      t: { a: 9007199254740993n, b: { c: 'x' } },
      tu: [1, 'y'],
      m: { k: 18446744073709551615n },
      pt: [21, 52.5],
      geo: { lat: 52.5, lon: 21 },
      'n.k': ['x', 'y'],
      'n.v': [1, 2],
      v: 18446744073709551615n,
      dy: 'dyn',
      j: { a: { b: 9007199254740993n }, c: [1, 2] },
      sim: 5,
    });
  });

  test('hostile values come back byte for byte', async () => {
    const hostile = [
      '"_hit_source":1',
      '","_hit_source":1,"x":"',
      '\\","_hit_source":1,',
      '{"_hit_source":1}',
      'quote " back \\ slash / \\" end\\',
      '\u0000\u0001\u001f\u007f\u2028\u2029\r\n\t\b\f',
      'ärger 漢字 😀 \ufeff',
      "'); DROP TABLE access_log; --",
      '',
    ];
    await tables.run('TRUNCATE TABLE access_log');
    await tables.insert(
      'access_log',
      hostile.map((value, i) =>
        logLine(i, {
          host: value,
          message: value,
          tags: [value, '_hit_source'],
          labels: { _hit_source: '1', [value]: value },
          bytes: '9223372036854775807',
        }),
      ),
    );
    const sort = parseSort(['@timestamp', 'host']);
    const hits = await hitsOf('access_log', {
      sort,
      fields: [{ pattern: '*' }],
      docvalueFields: [{ pattern: 'message.keyword' }],
    });
    expect(hits.map(({ _source }) => _source)).toEqual(
      hostile.map((value, i): unknown =>
        expect.objectContaining({
          host: value,
          message: value,
          tags: [value, '_hit_source'],
          labels: { _hit_source: '1', [value]: value },
          bytes: 9223372036854775807n,
          latency_ms: 1.5,
          '@timestamp': `2024-01-01T00:00:0${String(i)}.123Z`,
        }),
      ),
    );
    expect(hits.map(({ fields }) => (fields as JsonObject)['message'])).toEqual(
      hostile.map((value) => [value]),
    );
    expect(hits.map((hit) => hit['sort'])).toEqual(
      hostile.map((value, i) => [Date.UTC(2024, 0, 1, 0, 0, i, 123), value]),
    );
    await tables.run('TRUNCATE TABLE access_log');
  });

  test('a table whose columns have the names of the plan', async () => {
    await tables.run(
      "CREATE TABLE odd (`_hit_0` String, `_hit_source` UInt8, `__hit_1` String) ENGINE = Memory; INSERT INTO odd VALUES ('a', 1, 'b')",
    );
    const { _source: source } = await onlyHit('odd');
    expect(source).toEqual({ _hit_0: 'a', _hit_source: 1, __hit_1: 'b' });
  });

  test.each<[string, Partial<HitsRequest['source']>, readonly string[] | undefined]>([
    ['none', { enabled: false }, undefined],
    ['includes', { includes: ['host', 'st*'] }, ['host', 'status']],
    ['unknown names', { includes: ['zzz'] }, []],
    ['excludes', { includes: ['host', 'labels'], excludes: ['host'] }, ['labels']],
    ['excludes beat includes', { includes: ['*'], excludes: ['*'] }, []],
    ['a parent takes its children', { includes: ['labels'] }, ['labels']],
  ])('%s', async (_name, filter, expected) => {
    await tables.insert('access_log', [logLine(0)]);
    const hit = await onlyHit('access_log', {
      source: { enabled: true, includes: [], excludes: [], ...filter },
      size: 1,
    });
    const source = hit['_source'];
    expect(source === undefined ? undefined : Object.keys(source as JsonObject)).toEqual(expected);
  });

  test.each([
    [{ includes: ['labels.team'], excludes: [] }],
    [{ includes: [], excludes: ['labels.te*'] }],
    [{ includes: ['*.team'], excludes: [] }],
  ])('a part of a column is refused: %j', async (filter) => {
    await expect(
      hitTexts('access_log', { source: { enabled: true, ...filter } }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('[labels]') });
  });
});

describe('_id', () => {
  test('tells rows apart by every column, NULL from empty, and is the same for equal rows', async () => {
    await tables.run('TRUNCATE TABLE access_log');
    const lines = [
      logLine(0),
      logLine(0),
      logLine(0, { referer: '' }),
      logLine(0, { referer: 'x' }),
      logLine(0, { tags: ['ab'] }),
      logLine(0, { labels: {} }),
      logLine(0, { price: 9.51 }),
      logLine(0, { cached: false }),
    ];
    await tables.insert('access_log', lines);
    const hits = await hitsOf('access_log');
    const ids = hits.map(({ _id }) => _id as string);
    expect(ids).toHaveLength(lines.length);
    expect(new Set(ids).size).toBe(lines.length - 1);
    for (const id of ids)
      expect(parseDocumentId(id)?.timeMs).toBe(Date.UTC(2024, 0, 1, 0, 0, 0, 123));
  });

  test('stays the same when parts are merged', async () => {
    await tables.run('TRUNCATE TABLE access_log');
    await tables.insert('access_log', [logLine(1)]);
    await tables.insert('access_log', [logLine(2)]);
    const before = (await hitsOf('access_log')).map(({ _id }) => _id);
    await tables.run('OPTIMIZE TABLE access_log FINAL');
    expect((await hitsOf('access_log')).map(({ _id }) => _id)).toEqual(before);
  });

  test('every row of a wide table has one, cut down to ms', async () => {
    const { _id: id } = await onlyHit('wide');
    expect(parseDocumentId(id as string)?.timeMs).toBe(Date.UTC(2024, 0, 1, 0, 0, 0, 123));
  });

  test('without a time field it has no time', async () => {
    await tables.run('CREATE TABLE plain (a UInt8) ENGINE = Memory; INSERT INTO plain VALUES (1)');
    const { _id: id } = await onlyHit('plain');
    expect(parseDocumentId(id as string)).toMatchObject({ timeMs: undefined });
  });
});

describe('fields', () => {
  const fieldsOf = async (given: Partial<HitsRequest>): Promise<JsonValue | undefined> =>
    (await onlyHit('wide', given))['fields'];

  test('all of them, multi-fields included, as arrays; missing ones are absent', async () => {
    expect(await fieldsOf({ fields: [{ pattern: '*' }] })).toMatchObject({
      ts: ['2024-01-01T00:00:00.123456789Z'],
      s: ['text'],
      's.keyword': ['text'],
      lc: ['low'],
      fs: ['ab'],
      e: ['zebra'],
      u: ['00000000-0000-0000-0000-0000000000ff'],
      i64: [9223372036854775807n],
      u64: [18446744073709551615n],
      f32: [1.1],
      f64: [0.1],
      b: [true],
      d16: ['2024-02-29T00:00:00.000Z'],
      d32: ['1950-03-04T00:00:00.000Z'],
      dt: ['2024-07-01T10:00:00.000Z'],
      dt3: ['2024-07-01T03:00:00.500Z'],
      dt6: ['2024-07-01T12:00:00.000001Z'],
      ip4: ['10.1.2.3'],
      ip6: ['::1'],
      arr: ['b', 'a', 'b'],
      arrn: [3, 9223372036854775807n],
      't.a': [9007199254740993n],
      't.b.c': ['x'],
      'm.k': [18446744073709551615n],
      pt: [{ coordinates: [21, 52.5], type: 'Point' }],
      geo: [{ coordinates: [21, 52.5], type: 'Point' }],
      'n.k': ['x', 'y'],
      'n.v': [1, 2],
      dy: ['dyn'],
      mat: ['text!'],
      al: ['text?'],
      sim: [5],
    });
    const names = Object.keys((await fieldsOf({ fields: [{ pattern: '*' }] })) as JsonObject);
    for (const absent of ['ns', 'lcn', 'nf', 'agg', 'eph', 't', 'm', '_id'])
      expect(names).not.toContain(absent);
  });

  test('formats of dates', async () => {
    expect(
      await fieldsOf({
        fields: [
          { pattern: 'ts', format: 'strict_date_optional_time' },
          { pattern: 'dt3', format: 'epoch_millis' },
          { pattern: 'dt', format: 'yyyy-MM-dd' },
          { pattern: 'dt6', format: 'strict_date_optional_time_nanos' },
          { pattern: 'zzz' },
        ],
      }),
    ).toEqual({
      ts: ['2024-01-01T00:00:00.123Z'],
      dt3: ['1719802800500'],
      dt: ['2024-07-01'],
      dt6: ['2024-07-01T12:00:00.000001Z'],
    });
  });

  test('doc values stand in order, keywords once each, floats as doubles', async () => {
    expect(
      await fieldsOf({
        docvalueFields: [
          { pattern: 'arr' },
          { pattern: 'f32' },
          { pattern: 'dt3', format: 'date_time' },
          { pattern: 'geo' },
        ],
      }),
    ).toEqual({
      arr: ['a', 'b'],
      f32: [1.100000023841858],
      dt3: ['2024-07-01T03:00:00.500Z'],
      geo: ['52.49999997206032, 20.999999921768904'],
    });
  });

  test('`fields` win over doc values', async () => {
    expect(
      await fieldsOf({ docvalueFields: [{ pattern: 'arr' }], fields: [{ pattern: 'arr' }] }),
    ).toEqual({ arr: ['b', 'a', 'b'] });
  });

  test('absent where no field has a value', async () => {
    expect(await fieldsOf({ fields: [{ pattern: 'ns' }] })).toBeUndefined();
  });

  test('a format on a keyword is an error', async () => {
    await expect(fieldsOf({ fields: [{ pattern: 'lc', format: 'yyyy' }] })).rejects.toMatchObject({
      status: 400,
      message: "error fetching [lc]: Field [lc] of type [keyword] doesn't support formats.",
      causes: [
        {
          type: 'illegal_argument_exception',
          reason: "Field [lc] of type [keyword] doesn't support formats.",
        },
      ],
    });
  });
});

describe('sort', () => {
  const script = `
CREATE TABLE sorted (
  id UInt8, ts DateTime64(3, 'UTC'), nts Nullable(DateTime64(3, 'UTC')), ns Nullable(DateTime64(9, 'UTC')),
  n Nullable(Int64), f Nullable(Float64), k LowCardinality(Nullable(String)), b Nullable(Bool), ip Nullable(IPv6),
  e Enum8('zebra' = 1, 'ant' = 2), arr Array(Int64), s String, geo Tuple(lat Float64, lon Float64),
  epoch_time UInt64
) ENGINE = MergeTree ORDER BY id;
INSERT INTO sorted VALUES
  (1, '2024-01-01 00:00:01', '2024-01-01 00:00:01', '2024-01-01 00:00:01.000000001', 9223372036854775807, 1e10, 'b', true, '::1', 'zebra', [5, 1], 'z', (1, 2), 1704067200000),
  (2, '2024-01-01 00:00:02', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'ant', [], 'a', (1, 2), 1704067201000),
  (3, '2024-01-01 00:00:03', '2024-01-01 00:00:03', '2024-01-01 00:00:03', -5, -0.5, 'a', false, '::ffff:10.0.0.1', 'ant', [3], 'm', (1, 2), 1704067202000);`;

  beforeAll(() => tables.run(script));

  const sorted = async (
    sort: JsonValue,
    given: Partial<HitsRequest> = {},
  ): Promise<readonly [readonly JsonValue[], readonly JsonValue[]]> => {
    const hits = await hitsOf('sorted', { sort: parseSort(sort), ...given });
    return [
      hits.map(({ _source }) => (_source as JsonObject)['id'] ?? null),
      hits.map((hit) => hit['sort'] ?? null),
    ];
  };
  const max = 9223372036854775807n;
  const min = -9223372036854775808n;

  test.each<[string, JsonValue, readonly JsonValue[], readonly JsonValue[]]>([
    [
      'a date as ms',
      { ts: 'desc' },
      [3, 2, 1],
      [1704067203000, 1704067202000, 1704067201000].map((v) => [v]),
    ],
    [
      'a date with a format',
      { ts: { order: 'asc', format: 'strict_date_optional_time', unmapped_type: 'boolean' } },
      [1, 2, 3],
      ['2024-01-01T00:00:01.000Z', '2024-01-01T00:00:02.000Z', '2024-01-01T00:00:03.000Z'].map(
        (v) => [v],
      ),
    ],
    [
      'a missing date, ascending',
      { nts: 'asc' },
      [1, 3, 2],
      [[1704067201000], [1704067203000], [max]],
    ],
    [
      'a missing date, descending',
      { nts: 'desc' },
      [3, 1, 2],
      [[1704067203000], [1704067201000], [min]],
    ],
    [
      'a missing date, first and formatted',
      { nts: { order: 'asc', missing: '_first', format: 'strict_date_optional_time' } },
      [2, 1, 3],
      [
        ['-292275055-05-16T16:47:04.192Z'],
        ['2024-01-01T00:00:01.000Z'],
        ['2024-01-01T00:00:03.000Z'],
      ],
    ],
    [
      'nanoseconds',
      { ns: { order: 'desc' } },
      [3, 1, 2],
      [[1704067203000000000n], [1704067201000000001n], [0]],
    ],
    [
      'nanoseconds with a format',
      { ns: { order: 'asc', format: 'strict_date_optional_time_nanos' } },
      [1, 3, 2],
      [
        ['2024-01-01T00:00:01.000000001Z'],
        ['2024-01-01T00:00:03.000Z'],
        ['2262-04-11T23:47:16.854775807Z'],
      ],
    ],
    [
      'numeric_type date_nanos',
      { ts: { order: 'asc', numeric_type: 'date_nanos' } },
      [1, 2, 3],
      [[1704067201000000000n], [1704067202000000000n], [1704067203000000000n]],
    ],
    ['a long', { n: 'desc' }, [1, 3, 2], [[max], [-5], [min]]],
    ['a double', { f: 'asc' }, [3, 1, 2], [[-0.5], [1e10], ['Infinity']]],
    [
      'a double, missing first',
      { f: { order: 'asc', missing: '_first' } },
      [2, 3, 1],
      [['-Infinity'], [-0.5], [1e10]],
    ],
    ['a keyword', { k: 'asc' }, [3, 1, 2], [['a'], ['b'], [null]]],
    ['a boolean', { b: 'desc' }, [1, 3, 2], [[1], [0], [min]]],
    ['an address', { ip: 'asc' }, [1, 3, 2], [['::1'], ['10.0.0.1'], [null]]],
    [
      'an enum by its text',
      [{ e: 'asc' }, { id: 'desc' }],
      [3, 2, 1],
      [
        ['ant', 3],
        ['ant', 2],
        ['zebra', 1],
      ],
    ],
    ['the smallest of several', { arr: 'asc' }, [1, 3, 2], [[1], [3], [max]]],
    ['the largest of several', { arr: 'desc' }, [1, 3, 2], [[5], [3], [min]]],
    ['a mode', { arr: { order: 'asc', mode: 'max' } }, [3, 1, 2], [[3], [5], [max]]],
    ['a text field by its keyword', 's', [2, 3, 1], [['a'], ['m'], ['z']]],
    [
      'ms for a missing date',
      { nts: { missing: 1704067202000, format: 'epoch_second' } },
      [1, 2, 3],
      [['1704067201'], ['1704067202'], ['1704067203']],
    ],
    [
      'ns for a missing date_nanos',
      { ns: { missing: '1704067201000000000' } },
      [2, 1, 3],
      [[1704067201000000000n], [1704067201000000001n], [1704067203000000000n]],
    ],
    ['a number for a missing boolean', { b: { missing: 2 } }, [3, 1, 2], [[0], [1], [2]]],
    [
      'a missing date_nanos in any format',
      { ns: { format: 'yyyy-MM-dd' } },
      [1, 3, 2],
      [['2024-01-01'], ['2024-01-01'], ['2262-04-11']],
    ],
    [
      'text for a missing number',
      { n: { order: 'asc', missing: '7' } },
      [3, 2, 1],
      [[-5], [7], [max]],
    ],
    ['a fraction for a missing long', { n: { missing: 7.9 } }, [3, 2, 1], [[-5], [7], [max]]],
    ['missing with a value', { n: { order: 'asc', missing: 7 } }, [3, 2, 1], [[-5], [7], [max]]],
    [
      'an unmapped field',
      [{ zzz: { unmapped_type: 'long' } }, { id: 'desc' }],
      [3, 2, 1],
      [
        [max, 3],
        [max, 2],
        [max, 1],
      ],
    ],
    [
      'an epoch column',
      { epoch_time: 'desc' },
      [3, 2, 1],
      [[1704067202000], [1704067201000], [1704067200000]],
    ],
    [
      'several keys of one object',
      { e: 'desc', id: 'asc' },
      [1, 2, 3],
      [
        ['zebra', 1],
        ['ant', 2],
        ['ant', 3],
      ],
    ],
    [
      'a score among keys',
      [{ _score: 'desc' }, { id: 'asc' }],
      [1, 2, 3],
      [
        [1, 1],
        [1, 2],
        [1, 3],
      ],
    ],
  ])('%s', async (_name, sort, ids, values) => {
    expect(await sorted(sort)).toEqual([ids, values]);
  });

  test.each<[string, JsonValue, string]>([
    ['unknown', 'zzz', 'No mapping found for [zzz] in order to sort on'],
    [
      'geo_point',
      'geo',
      "can't sort on geo_point field without using specific sorting feature, like geo_distance",
    ],
    ['a metadata field', '_id', '[kibana-clickhouse] unsupported: sort by [_id]'],
    ['no number for a missing long', { n: { missing: '7.5' } }, 'For input string: "7.5"'],
    ['a date for a missing date', { nts: { missing: '2024-01' } }, 'For input string: "2024-01"'],
    ['no text for a missing double', { f: { missing: '' } }, 'empty String'],
    [
      'format on a keyword',
      { k: { format: 'yyyy' } },
      'Field [k] of type [keyword] does not support custom formats',
    ],
  ])('%s: an error', async (_name, sort, message) => {
    await expect(sorted(sort)).rejects.toMatchObject({ status: 400, message });
  });

  test.each<[JsonValue]>([[{ k: 'asc' }], [{ k: 'desc' }], [{ at: 'desc' }]])(
    'hits that tie under %j stand in the order of the sorting key',
    async (sort) => {
      await tables.run(`
        CREATE TABLE ties (k UInt8, at DateTime('UTC'), id UInt32) ENGINE = MergeTree ORDER BY (at, id);
        INSERT INTO ties SELECT 1, 1704067200, number * 7919 % 5000 FROM numbers(5000);`);
      try {
        const pages = await Promise.all(
          [0, 1000, 4990].map((from) => hitsOf('ties', { sort: parseSort(sort), from, size: 10 })),
        );
        expect(
          pages.map((page) => page.map(({ _source }) => (_source as JsonObject)['id'])),
        ).toEqual([0, 1000, 4990].map((from) => Array.from({ length: 10 }, (_, i) => from + i)));
      } finally {
        await tables.run('DROP TABLE ties');
      }
    },
  );

  test('_doc breaks ties the same way each time, and in both directions', async () => {
    const down = await sorted([{ e: 'desc' }, { _doc: 'desc' }]);
    const up = await sorted([{ e: 'asc' }, { _doc: 'asc' }]);
    expect(down[0]).toEqual([...up[0]].reverse());
    for (const [, doc] of down[1] as readonly (readonly JsonValue[])[])
      expect(Number.isSafeInteger(doc)).toBe(true);
  });

  test.each<[JsonValue]>([
    [[{ e: 'asc' }, '_doc']],
    [[{ n: 'asc' }, '_doc']],
    [[{ n: 'desc' }, { _doc: 'desc' }]],
    [[{ n: { order: 'desc', missing: '_first' } }, '_doc']],
    [[{ f: 'asc' }, { _doc: 'desc' }]],
    [[{ f: 'desc' }, '_doc']],
    [[{ f: { order: 'asc', missing: '_first' } }, '_doc']],
    [[{ arr: 'desc' }, '_doc']],
    [[{ zzz: { unmapped_type: 'long' } }, '_doc']],
    [['_score', { e: 'desc' }, '_doc']],
    [['_doc']],
  ])('pages of %j follow each other without gap or overlap', async (sort) => {
    await tables.run(`
      CREATE OR REPLACE TABLE tied (
        id UInt8, e Enum8('a' = 1, 'b' = 2), n Nullable(Int64), f Nullable(Float64), arr Array(UInt8)
      ) ENGINE = MergeTree ORDER BY id;
      INSERT INTO tied SELECT number, if(number % 2 = 0, 'a', 'b'), if(number % 3 = 0, NULL, number % 5),
        multiIf(number % 4 = 0, NULL, number % 4 = 1, nan, number % 4 = 2, inf, number % 7),
        range(number % 4) FROM numbers(24);`);
    const page = async (from: number, size: number): Promise<readonly JsonValue[]> =>
      (await hitsOf('tied', { sort: parseSort(sort), from, size })).map(
        ({ _source }) => (_source as JsonObject)['id'] ?? null,
      );
    const all = await page(0, 100);
    expect(new Set(all).size).toBe(24);
    const pages: JsonValue[] = [];
    for (let from = 0; from < 24; from += 5) pages.push(...(await page(from, 5)));
    expect(pages).toEqual(all);
  });

  test('without a sort, hits stand in the order of the sorting key and have no sort', async () => {
    expect(await sorted([])).toEqual([
      [1, 2, 3],
      [null, null, null],
    ]);
    expect(await sorted('_score')).toEqual([
      [1, 2, 3],
      [null, null, null],
    ]);
  });

  test('scores: null when sorted, unless asked for', async () => {
    const score = async (sort: JsonValue, trackScores = false): Promise<JsonValue | undefined> =>
      (await onlyHit('sorted', { sort: parseSort(sort), trackScores }))['_score'];
    expect(await score([])).toBe(1);
    expect(await score('_score')).toBe(1);
    expect(await score('id')).toBeNull();
    expect(await score('id', true)).toBe(1);
    expect(await score(['id', '_score'])).toBe(1);
  });
});
