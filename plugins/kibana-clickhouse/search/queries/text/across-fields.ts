import type { Field } from '../../../clickhouse/catalog/table';
import { alwaysFalse, alwaysTrue, or } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import type { JsonValue } from '../../../common/json/json';
import { stringOf } from '../../values/field-value';
import { requireClauseCount } from '../clause-limit';
import type { QueryContext } from '../definition';
import { leniently } from './lenient';
import { type WordOptions, joinWords, matchesWords, wordsOf } from './match-words';

export interface AcrossOptions extends WordOptions {
  readonly lenient: boolean;
}

/**
 * Conditions one of which must hold where fields are searched as if they were one (`cross_fields` of Elasticsearch 7.17's
 * MultiMatchQueryBuilder): each word in any of the text fields; fields of other types compare the whole value.
 */
export function matchesAcrossFields(
  fields: readonly Field[],
  value: JsonValue,
  context: QueryContext,
  options: AcrossOptions,
): readonly Expr[] {
  const texts = fields.filter(({ type }) => type === 'text');
  const others = fields.filter(({ type }) => type !== 'text');
  return [
    ...(texts.length > 0 ? [wordsAnywhere(texts, value, context, options)] : []),
    ...others.map((field) => leniently(options.lenient, () => matchesWords(field, value, context))),
  ];
}

function wordsAnywhere(
  texts: readonly Field[],
  value: JsonValue,
  context: QueryContext,
  options: AcrossOptions,
): Expr {
  const wanted = wordsOf(stringOf(value), context);
  requireClauseCount(wanted.length);
  if (wanted.length === 0) return options.zeroTerms === 'all' ? alwaysTrue : alwaysFalse;
  const conditions = wanted.map((word) =>
    or(texts.map((field) => matchesWords(field, word, context))),
  );
  return joinWords(conditions, options);
}
