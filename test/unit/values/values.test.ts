import fc from 'fast-check';
import { buildTable } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/build-table';
import type { Field } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import type { Cell } from '../../../plugins/kibana-clickhouse/clickhouse/execution/executor';
import { parseDateFormat } from '../../../plugins/kibana-clickhouse/search/values/date-format';
import {
  parseIp,
  parseIpOrBlock,
  printFullIpv6,
  printIp,
} from '../../../plugins/kibana-clickhouse/search/values/ip-value';
import { parseNumber } from '../../../plugins/kibana-clickhouse/search/values/number-value';
import {
  type RenderOptions,
  renderValues,
} from '../../../plugins/kibana-clickhouse/search/values/render-value';
import { parseTimeZone } from '../../../plugins/kibana-clickhouse/search/values/time-zone';

describe('parseNumber', () => {
  test.each<[string | number | bigint, bigint, boolean]>([
    ['1', 1n, true],
    ['1e3', 1000n, true],
    ['1.0', 1n, true],
    ['-1.5', -2n, false],
    ['1.5', 1n, false],
    ['.5', 0n, false],
    ['-0.0001', -1n, false],
    ['9007199254740993', 9007199254740993n, true],
    ['9007199254740993.0', 9007199254740993n, true],
    ['1e-400', 0n, false],
    ['0e999999999', 0n, true],
    [-1.5, -2n, false],
    [9007199254740993n, 9007199254740993n, true],
  ])('%s', (value, floor, whole) => {
    expect(parseNumber(value)).toMatchObject({ floor, whole });
  });
  test('huge exponents cost nothing and are beyond every type', () => {
    expect(parseNumber('1e999999999').floor > 2n ** 64n).toBe(true);
    expect(parseNumber('-1e999999999').floor < -(2n ** 64n)).toBe(true);
    expect(parseNumber('1e-999999999')).toMatchObject({ floor: 0n, whole: false });
  });
  test('agrees with JavaScript on doubles', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const number = parseNumber(String(value));
        expect(number.double - value).toBe(0);
        expect(Number(number.floor) - Math.floor(value)).toBe(0);
      }),
    );
  });
  test('an empty text is refused in the words of Double.parseDouble', () => {
    expect(() => parseNumber('')).toThrow('empty String');
  });
  test.each([' 1', '1 ', 'abc', '0x10', '1e', '--1', 'NaN', true, [1]])(
    '%s is refused',
    (value) => {
      expect(() => parseNumber(value)).toThrow('For input string');
    },
  );
});

describe('addresses', () => {
  test.each<[string, string]>([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::', '::'],
    ['::1', '::1'],
    ['::1.2.3.4', '::102:304'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['fe80:0:0:0:1:0:0:1', 'fe80::1:0:0:1'],
  ])('%s prints as %s', (text, printed) => {
    expect(printIp(parseIp(text))).toBe(printed);
  });
  test('every address survives printing', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (value) => {
        expect(parseIp(printIp(value))).toBe(value);
        expect(parseIp(printFullIpv6(value))).toBe(value);
      }),
    );
  });
  test('blocks', () => {
    expect(parseIpOrBlock('10.1.2.3/8')).toEqual({
      from: parseIp('10.0.0.0'),
      to: parseIp('10.255.255.255'),
    });
    expect(parseIpOrBlock('2001:db8::/32').to).toBe(
      parseIp('2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'),
    );
    expect(parseIpOrBlock('0.0.0.0/0')).toEqual({
      from: parseIp('0.0.0.0'),
      to: parseIp('255.255.255.255'),
    });
  });
  test.each([
    '10.0.0',
    '10.0.0.256',
    '01.0.0.1',
    'x',
    '',
    '1::2::3',
    'fe80::1%eth0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '::/129',
    '10.0.0.0/-1',
  ])('%s is refused', (text) => {
    expect(() => parseIpOrBlock(text)).toThrow('failed to create query');
  });
});

const fieldOf = (type: string, name = 'f'): Field => {
  const table = buildTable({
    database: 'd',
    name: 't',
    engine: 'MergeTree',
    sortingKey: '',
    columns: [{ name, type, defaultKind: '' }],
  });
  const field = table.field(name);
  if (field === undefined) throw new Error(type);
  return field;
};

test.each<[string, Cell, unknown[], RenderOptions?]>([
  ['String', 'a', ['a']],
  ['String', '', ['']],
  ['Nullable(String)', null, []],
  ['Array(String)', ['b', 'a'], ['b', 'a']],
  ['Array(String)', [], []],
  ['UInt8', 5, [5]],
  ['UInt64', '18446744073709551615', [18446744073709551615n]],
  ['Int64', '9007199254740991', [9007199254740991]],
  ['Int64', '-9007199254740993', [-9007199254740993n]],
  ['Float32', 1.1, [1.1]],
  ['Float32', 1.1, [1.100000023841858], { docValues: true }],
  ['Float64', 'nan', []],
  ['Bool', true, [true]],
  ['IPv6', '::ffff:10.0.0.1', ['10.0.0.1']],
  ['DateTime64(3)', '2024-01-01T00:00:00.120Z', ['2024-01-01T00:00:00.120Z']],
  ['DateTime64(9)', '2024-01-01T00:00:00.123456789Z', ['2024-01-01T00:00:00.123456789Z']],
  ['DateTime64(9)', '2024-01-01T00:00:00.000000000Z', ['2024-01-01T00:00:00.000Z']],
  ['DateTime', '2024-01-01T00:00:00Z', ['2024-01-01T00:00:00.000Z']],
  ['Date', '2024-01-01', ['2024-01-01T00:00:00.000Z']],
  ['Date32', '1925-01-01', ['1925-01-01T00:00:00.000Z']],
  [
    'DateTime64(3)',
    '1969-12-31T23:59:59.999Z',
    ['-1'],
    { format: parseDateFormat('epoch_millis') },
  ],
  [
    'DateTime',
    '2024-01-01T00:00:00Z',
    ['2024-01-01T01:00:00.000+01:00'],
    { zone: parseTimeZone('+01:00') },
  ],
  ['Point', [21, 52], [{ coordinates: [21, 52], type: 'Point' }]],
  [
    'Tuple(lat Float64, lon Float64)',
    { lat: 52, lon: 21 },
    [{ coordinates: [21, 52], type: 'Point' }],
  ],
])('a cell of %s: %j', (type, cell, expected, options = {}) => {
  expect(renderValues(fieldOf(type), cell, options)).toEqual(expected);
});

test('an integer that counts time prints as a date', () => {
  expect(renderValues(fieldOf('Int64', 'start_time'), '1704067200123')).toEqual([
    '2024-01-01T00:00:00.123Z',
  ]);
  expect(renderValues(fieldOf('UInt32', 'start_time'), 1704067200)).toEqual([
    '2024-01-01T00:00:00.000Z',
  ]);
});
