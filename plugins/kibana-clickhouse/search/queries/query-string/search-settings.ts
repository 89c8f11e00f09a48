import { unsupported } from '../../../common/errors/catalogue';
import type { TimeZone } from '../../values/time-zone';
import type { QueryContext } from '../definition';
import type { DefaultOperator } from './combine-clauses';
import type { FuzzyWords } from './fuzziness';

/** How words are looked for over several fields: `type` of multi_match. */
export const multiMatchTypes = [
  'best_fields',
  'most_fields',
  'cross_fields',
  'phrase',
  'phrase_prefix',
  'bool_prefix',
] as const;

export type MultiMatchType = (typeof multiMatchTypes)[number];

/** What the words of a query_string are looked for in, and how. */
export interface SearchSettings {
  readonly context: QueryContext;
  /** Whether CKibana's own spellings are understood: `field:(a,b)`, and `%` for any characters. */
  readonly ckibanaSyntax: boolean;
  /** Names and patterns for what names no field itself. */
  readonly fields: readonly string[];
  /** The one name or pattern of `default_field`; undefined where `fields` is given. */
  readonly defaultField: string | undefined;
  /** Whether a value that does not fit a field matches nothing instead of being an error. */
  readonly lenient: boolean;
  readonly operator: DefaultOperator;
  readonly type: MultiMatchType;
  readonly analyzeWildcard: boolean;
  readonly allowLeadingWildcard: boolean;
  readonly quoteFieldSuffix: string;
  readonly phraseSlop: number;
  readonly zone: TimeZone | undefined;
  readonly fuzzyWords: FuzzyWords;
  /** Called before each test of a field is made; throws where one query asks for too many. */
  readonly countTest: () => void;
}

/** Tests of fields in one query, also those that turn out to say nothing. */
const maximumTests = 50_000;

/** Counts the tests of one query: a text of a million characters may ask for as many words in each of the fields. */
export function testCounter(): () => void {
  let tests = 0;
  return () => {
    tests += 1;
    if (tests > maximumTests)
      throw unsupported(
        `a query with more than ${String(maximumTests)} words and fields to search`,
      );
  };
}
