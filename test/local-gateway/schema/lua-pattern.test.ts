import { luaPattern } from '../../../dev/gateway/schema/lua-pattern';

describe('Lua patterns', () => {
  test.each([
    ['^[^%s,]+$', 'http://es:9200', true],
    ['^[^%s,]+$', 'a b', false],
    ['^[^%s,]+$', 'a,b', false],
    ['^[^%s,*]+$', 'log*', false],
    ["^[%w!#$%%&'*+.^_`|~-]+$", 'x-opaque-id', true],
    ["^[%w!#$%%&'*+.^_`|~-]+$", 'a%b', true],
    ["^[%w!#$%%&'*+.^_`|~-]+$", 'a:b', false],
    ['^%u+$', 'GET', true],
    ['^%u+$', 'get', false],
    ['%d-x', '12x', true],
    ['a.c', 'a\nc', true],
    ['^a$b$', 'a$b', true],
    ['a^b', 'a^b', true],
    ['^%D+$', 'abc', true],
    ['^%D+$', 'ab1', false],
    ['%.%-%]', '.-]', true],
    ['[]]', ']', true],
    ['a{2}', 'a{2}', true],
    ['a|b', 'a', false],
  ])('%s takes %j: %s', (pattern, text, taken) => {
    expect(luaPattern(pattern).test(text)).toBe(taken);
  });

  test.each(['%b()', '(a)%1', '[%S]', '[a'])('%s is refused', (pattern) => {
    expect(() => luaPattern(pattern)).toThrow();
  });
});
