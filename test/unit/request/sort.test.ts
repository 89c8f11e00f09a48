import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import {
  parseSort,
  parseSortParameter,
} from '../../../plugins/kibana-clickhouse/search/request/sort';

const by = (field: string, given: object = {}): object => ({
  kind: 'field',
  field,
  order: 'asc',
  missing: { kind: 'last' },
  ...given,
});

test.each<[JsonValue, readonly object[]]>([
  ['a', [by('a')]],
  [[], []],
  [
    ['a', { b: 'desc' }],
    [by('a'), by('b', { order: 'desc' })],
  ],
  [
    { '@timestamp': { order: 'DESC' }, _doc: 'asc' },
    [by('@timestamp', { order: 'desc' }), { kind: 'doc', order: 'asc' }],
  ],
  [
    ['_score', { _doc: { order: 'desc', unmapped_type: 'boolean' } }],
    [
      { kind: 'score', order: 'desc' },
      { kind: 'doc', order: 'desc' },
    ],
  ],
  [
    [
      {
        a: {
          unmapped_type: 'long',
          format: 'epoch_millis',
          numeric_type: 'date_nanos',
          mode: 'min',
          missing: '_first',
        },
      },
    ],
    [
      by('a', {
        unmappedType: 'long',
        format: 'epoch_millis',
        numericType: 'date_nanos',
        mode: 'min',
        missing: { kind: 'first' },
      }),
    ],
  ],
  [{ a: { missing: 7 } }, [by('a', { missing: { kind: 'value', value: 7 } })]],
])('%j', (value, expected) => {
  expect(parseSort(value)).toEqual(expected);
});

test('of the query string', () => {
  expect(parseSortParameter('a:desc,b,c:d:asc,_score')).toEqual([
    by('a', { order: 'desc' }),
    by('b'),
    by('c:d'),
    { kind: 'score', order: 'desc' },
  ]);
});

test.each<[JsonValue, string]>([
  [{ a: { foo: 1 } }, '[field_sort] unknown field [foo]'],
  [{ a: 'down' }, 'No enum constant org.elasticsearch.search.sort.SortOrder.DOWN'],
  [
    { a: { numeric_type: 'int' } },
    'invalid value for [numeric_type], must be [long, double, date, date_nanos], got "int"',
  ],
  [{ _script: {} }, '[kibana-clickhouse] unsupported: sort by [_script]'],
  [{ a: { mode: 'avg' } }, '[kibana-clickhouse] unsupported: [mode] avg in the sort by [a]'],
  [{ a: { nested: {} } }, '[kibana-clickhouse] unsupported: [nested] in the sort by [a]'],
  [[1], 'malformed sort format, within the sort array, an object, or an actual string are allowed'],
])('%j is an error', (value, message) => {
  expect(() => parseSort(value)).toThrow(expect.objectContaining({ status: 400, message }));
});
