import {
  bareType,
  enumValues,
  parseColumnType,
} from '../../../plugins/kibana-clickhouse/clickhouse/catalog/column-type';
import {
  elasticsearchType,
  epochUnit,
} from '../../../plugins/kibana-clickhouse/clickhouse/catalog/elasticsearch-type';

describe('parseColumnType', () => {
  test('reads nested types', () => {
    const type = parseColumnType(
      "Map(LowCardinality(String), Array(Nullable(DateTime64(3, 'UTC'))))",
    );
    expect(type.name).toBe('Map');
    expect(type.inner[0]).toMatchObject({
      name: 'String',
      lowCardinality: true,
      nullable: false,
      text: 'LowCardinality(String)',
    });
    const element = type.inner[1]?.inner[0];
    expect(element).toMatchObject({ name: 'DateTime64', nullable: true, literals: ['3', "'UTC'"] });
    expect(element && bareType(element).text).toBe("DateTime64(3, 'UTC')");
    expect(bareType(parseColumnType('LowCardinality(Nullable(FixedString(3)))'))).toMatchObject({
      text: 'FixedString(3)',
      nullable: false,
      lowCardinality: false,
    });
  });

  test('reads element names, quoted and plain, and line breaks', () => {
    const type = parseColumnType(
      'Tuple(\n    a UInt8,\n    `b c` Nullable(String),\n    `d\\`,(` Array(Int8))',
    );
    expect(type.names).toEqual(['a', 'b c', 'd`,(']);
    expect(type.inner.map(({ name, nullable }) => [name, nullable])).toEqual([
      ['UInt8', false],
      ['String', true],
      ['Array', false],
    ]);
    expect(parseColumnType('Tuple(UInt8, String)')).toMatchObject({
      names: [],
      inner: [{ name: 'UInt8' }, { name: 'String' }],
    });
    expect(parseColumnType('Nested(k String, v Array(UInt8))').names).toEqual(['k', 'v']);
  });

  test('reads enum values whatever they hold', () => {
    const type = parseColumnType("Enum8('a' = 1, 'b, c' = -2, 'd\\'(' = 3, '' = 4)");
    expect(enumValues(type)).toEqual(['a', 'b, c', "d'(", '']);
  });

  test('reads aggregate functions and JSON options', () => {
    expect(parseColumnType('AggregateFunction(quantiles(0.5, 0.9), UInt64)')).toMatchObject({
      literals: ['quantiles(0.5, 0.9)'],
      inner: [{ name: 'UInt64' }],
    });
    expect(
      parseColumnType('SimpleAggregateFunction(sum, Nullable(UInt64))').inner[0],
    ).toMatchObject({ name: 'UInt64', nullable: true });
    expect(
      parseColumnType("JSON(max_dynamic_paths=10, a.b UInt32, SKIP c, SKIP REGEXP 'x,y')"),
    ).toMatchObject({
      names: ['a.b'],
      inner: [{ name: 'UInt32' }],
      literals: ['max_dynamic_paths=10', 'SKIP c', "SKIP REGEXP 'x,y'"],
    });
  });

  test.each([
    'Brand New(Thing',
    'X(',
    ')',
    '',
    "Enum8('a",
    "Future(1, 'a', Sub(String), k = v)",
    'Tuple()',
  ])('never throws: %s', (text) => {
    expect(parseColumnType(text).text).toBe(text);
  });
});

test.each<[string, string]>([
  ['UInt8', 'short'],
  ['UInt16', 'integer'],
  ['UInt32', 'long'],
  ['UInt64', 'unsigned_long'],
  ['Int8', 'byte'],
  ['Int16', 'short'],
  ['Int32', 'integer'],
  ['Int64', 'long'],
  ['Int128', 'double'],
  ['UInt256', 'double'],
  ['Decimal(10, 2)', 'double'],
  ['Float32', 'float'],
  ['Float64', 'double'],
  ['Bool', 'boolean'],
  ['String', 'text'],
  ['LowCardinality(String)', 'keyword'],
  ['LowCardinality(Nullable(String))', 'keyword'],
  ['FixedString(2)', 'keyword'],
  ["Enum16('a' = 1)", 'keyword'],
  ['UUID', 'keyword'],
  ['IPv4', 'ip'],
  ['Nullable(IPv6)', 'ip'],
  ['Date', 'date'],
  ['Date32', 'date'],
  ["DateTime('UTC')", 'date'],
  ['DateTime64(3)', 'date'],
  ["DateTime64(6, 'UTC')", 'date_nanos'],
  ['Point', 'geo_point'],
  ['Tuple(lon Float64, lat Float64)', 'geo_point'],
  ['Tuple(a Float64, b Float64)', 'unknown'],
  ['Dynamic', 'unknown'],
  ['Variant(String, UInt64)', 'unknown'],
])('%s is %s', (text, type) => {
  expect(elasticsearchType(parseColumnType(text)).type).toBe(type);
});

test.each<[string, bigint | undefined, string | undefined]>([
  ['UInt32', 1_704_067_200n, 's'],
  ['UInt64', 1_704_067_200_123n, 'ms'],
  ['Int64', 1_704_067_200_123_456n, 'us'],
  ['UInt64', 1_704_067_200_123_456_789n, 'ns'],
  ['UInt32', 99_999_999n, undefined],
  ['Int64', -5n, undefined],
  ['Int64', undefined, 'ms'],
  ['UInt32', undefined, 's'],
])('%s with largest value %s counts %s', (type, largest, unit) => {
  expect(epochUnit(parseColumnType(type), largest)).toBe(unit);
});
