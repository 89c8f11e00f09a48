import type { JsonObject, JsonValue } from '../../plugins/kibana-clickhouse/common/json/json';
import {
  type Dataset,
  type DatasetRow,
  boolean,
  byte,
  date,
  decimal,
  double,
  enumeration,
  float,
  geoPoint,
  integer,
  keyword,
  labels,
  long,
  short,
  text,
  uuid,
} from './dataset';

/** Rows with the numbers 1, 2, 3… in `n`. */
export const numbered = (rows: readonly JsonObject[]): readonly DatasetRow[] =>
  rows.map((row, i) => ({ n: i + 1, ...row }));

const safe = 9_007_199_254_740_992n;
const optional = { nullable: true } as const;
const several = { array: true } as const;

/** Missing values, empty strings, empty arrays, several values, ties. */
export const missing: Dataset = {
  name: 'missing',
  uniqueField: 'n',
  orderBy: ['n'],
  columns: [
    integer('n'),
    keyword('host', optional),
    text('note', optional),
    text('always'),
    long('size', optional),
    double('ratio', optional),
    boolean('ok', optional),
    date('at', optional),
    keyword('tags', several),
    long('counts', several),
    text('lines', several),
    labels('labels', ['team', 'zone']),
  ],
  rows: () =>
    numbered([
      {
        host: 'a',
        note: 'First note',
        always: 'x',
        size: 10,
        ratio: 0.5,
        ok: true,
        at: '2024-01-01T00:00:00.000Z',
        tags: ['red', 'green'],
        counts: [1, 2],
        lines: ['first line', 'second line'],
        labels: { team: 'blue' },
      },
      { host: '', note: '', always: '', size: 0, ratio: 0, ok: false, tags: [''], counts: [0] },
      { always: 'null', labels: { team: '', zone: 'eu' } },
      { host: 'a', always: 'NULL', size: 10, at: '2024-01-02T12:00:00.000Z', tags: ['red', 'red'] },
      {
        host: 'b',
        note: 'second Note',
        always: 'y',
        size: -5,
        ratio: -0.25,
        ok: true,
        counts: [2, 2, 3],
      },
      {
        note: 'null',
        always: 'z',
        ok: false,
        at: '2024-01-01T00:00:00.000Z',
        tags: ['green', 'blue', 'red'],
      },
      { host: 'b', always: 'x', size: 10, ratio: 1e10, lines: [''] },
      { host: 'c', note: 'FIRST', always: 'x', size: 7, ratio: 0.5, ok: true, counts: [-1, 10] },
    ]),
};

const numberRow = (values: readonly JsonValue[]): JsonObject =>
  Object.fromEntries(
    ['l', 'i', 's', 'b', 'd', 'f', 'dec'].map((name, i) => [name, values[i] ?? null]),
  );

/** Every kind of number, at its limits. */
export const numbers: Dataset = {
  name: 'numbers',
  uniqueField: 'n',
  orderBy: ['n'],
  columns: [
    integer('n'),
    long('l', optional),
    integer('i', optional),
    short('s', optional),
    byte('b', optional),
    double('d', optional),
    float('f', optional),
    decimal('dec', optional),
    boolean('flag'),
    long('many', several),
  ],
  rows: () =>
    numbered([
      { ...numberRow([0, 0, 0, 0, 0, 0, 0]), flag: false },
      { ...numberRow([1, 1, 1, 1, 0.1, 0.5, 0.5]), flag: true, many: [1, 1, 2] },
      { ...numberRow([-1, -1, -1, -1, -0.1, -0.5, -0.25]), flag: true, many: [-3] },
      { ...numberRow([safe, 2147483647, 32767, 127, 1e300, 0.25, 99999.9999]), flag: false },
      { ...numberRow([safe + 1n, -2147483648, -32768, -128, -1e300, -0.25, -1]), flag: false },
      { ...numberRow([safe - 1n, 7, 7, 7, 1e-300, 16777216, 12.5]), flag: true, many: [5, 4] },
      { ...numberRow([-safe - 1n, 7, 7, 7, 1e7, 1024, 12.5]), flag: true },
      { ...numberRow([9223372036854775807n, 42, 42, 42, 123456.789, 3, 3]), flag: false },
      { ...numberRow([-9223372036854775808n, 42, 42, 42, 1e-5, 3, 3]), flag: false },
      { flag: true, many: [10, 20, 30] },
    ]),
};

/** Unicode, right-to-left text, and every sign that some language along the way gives a meaning. */
export const texts: Dataset = {
  name: 'texts',
  uniqueField: 'n',
  orderBy: ['n'],
  columns: [
    integer('n'),
    keyword('k'),
    text('t'),
    enumeration('level', ['debug', 'info', 'warn', 'error']),
    uuid('id'),
  ],
  rows: () =>
    numbered(
      [
        'Hello World',
        'hello world',
        'ÄRGER',
        'ärger',
        'Straße',
        'שלום עולם',
        'مرحبا بالعالم',
        '日本語テキスト',
        '😀 emoji 👩‍👩‍👧',
        "it's 'quoted'",
        'say "hi"',
        String.raw`C:\path\to`,
        '100 %',
        '100 _',
        'a_b%c',
        'line\nbreak',
        'tab\there\r\n',
        '*star? [x]',
        '{p0:String}',
        '$1 `tick`',
        '-- comment; DROP TABLE texts',
        '/* not a comment */',
        ' leading and trailing ',
        'e\u0301 decomposed, é composed',
        'null',
        'true',
        '2024-01-01',
        '10.0.0.1',
        '',
        'z'.repeat(300),
        'ZZ',
        'aa',
        'AA',
        'ß',
      ].map((value, i) => ({
        k: value,
        t: value,
        level: ['debug', 'info', 'warn', 'error'][i % 4] ?? 'info',
        id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      })),
    ),
};

/** Points, with the corners of the world. */
export const points: Dataset = {
  name: 'points',
  uniqueField: 'n',
  orderBy: ['n'],
  columns: [integer('n'), keyword('place'), geoPoint('location')],
  rows: () =>
    numbered([
      { place: 'Warsaw', location: { lat: 52.2297, lon: 21.0122 } },
      { place: 'null island', location: { lat: 0, lon: 0 } },
      { place: 'date line', location: { lat: -17.7, lon: 180 } },
      { place: 'south pole', location: { lat: -90, lon: -180 } },
      { place: 'Sydney', location: { lat: -33.8688, lon: 151.2093 } },
    ]),
};
