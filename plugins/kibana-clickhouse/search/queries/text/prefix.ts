import type { Field } from '../../../clickhouse/catalog/table';
import { alwaysFalse, binary, call, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import type { QueryContext } from '../definition';
import { spelledAs } from '../../values/spelled-as';
import { foldAscii, isUnpaired, likeLiteral, requireStrings, stringValues } from './string-values';

export interface StringOptions {
  /** Folds the letters of ASCII. A text field of `textSearch: contains` folds all letters anyway. */
  readonly caseInsensitive?: boolean;
}

/**
 * True where a term of the field starts with `text` (Elasticsearch 7.17 PrefixQueryBuilder): a keyword's or, for
 * `textSearch: contains`, a text's whole value; for `tokens` a word, which is in lower case while `text` stays as it is.
 * Other field types: 400.
 */
export function startsWith(
  field: Field,
  text: string,
  context: QueryContext,
  { caseInsensitive = false }: StringOptions = {},
): Expr {
  requireStrings(field, 'prefix queries on keyword, text and wildcard fields');
  context.seek?.({ field: field.name, test: { kind: 'prefix', text, folds: caseInsensitive } });
  if (isUnpaired(text)) return alwaysFalse;
  const { letterCase, any } = stringValues(field, context);
  if (letterCase === 'ignored') {
    const pattern = param(`${likeLiteral(text)}%`, 'String');
    return any((value) => binary('ILIKE', value, pattern));
  }
  const spelled = spelledAs(field, text);
  const wanted = param(caseInsensitive ? foldAscii(spelled) : spelled, 'String');
  return any((value) => call('startsWith', caseInsensitive ? call('lower', value) : value, wanted));
}
