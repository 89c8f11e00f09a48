import fc from 'fast-check';
import { namePattern } from '../../../plugins/kibana-clickhouse/search/request/name-pattern';

const asRegExp = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[.]/g, '\\.'))
      .join('.*')}$`,
  );

test('a pattern matches what its regular expression matches', () => {
  const text = (letters: string): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...Array.from(letters)), maxLength: 8 });
  fc.assert(
    fc.property(text('ab.*'), text('ab.'), (pattern, name) => {
      expect(namePattern(pattern)(name)).toBe(asRegExp(pattern).test(name));
    }),
    { numRuns: 2000 },
  );
});
