import * as fc from 'fast-check';

const word = fc.constantFrom(
  'a',
  'b',
  'c',
  'foo',
  'Bar',
  'foobar',
  '1',
  '7',
  'x1',
  'AND',
  'to',
  '\\:',
  'a\\-b',
  'é',
  '\\u0041',
);
const named = fc.constantFrom(
  'k:',
  'k2:',
  't:',
  't2:',
  'l:',
  'zz:',
  'k\\*:',
  't\\*:',
  '*:',
  '_exists_:',
);
const bound = fc.constantFrom('a', 'b', '1', '5', '*', '"a b"', '""', 'B', '9');

const often = <T>(n: number, value: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: n, arbitrary: value }, { weight: 1, arbitrary: other });

const boost = fc.constantFrom('', '', '', '', '', '', '^2', '^0.5');
const fuzzy = fc.constantFrom('~', '~1', '~2', '~0', '~AUTO', '~1.7', '~9');
const blank = fc.constantFrom(' ', ' ', ' ', '  ', '\t');

const quoted = fc
  .array(fc.constantFrom('a', 'b', 'foo', 'AND', '\\"', '.', '*'), { maxLength: 3 })
  .map((parts) => `"${parts.join(' ')}"`);

const range = fc
  .tuple(fc.constantFrom('[', '{'), bound, bound, fc.constantFrom(']', '}'))
  .map(([open, from, to, close]) => `${open}${from} TO ${to}${close}`);

const compared = fc
  .tuple(fc.constantFrom('>', '>=', '<', '<='), fc.constantFrom('1', '5', 'a', 'b'))
  .map((parts) => parts.join(''));

const bare = fc.oneof(
  { weight: 12, arbitrary: word },
  {
    weight: 2,
    arbitrary: fc.constantFrom('*', 'a*', 'A*', 'a?b', '*a', '?', 'fo*b?', '**', 'a\\**', 'a-b*'),
  },
  { weight: 1, arbitrary: fc.constantFrom('/a.b/', '/A/', '/a\\/b/', '/[ab]+/') },
  { weight: 2, arbitrary: fc.tuple(word, fuzzy).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: quoted },
  {
    weight: 1,
    arbitrary: fc.tuple(quoted, fc.constantFrom('~', '~1', '~3.5')).map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: range },
  { weight: 1, arbitrary: compared },
);

const joint = fc.constantFrom(
  ' ',
  ' ',
  ' ',
  ' AND ',
  ' OR ',
  ' && ',
  ' || ',
  ' and ',
  ' AND NOT ',
  ' OR NOT ',
);
const modifier = fc.constantFrom('', '', '', '', '', '+', '-', '!', 'NOT ', '- ');

/** Queries of Lucene's syntax, three levels deep. */
const wellFormed = fc.letrec<{ query: string; clause: string }>((tie) => ({
  query: fc
    .array(fc.tuple(joint, modifier, tie('clause')), { minLength: 1, maxLength: 5 })
    .map((clauses) =>
      clauses.map(([by, sign, clause], i) => `${i === 0 ? '' : by}${sign}${clause}`).join(''),
    ),
  clause: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.oneof(fc.constant(''), named), bare, boost)
        .map((parts) => parts.join('')),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.oneof(fc.constant(''), fc.constant(''), named), tie('query'), boost)
        .map(([name, query, by]) => `${name}(${query})${by}`),
    },
  ),
})).query;

/** The same parts in any order, and what no part begins with. */
const disorder = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: bare },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          '(',
          ')',
          'AND',
          'OR',
          'NOT',
          '+',
          '-',
          '!',
          '&&',
          '||',
          ':',
          'k:',
          '^',
          '^2',
          '~',
          '~1',
        ),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          '[',
          ']',
          '{',
          '}',
          '"',
          '/',
          '\\',
          '*',
          '?',
          'TO',
          '&',
          '\\u12',
          '\u3000',
          '\n',
        ),
      },
      { weight: 4, arbitrary: blank },
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''));

export const randomText: fc.Arbitrary<string> = often(3, wellFormed, disorder);

/** Options beside the query: none has a boost, which would only be printed. */
export const randomOptions = fc.record(
  {
    default_operator: fc.constantFrom('and', 'OR'),
    fields: fc.constantFrom(['t'], ['k', 't'], ['t', 't2', 'k'], ['k*'], ['*'], ['l', 'k'], ['zz']),
    lenient: fc.boolean(),
    minimum_should_match: fc.constantFrom(1, 2, '75%', '-1', '2<50%'),
    type: fc.constantFrom('best_fields', 'phrase', 'cross_fields', 'bool_prefix'),
    analyze_wildcard: fc.boolean(),
    allow_leading_wildcard: fc.boolean(),
    phrase_slop: fc.constantFrom(0, 2),
    quote_field_suffix: fc.constantFrom('.keyword', '2'),
    fuzziness: fc.constantFrom('AUTO', 1, 'auto:2,4'),
  },
  { requiredKeys: [] },
);

const simplePart = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'a',
      'b',
      'c',
      'foo',
      'Bar',
      'foobar',
      '1',
      '7',
      'a-b',
      'é',
      '\\-',
      '\\"',
    ),
  },
  { weight: 4, arbitrary: blank },
  { weight: 3, arbitrary: fc.constantFrom(' + ', ' | ', ' -', '+', '|', '-', '--', '- ') },
  { weight: 2, arbitrary: fc.constantFrom('"', '(', ')', '()', '""', '?', '.', '...') },
  { weight: 2, arbitrary: fc.constantFrom('~', '~1', '~2', '~9', '~x', '*', '* ', '~-1') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '"a b"',
      '"foo"',
      '"a"~2',
      '"1"~',
      '(a b)',
      '(a | b)',
      '-(a',
      ') + ',
    ),
  },
);

/** Texts for simple_query_string. */
export const randomSimpleText: fc.Arbitrary<string> = fc
  .array(simplePart, { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''));

export const randomSimpleOptions = fc.record(
  {
    default_operator: fc.constantFrom('and', 'OR'),
    fields: fc.constantFrom(['t'], ['k', 't'], ['t', 't2', 'k'], ['k*'], ['*'], ['l', 'k'], ['zz']),
    lenient: fc.boolean(),
    minimum_should_match: fc.constantFrom(1, 2, '75%', '-1', '2<50%'),
    analyze_wildcard: fc.boolean(),
    quote_field_suffix: fc.constantFrom('.keyword', '2'),
    flags: fc.constantFrom(
      'ALL',
      'OR|AND|WHITESPACE|PRECEDENCE',
      'PRECEDENCE|PHRASE|NOT|WHITESPACE',
      'PRECEDENCE|PREFIX|WHITESPACE|FUZZY|NEAR|PHRASE',
      175,
    ),
  },
  { requiredKeys: [] },
);
