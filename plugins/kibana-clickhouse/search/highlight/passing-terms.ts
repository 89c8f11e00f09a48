import type { Field } from '../../clickhouse/catalog/table';
import { array, call, column, lambda, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import type { TermTest } from '../queries/sought-term';
import { fitsRegexp } from '../queries/text/regexp';
import { type StringValues, words } from '../queries/text/string-values';
import { fitsWildcard } from '../queries/text/wildcard';
import type { TermKind } from './terms';

/**
 * Tests that ClickHouse makes: the patterns are a user's, and only RE2 matches any of them in a time that grows with the length
 * of the text alone.
 */
export type PatternTest = Extract<TermTest, { readonly kind: 'regexp' | 'wildcard' }>;

/** Whether ClickHouse makes a test. */
export const isPatternTest = (test: TermTest): test is PatternTest =>
  test.kind === 'regexp' || test.kind === 'wildcard';

/**
 * The terms of a row's field that pass a test, as an array of texts; undefined where none ever does. They are tested as the
 * query tests them.
 */
export function passingTerms(field: Field, kind: TermKind, test: PatternTest): Expr | undefined {
  const passes = testOf(test, letterCases[kind]);
  return passes && call('arrayFilter', lambda('t', passes(column('t'))), termsOf(field, kind));
}

const letterCases: Readonly<Record<TermKind, StringValues['letterCase']>> = {
  keyword: 'exact',
  words: 'lower',
  whole: 'ignored',
};

const testOf = (
  test: PatternTest,
  letterCase: StringValues['letterCase'],
): ((term: Expr) => Expr) | undefined =>
  test.kind === 'regexp' ? fitsRegexp(test.text, letterCase) : fitsWildcard(test, letterCase);

/** All terms of a row, as an array; a value that is missing has one without letters. */
function termsOf({ expr, multiValued }: Field, kind: TermKind): Expr {
  const each = (apply: (value: Expr) => Expr): Expr =>
    multiValued ? call('arrayMap', lambda('x', apply(column('x'))), expr) : array([apply(expr)]);
  if (kind !== 'words') return each((value) => call('ifNull', value, param('', 'String')));
  return call('arrayDistinct', multiValued ? call('arrayFlatten', each(words)) : words(expr));
}
