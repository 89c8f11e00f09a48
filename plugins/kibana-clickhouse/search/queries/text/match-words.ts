import type { Field } from '../../../clickhouse/catalog/table';
import { alwaysFalse, alwaysTrue, and } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { failedQuery, unsupported } from '../../../common/errors/catalogue';
import type { JsonValue } from '../../../common/json/json';
import { stringOf } from '../../values/field-value';
import { atLeast } from '../at-least';
import { requireClauseCount } from '../clause-limit';
import type { QueryContext } from '../definition';
import { equalsValue } from '../equals';
import { minimumShouldMatch } from '../minimum-should-match';
import { analyze, splitWords } from './analyze';
import { type FuzzyOptions, resembles } from './fuzzy';
import { startsWith } from './prefix';
import { searchesWords } from './string-values';
import { contains, hasWords } from './text-term';

export interface WordOptions {
  /** Whether all words must be there or any of them; default `or`. */
  readonly operator?: 'and' | 'or';
  /** Elasticsearch's `minimum_should_match` of several words. */
  readonly minimumShouldMatch?: string;
  /** What matches where `value` has no words; default `none`. */
  readonly zeroTerms?: 'none' | 'all';
  /** How far words may be from those in `value`; edits from the word's length. Not for `textSearch: contains`. */
  readonly fuzziness?: (word: string) => FuzzyOptions;
  /** Whether the last word may only begin so (match_bool_prefix). */
  readonly lastIsPrefix?: boolean;
}

/**
 * True where the field has the words of `value` (Elasticsearch 7.17 MatchQueryBuilder): of a text, for `textSearch: contains`
 * those that white space separates, each a substring, for `tokens` those of the standard analyzer. Other types compare
 * their value as `term` does. Errors are those of `equalsValue`; geo_point: 400.
 */
export function matchesWords(
  field: Field,
  value: JsonValue,
  context: QueryContext,
  options: WordOptions = {},
): Expr {
  requireMatchable(field);
  if (field.type !== 'text') return matchesValue(field, value, context, options);
  const wanted = wordsOf(stringOf(value), context, field);
  requireClauseCount(wanted.length);
  if (wanted.length === 0) return options.zeroTerms === 'all' ? alwaysTrue : alwaysFalse;
  const conditions = wanted.map((word, i) =>
    matchesWord(field, word, context, {
      ...options,
      lastIsPrefix: options.lastIsPrefix === true && i === wanted.length - 1,
    }),
  );
  return joinWords(conditions, options);
}

/** The words of a text as `textSearch` of a field, or else of the table, cuts them. */
export const wordsOf = (
  text: string,
  context: QueryContext,
  field: Pick<Field, 'textSearch'> = {},
): readonly string[] => (searchesWords(field, context) ? analyze(text) : splitWords(text));

/**
 * Conditions of several words by operator and `minimum_should_match` (Elasticsearch 7.17 Queries.applyMinimumShouldMatch):
 * of one word it says nothing, and with the operator `and` there are no optional words to count.
 */
export function joinWords(
  conditions: readonly Expr[],
  { operator, minimumShouldMatch: minimum }: WordOptions,
): Expr {
  if (conditions.length === 1) return and(conditions);
  const optional = operator === 'and' ? [] : conditions;
  const needed = minimum === undefined ? 0 : minimumShouldMatch(minimum, optional.length);
  if (operator === 'and') return needed > 0 ? alwaysFalse : and(conditions);
  return atLeast(Math.max(1, needed), conditions);
}

/** Refuses what no full-text clause can search. */
export function requireMatchable({ name, type }: Field): void {
  if (type === 'geo_point')
    throw failedQuery(`Field [${name}] of type [${type}] does not support match queries`);
}

/** A field without analyzer has one word, its whole value. */
function matchesValue(
  field: Field,
  value: JsonValue,
  context: QueryContext,
  { fuzziness, lastIsPrefix }: WordOptions,
): Expr {
  if (lastIsPrefix === true && field.type === 'keyword')
    return startsWith(field, stringOf(value), context);
  if (fuzziness === undefined) return equalsValue(field, value, context);
  const text = stringOf(value);
  return resembles(field, text, context, fuzziness(text));
}

function matchesWord(
  field: Field,
  word: string,
  context: QueryContext,
  { fuzziness, lastIsPrefix = false }: WordOptions,
): Expr {
  if (!searchesWords(field, context)) {
    if (fuzziness !== undefined)
      throw unsupported(`[fuzziness] on field [${field.name}] with textSearch [contains]`);
    return contains(field, word, context);
  }
  if (fuzziness === undefined || lastIsPrefix)
    return hasWords(field, [word], context, { lastIsPrefix });
  return resembles(field, word, context, fuzziness(word));
}
