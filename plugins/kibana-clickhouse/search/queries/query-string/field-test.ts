import type { Field } from '../../../clickhouse/catalog/table';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { failedQuery } from '../../../common/errors/catalogue';
import type { TimeZone } from '../../values/time-zone';
import type { QueryContext } from '../definition';
import { equalsValue } from '../equals';
import { inRange } from '../range';
import { lowerCase } from '../text/analyze';
import { type FuzzyOptions, resembles } from '../text/fuzzy';
import { matchesPhrase, matchesPhrasePrefix } from '../text/match-phrase';
import { requireMatchable } from '../text/match-words';
import { startsWith } from '../text/prefix';
import { matchesRegexp } from '../text/regexp';
import { searchesWords } from '../text/string-values';
import { contains, hasWords } from '../text/text-term';
import { matchesWildcard } from '../text/wildcard';

/** What a leaf of a query asks of one field. */
export type FieldTest =
  /** One word of a text, which may only begin so; the whole value of any other field. */
  | { readonly kind: 'term' | 'term_prefix'; readonly text: string }
  | { readonly kind: 'phrase' | 'phrase_prefix'; readonly text: string; readonly slop: number }
  | { readonly kind: 'prefix' | 'wildcard' | 'regexp'; readonly text: string }
  | FuzzyTest
  | RangeTest;

export interface FuzzyTest extends FuzzyOptions {
  readonly kind: 'fuzzy';
  readonly text: string;
}

/** Ends are undefined where they are open; the time zone counts for dates only. */
export interface RangeTest {
  readonly kind: 'range';
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly includeFrom: boolean;
  readonly includeTo: boolean;
  readonly zone?: TimeZone | undefined;
}

/**
 * The rows whose field passes a test. Patterns and words of a text field are taken in lower case where its words are
 * (`textSearch: tokens`), regular expressions as they are (Elasticsearch 7.17). Throws Elasticsearch's errors for what
 * does not fit the field.
 */
export function testCondition(field: Field, test: FieldTest, context: QueryContext): Expr {
  switch (test.kind) {
    case 'term':
    case 'term_prefix':
      return hasTerm(field, test, context);
    case 'phrase':
      return matchesPhrase(field, test.text, context, test);
    case 'phrase_prefix':
      return matchesPhrasePrefix(field, test.text, context, test);
    case 'prefix':
      return startsWith(field, normalized(field, test.text, context), context);
    case 'wildcard':
      return matchesWildcard(field, normalized(field, test.text, context), context);
    case 'regexp':
      return matchesRegexp(field, test.text, context);
    case 'fuzzy':
      checkFuzzy(test);
      return resembles(field, normalized(field, test.text, context), context, test);
    case 'range':
      return inRange(field, { bounds: test, ...(test.zone && { zone: test.zone }) }, context);
  }
}

function hasTerm(
  field: Field,
  { kind, text }: Extract<FieldTest, { readonly kind: 'term' | 'term_prefix' }>,
  context: QueryContext,
): Expr {
  requireMatchable(field);
  const lastIsPrefix = kind === 'term_prefix';
  if (field.type === 'text')
    return searchesWords(field, context)
      ? hasWords(field, [text], context, { lastIsPrefix })
      : contains(field, text, context);
  return lastIsPrefix && field.type === 'keyword'
    ? startsWith(field, text, context)
    : equalsValue(field, text, context);
}

const normalized = (field: Field, text: string, context: QueryContext): string =>
  field.type === 'text' && searchesWords(field, context) ? lowerCase(text) : text;

/** Throws what Lucene's `FuzzyQuery` (8.11) finds wrong with a test. */
function checkFuzzy({ edits, prefixLength = 0 }: FuzzyTest): void {
  if (edits < 0) throw failedQuery(`Valid edit distances are [0, 1, 2] but was [${String(edits)}]`);
  if (prefixLength < 0) throw failedQuery('prefixLength cannot be negative.');
}
