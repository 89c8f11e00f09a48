import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import * as column from '../../datasets/dataset';
import type { FieldKind } from './field';
import { type Spread, instants } from './instants';

/** How one kind of column is made. */
export interface ColumnKind {
  readonly column: column.DatasetColumn;
  readonly fields: readonly { readonly name: string; readonly kind: FieldKind }[];
  readonly value: (spread: Spread) => fc.Arbitrary<JsonValue>;
  /** Whether a document may lack the value. */
  readonly optional: boolean;
}

const words = ['web-1', 'web-2', 'db', 'Web-1', 'ÄRGER', 'ärger', 'zürich'];
const hard = [
  ...[
    '',
    ' ',
    'a b',
    "it's",
    'say "hi"',
    'back\\slash',
    '100%',
    'a_b',
    'x\ny',
    'tab\t',
    'שלום',
    '日本',
    '😀',
  ],
  ...[
    'é',
    'e\u0301',
    '-1',
    '007',
    'null',
    'true',
    '*',
    '?',
    'a*',
    '/a/b?c=d',
    '[x]',
    '{y}',
    'a,b',
    '2024-01-01',
  ],
];
const strings = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...words) },
  { weight: 2, arbitrary: fc.constantFrom(...hard) },
);

const addresses4 = [
  '10.0.0.1',
  '10.0.0.2',
  '10.0.1.255',
  '192.168.1.1',
  '0.0.0.0',
  '255.255.255.255',
];
const addresses6 = [
  ...[
    '::1',
    '::',
    '2001:db8::1',
    '2001:db8:0:1::',
    'fe80::1',
    '::ffff:10.0.0.1',
    '::ffff:192.168.1.1',
  ],
  'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
];

const small = fc.constantFrom(-3, -1, 0, 0, 1, 2, 7, 100);
const wide = fc.constantFrom<JsonValue>(
  9007199254740991,
  9007199254740992n,
  9007199254740993n,
  -9007199254740993n,
  9223372036854775807n,
  -9223372036854775808n,
  0,
  1,
  -1,
  42,
);
const doubles = fc.constantFrom(
  0,
  -0.5,
  0.1,
  0.5,
  1,
  1.5,
  2.25,
  -7.125,
  1e21,
  1e-7,
  123456789.125,
  100,
);
const floats = fc.constantFrom(0, -0.5, 0.5, 1.5, 2.25, -7.125, 1024, 0.1, 3.3);
const prices = fc.constantFrom(0, 0.1, 1.005, -2.5, 100, 99.999);
const booleans = fc.boolean();

const plain = (
  made: column.DatasetColumn,
  kind: FieldKind,
  value: fc.Arbitrary<JsonValue> | ColumnKind['value'],
): ColumnKind => {
  const isArray = made.clickHouse.startsWith('Array(');
  const one = typeof value === 'function' ? value : () => value;
  return {
    column: made,
    fields: [{ name: made.name, kind }],
    value: isArray ? (spread) => fc.array(one(spread), { maxLength: 4 }) : one,
    optional: made.clickHouse.includes('Nullable('),
  };
};

const text = (made: column.DatasetColumn): ColumnKind => ({
  ...plain(made, 'text', strings),
  fields: [
    { name: made.name, kind: 'text' },
    { name: `${made.name}.keyword`, kind: 'keyword' },
  ],
});

/** Dates of types that begin with 1970. */
const since1970 = ({ firstMs, lastMs }: Spread): Spread => ({
  firstMs: Math.max(firstMs, 0),
  lastMs: Math.max(lastMs, 0),
});

const iso = (ms: number): string => new Date(ms).toISOString();

const dateKinds: readonly ColumnKind[] = [
  plain(column.seconds('seen', { nullable: true }), 'date', (spread) =>
    instants(since1970(spread)).map((ms) => iso(ms).replace(/\.\d+Z/, 'Z')),
  ),
  plain(column.day('day', { nullable: true }), 'date', (spread) =>
    instants(spread).map((ms) => iso(ms).slice(0, 10)),
  ),
  plain(column.dateNanos('exact', { nullable: true }), 'date_nanos', (spread) =>
    fc
      .tuple(
        instants(since1970(spread)),
        fc.constantFrom('000000', '000000', '456000', '456789', '000001'),
      )
      .map(([ms, rest]) => iso(ms).replace('Z', `${rest}Z`)),
  ),
  plain(column.date('moments', { array: true }), 'date', (spread) => instants(spread).map(iso)),
];

