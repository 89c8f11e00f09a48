import type { Field } from '../../../clickhouse/catalog/table';
import { alwaysFalse, alwaysTrue, or } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { failedQuery, unsupported } from '../../../common/errors/catalogue';
import type { JsonValue } from '../../../common/json/json';
import { stringOf } from '../../values/field-value';
import type { QueryContext } from '../definition';
import { equalsValue } from '../equals';
import { analyze } from './analyze';
import { requireMatchable, wordsOf } from './match-words';
import { hasWordsNear } from './sloppy-phrase';
import { searchesWords } from './string-values';
import { contains, hasWords } from './text-term';

export interface PhraseOptions {
  /** By how many places words may be moved; default 0. */
  readonly slop?: number;
  /** What matches where `value` has no words; default `none`. */
  readonly zeroTerms?: 'none' | 'all';
}

/**
 * True where the field has a phrase (Elasticsearch 7.17 MatchPhraseQueryBuilder): of a text, for `textSearch: contains` the
 * whole of `value` as one substring or, with a slop, its words near each other as well, for `tokens` its words one after the
 * other or near each other. Other types compare their value as `term` does.
 */
export function matchesPhrase(
  field: Field,
  value: JsonValue,
  context: QueryContext,
  options: PhraseOptions = {},
): Expr {
  requireMatchable(field);
  if (field.type !== 'text') return equalsValue(field, value, context);
  return phraseInText(field, stringOf(value), context, { ...options, lastIsPrefix: false });
}

/**
 * As `matchesPhrase`, but the last word may only begin so, whatever the number of words that do (Elasticsearch 7.17
 * MatchPhrasePrefixQueryBuilder takes the first 50). Fields that are no text: 400.
 */
export function matchesPhrasePrefix(
  field: Field,
  value: JsonValue,
  context: QueryContext,
  options: PhraseOptions = {},
): Expr {
  requireMatchable(field);
  if (field.type !== 'text')
    throw failedQuery(
      `Can only use phrase prefix queries on text fields - not on [${field.name}] which is of type [${field.type}]`,
    );
  return phraseInText(field, stringOf(value), context, { ...options, lastIsPrefix: true });
}

interface TextPhraseOptions extends PhraseOptions {
  readonly lastIsPrefix: boolean;
}

function phraseInText(
  field: Field,
  text: string,
  context: QueryContext,
  { slop = 0, zeroTerms, lastIsPrefix }: TextPhraseOptions,
): Expr {
  const wanted = wordsOf(text, context, field);
  if (wanted.length === 0) return zeroTerms === 'all' ? alwaysTrue : alwaysFalse;
  const near = slop > 0 ? nearWords(text, lastIsPrefix) : [];
  if (searchesWords(field, context))
    return near.length > 0
      ? hasWordsNear(field, near, slop, context)
      : hasWords(field, wanted, context, { lastIsPrefix });
  const whole = contains(field, text, context);
  return near.length > 0 ? or([whole, hasWordsNear(field, near, slop, context)]) : whole;
}

/** The words that may be moved; none where there is but one. */
function nearWords(text: string, lastIsPrefix: boolean): readonly string[] {
  const found = analyze(text);
  if (found.length < 2) return [];
  if (lastIsPrefix) throw unsupported('[slop] of a phrase whose last word is a prefix');
  return found;
}
