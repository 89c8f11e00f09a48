import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { type Dataset, type DatasetColumn, integer, textMapping } from './dataset';
import { numbered } from './edges';

const as = (name: string, clickHouse: string, elasticsearch: JsonObject): DatasetColumn => ({
  name,
  clickHouse,
  elasticsearch,
});

const typed = (name: string, clickHouse: string, type: string): DatasetColumn =>
  as(name, clickHouse, { type });

const object = (properties: JsonObject): JsonObject => ({ properties });

const long = { type: 'long' };
const keyword = { type: 'keyword' };

/** Scalar types that have no equal name in Elasticsearch. */
const scalars: readonly DatasetColumn[] = [
  typed('u8', 'UInt8', 'short'),
  typed('u16', 'UInt16', 'integer'),
  typed('u32', 'UInt32', 'long'),
  typed('i128', 'Nullable(Int128)', 'double'),
  typed('u256', 'UInt256', 'double'),
  typed('bf', 'BFloat16', 'double'),
  typed('d76', 'Nullable(Decimal(76, 4))', 'double'),
  typed('fs', 'FixedString(4)', 'keyword'),
  typed('lcn', 'LowCardinality(Nullable(String))', 'keyword'),
  typed('en', "Nullable(Enum16('a' = 1, 'bb' = 300, 'c' = -5))", 'keyword'),
  typed('uid', 'Nullable(UUID)', 'keyword'),
  typed('d', 'Nullable(Date)', 'date'),
  typed('dtz', "DateTime('Europe/Berlin')", 'date'),
  typed('dt0', "DateTime64(0, 'UTC')", 'date'),
  typed('dt6', "Nullable(DateTime64(6, 'America/New_York'))", 'date_nanos'),
  typed('event_time', 'Nullable(UInt64)', 'date'),
  as('loc', 'Point', { type: 'geo_point' }),
];

/** Types that hold others. */
const containers: readonly DatasetColumn[] = [
  typed('arr', 'Array(Nullable(Int32))', 'integer'),
  typed('matrix', 'Array(Array(UInt16))', 'integer'),
  typed('enums', "Array(Enum8('x' = 1, 'y' = 2))", 'keyword'),
  as('nest.k', 'Array(LowCardinality(String))', keyword),
  as('nest.v', 'Array(UInt8)', { type: 'short' }),
  as('tup', 'Tuple(a UInt8, b LowCardinality(String), c Array(Int16))', {
    ...object({ a: { type: 'short' }, b: keyword, c: { type: 'short' } }),
  }),
  as('m', 'Map(LowCardinality(String), UInt32)', object({ x: long, y: long })),
  as('am', 'Array(Map(String, Int64))', object({ p: long, q: long })),
];

/** Types of which every value says its own. */
const dynamics: readonly DatasetColumn[] = [
  as('j', "JSON(when DateTime64(3, 'UTC'), code UInt16)", {
    ...object({
      when: { type: 'date' },
      code: { type: 'integer' },
      a: object({ b: long }),
      s: textMapping,
      f: { type: 'double' },
      ok: { type: 'boolean' },
      nums: long,
      'odd key': textMapping,
    }),
  }),
  as('v', 'Variant(Int64, String)', textMapping),
  as('dyn', 'Dynamic', long),
  as('mixed', 'Dynamic', { type: 'double' }),
];

const row = (i: number, more: JsonObject): JsonObject => ({
  u8: [0, 255, 7, 7][i] ?? 1,
  u16: [65_535, 0, 80, 443][i] ?? 1,
  u32: [4_294_967_295, 0, 5, 5][i] ?? 1,
  u256: [0, 1, 1_000_000_000_000_000, 42][i] ?? 1,
  bf: [0.5, -2, 1.25, 0][i] ?? 1,
  fs: ['abcd', 'ab', '', 'ab'][i] ?? 'z',
  dtz: `2024-0${String(i + 1)}-15T23:30:00Z`,
  dt0: `2024-03-31T0${String(i)}:59:59Z`,
  loc: [
    [21.01, 52.23],
    [0, 0],
    [-74, 40.7],
    [21.02, 52.24],
  ][i] ?? [10, 10],
  ...more,
});

const uuid = (i: number): string => `00000000-0000-4000-8000-00000000000${String(i)}`;

/** Every ClickHouse type that Elasticsearch has an equal of, beyond those of the other datasets. */
export const types: Dataset = {
  name: 'types',
  uniqueField: 'n',
  orderBy: ['n'],
  columns: [
    integer('n'),
    ...scalars,
    ...containers,
    ...dynamics,
    {
      ...typed('twice', 'UInt32', 'alias'),
      elasticsearch: { type: 'alias', path: 'u32' },
      aliasOf: 'u32',
    },
  ],
  rows: () =>
    numbered([
      row(0, {
        i128: 5,
        d76: 1.5,
        lcn: 'red',
        en: 'a',
        uid: uuid(1),
        d: '2024-02-29',
        dt6: '2024-01-01T00:00:00.123456Z',
        event_time: 1_704_067_200_000,
        arr: [3, 1],
        matrix: [[1, 2], [3]],
        enums: ['x', 'y'],
        'nest.k': ['one', 'two'],
        'nest.v': [1, 2],
        tup: { a: 1, b: 'first', c: [1, 2] },
        m: { x: 1 },
        am: [{ p: 1 }, { p: 2, q: 3 }],
        j: {
          when: '2024-01-01T00:00:00.123Z',
          code: 200,
          a: { b: 5 },
          s: 'Hello World',
          f: 1.5,
          ok: true,
          nums: [3, 1],
          'odd key': 'k',
        },
        v: 5,
        dyn: 1,
        mixed: 1,
      }),
      row(1, {
        lcn: '',
        en: 'bb',
        d: '1970-01-01',
        event_time: 0,
        'nest.k': ['two'],
        'nest.v': [9],
        tup: { a: 0, b: '', c: [] },
        j: { when: '1999-12-31T23:59:59.999Z', code: 0, a: { b: -1 }, s: '', ok: false, nums: [7] },
        v: 'five',
        dyn: -9_007_199_254_740_993n,
        mixed: 2.5,
      }),
      row(2, {
        i128: -7,
        d76: -0.25,
        uid: uuid(2),
        dt6: '2024-06-30T23:59:59.999999Z',
        event_time: 1_719_791_999_999,
        arr: [null, 5],
        enums: ['y'],
        tup: { a: 255, b: 'third', c: [-3] },
        m: { x: 7, y: 0 },
        am: [{ q: 1 }],
        j: { when: '2024-06-30T12:00:00.000Z', code: 404, f: -2.25, nums: 4 },
        v: 'Six Seven',
        mixed: -3,
      }),
      row(3, {
        i128: 5,
        lcn: 'red',
        en: 'a',
        d: '2024-02-29',
        tup: { a: 1, b: 'first', c: [2] },
        j: { when: '2024-01-01T00:00:00.123Z', code: 200, s: 'hello' },
        dyn: 1,
      }),
      row(4, { tup: { a: 2, b: 'x', c: [] }, j: { when: '1970-01-01T00:00:00.000Z', code: 1 } }),
    ]),
};