const keys = ['team', 'zone'];

const map = (
  name: string,
  clickHouse: string,
  elasticsearch: JsonObject,
  [kind, value]: readonly [FieldKind, fc.Arbitrary<JsonValue>],
): ColumnKind => ({
  column: {
    name,
    clickHouse,
    elasticsearch: { properties: Object.fromEntries(keys.map((key) => [key, elasticsearch])) },
  },
  fields: keys.map((key) => ({ name: `${name}.${key}`, kind })),
  value: () =>
    fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 2, noNullPrototype: true }),
  optional: false,
});

/** The columns that every document has. */
export const timestamp = plain(column.date('@timestamp'), 'date', (spread) =>
  instants(spread).map(iso),
);

/** Quarters of a degree, with the edges of the Earth. */
const point = fc.record<JsonObject>(
  {
    lat: fc.oneof(
      fc.constantFrom(-90, 0, 90, 52.25),
      fc.integer({ min: -360, max: 360 }).map((n) => n / 4),
    ),
    lon: fc.oneof(
      fc.constantFrom(-180, 0, 180, 21),
      fc.integer({ min: -720, max: 720 }).map((n) => n / 4),
    ),
  },
  { noNullPrototype: true },
);

/** Paths that every document has: what a JSON column is to the product follows from its rows. */
const json: ColumnKind = {
  column: {
    name: 'event',
    clickHouse: 'JSON',
    elasticsearch: {
      properties: { code: { type: 'long' }, user: { properties: { name: column.textMapping } } },
    },
  },
  fields: [
    { name: 'event.code', kind: 'integer' },
    { name: 'event.user.name', kind: 'text' },
    { name: 'event.user.name.keyword', kind: 'keyword' },
  ],
  value: () =>
    fc.tuple(small, fc.constantFrom(...words)).map(([code, name]) => ({ code, user: { name } })),
  optional: false,
};

/** Points are no fields that clauses and metrics of values can name. */
const points = (made: column.DatasetColumn, value: fc.Arbitrary<JsonValue>): ColumnKind => ({
  column: made,
  fields: [],
  value: () => value,
  optional: false,
});

/** Columns that documents are made of beside the timestamp. */
export const columnKinds: readonly ColumnKind[] = [
  ...dateKinds,
  plain(column.keyword('host'), 'keyword', strings),
  plain(column.keyword('region', { nullable: true }), 'keyword', strings),
  plain(
    column.enumeration('level', ['debug', 'info', 'error']),
    'keyword',
    fc.constantFrom('debug', 'info', 'error'),
  ),
  plain(column.keyword('tags', { array: true }), 'keyword', strings),
  text(column.text('message')),
  text(column.text('referer', { nullable: true })),
  text(column.text('notes', { array: true })),
  plain(column.byte('small'), 'integer', small),
  plain(
    { ...column.integer('status'), clickHouse: 'UInt16' },
    'integer',
    fc.constantFrom(200, 200, 404, 503, 0, 65535),
  ),
  plain(
    column.integer('count', { nullable: true }),
    'integer',
    fc.oneof(small, fc.constantFrom(2147483647, -2147483648)),
  ),
  plain(column.long('bytes'), 'integer', wide),
  plain(column.long('codes', { array: true }), 'integer', fc.constantFrom(0, 1, 2, 7, 4294967295)),
  plain(column.double('ratio'), 'decimal', doubles),
  plain(column.float('load', { nullable: true }), 'decimal', floats),
  plain(column.decimal('price', { nullable: true }), 'decimal', prices),
  plain(column.boolean('cached'), 'boolean', booleans),
  plain(column.boolean('flag', { nullable: true }), 'boolean', booleans),
  plain(column.ipv4('client'), 'ip', fc.constantFrom(...addresses4)),
  plain(column.ip('peer', { nullable: true }), 'ip', fc.constantFrom(...addresses6)),
  map('labels', 'Map(String, LowCardinality(String))', { type: 'keyword' }, ['keyword', strings]),
  json,
  points(column.geoPoint('place'), point),
  points(column.geoPoints('stops'), fc.array(point, { maxLength: 3 })),
  map('gauges', 'Map(LowCardinality(String), Int64)', { type: 'long' }, ['integer', small]),
];
