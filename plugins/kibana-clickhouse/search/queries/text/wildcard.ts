import type { Field } from '../../../clickhouse/catalog/table';
import { alwaysFalse, binary, call, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { spelledAs } from '../../values/spelled-as';
import type { QueryContext } from '../definition';
import type { StringOptions } from './prefix';
import {
  foldAscii,
  isUnpaired,
  likeLiteral,
  requireStrings,
  type StringValues,
  stringValues,
} from './string-values';

/**
 * True where a whole term of the field matches a pattern: `*` any characters, `?` one, `\` escapes; an empty pattern matches
 * nothing (Elasticsearch 7.17 WildcardQueryBuilder, Lucene 8.11 WildcardQuery). Terms and letter case are those of
 * `startsWith`: words are in lower case, and the pattern stays as it is. Other field types: 400.
 */
export function matchesWildcard(
  field: Field,
  pattern: string,
  context: QueryContext,
  { caseInsensitive = false }: StringOptions = {},
): Expr {
  requireStrings(field, 'wildcard queries on keyword, text and wildcard fields');
  const text = spelledAs(field, pattern);
  const test = { kind: 'wildcard', text, folds: caseInsensitive } as const;
  context.seek?.({ field: field.name, test });
  const { letterCase, any } = stringValues(field, context);
  const fits = fitsWildcard(test, letterCase);
  return fits ? any(fits) : alwaysFalse;
}

/** True for a term that a pattern means; undefined where it means none. `folds`: whatever the case of ASCII's letters. */
export function fitsWildcard(
  { text, folds }: { readonly text: string; readonly folds: boolean },
  letterCase: StringValues['letterCase'],
): ((term: Expr) => Expr) | undefined {
  if (text === '' || isUnpaired(text)) return undefined;
  const like = likePattern(text);
  if (letterCase === 'ignored') return (term) => binary('ILIKE', term, param(like, 'String'));
  const wanted = param(folds ? foldAscii(like) : like, 'String');
  return (term) => binary('LIKE', folds ? call('lower', term) : term, wanted);
}

/** A wildcard pattern as one of LIKE; a backslash at the end stands for itself. */
export const likePattern = (pattern: string): string =>
  pattern.replaceAll(/\\?[^]/gu, (part) => {
    if (part === '*') return '%';
    if (part === '?') return '_';
    return likeLiteral(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part);
  });
