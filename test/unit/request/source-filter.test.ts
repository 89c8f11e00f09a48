import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import {
  parseSourceFilter,
  showsInSource,
} from '../../../plugins/kibana-clickhouse/search/request/source-filter';

const names = ['a', 'ab', 'b.c', 'b.d.e', 'bcd'];
const shown = (
  body: JsonObject,
  url = '',
  stored?: readonly string[],
): readonly string[] | false => {
  const filter = parseSourceFilter(body, new Map(new URLSearchParams(url)), stored);
  return filter.enabled && names.filter(showsInSource(filter));
};

test.each<[JsonObject, readonly string[] | false]>([
  [{}, names],
  [{ _source: true }, names],
  [{ _source: false }, false],
  [{ _source: 'a' }, ['a']],
  [{ _source: 'a*' }, ['a', 'ab']],
  [{ _source: ['b'] }, ['b.c', 'b.d.e']],
  [{ _source: ['b.*', 'zzz'] }, ['b.c', 'b.d.e']],
  [{ _source: ['*.e'] }, ['b.d.e']],
  [{ _source: [] }, names],
  [{ _source: {} }, names],
  [{ _source: { excludes: [] } }, names],
  [{ _source: { includes: ['b*'], excludes: 'b.d' } }, ['b.c', 'bcd']],
  [{ _source: { include: 'a', exclude: [] } }, ['a']],
  [{ _source: ['zzz'] }, []],
])('%j', (body, expected) => {
  expect(shown(body)).toEqual(expected);
});

test.each<[string, readonly string[] | false]>([
  ['_source=false', false],
  ['_source=true', names],
  ['_source=a,ab', ['a', 'ab']],
  ['_source_includes=b&_source_excludes=b.d', ['b.c']],
  ['_source_exclude=b*', ['a', 'ab']],
])('the query string stands before the body: %s', (url, expected) => {
  expect(shown({ _source: ['bcd'] }, url)).toEqual(expected);
});

test('stored_fields turn it off unless it is asked for', () => {
  expect(shown({}, '', ['*'])).toBe(false);
  expect(shown({}, '', ['_source'])).toEqual(names);
  expect(shown({ _source: ['a'] }, '', ['*'])).toEqual(['a']);
});

test.each<[JsonObject, string]>([
  [{ _source: 1 }, 'Expected one of [VALUE_BOOLEAN, START_OBJECT] but found [VALUE_NUMBER]'],
  [{ _source: { foo: [] } }, 'Unknown key for a START_ARRAY in [foo].'],
])('%j is an error', (body, message) => {
  expect(() => shown(body)).toThrow(expect.objectContaining({ status: 400, message }));
});
