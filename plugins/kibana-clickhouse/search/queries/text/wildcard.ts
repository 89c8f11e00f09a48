import type { Field } from '../../../clickhouse/catalog/table';
import { alwaysFalse, binary, call, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import type { QueryContext } from '../definition';
import type { StringOptions } from './prefix';
import { foldAscii, isUnpaired, likeLiteral, requireStrings, stringValues } from './string-values';

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
  const test = { kind: 'wildcard', text: pattern, folds: caseInsensitive } as const;
  context.seek?.({ field: field.name, test });
  if (pattern === '' || isUnpaired(pattern)) return alwaysFalse;
  const { letterCase, any } = stringValues(field, context);
  const like = likePattern(pattern);
  if (letterCase === 'ignored')
    return any((value) => binary('ILIKE', value, param(like, 'String')));
  const wanted = param(caseInsensitive ? foldAscii(like) : like, 'String');
  return any((value) => binary('LIKE', caseInsensitive ? call('lower', value) : value, wanted));
}

/** A wildcard pattern as one of LIKE; a backslash at the end stands for itself. */
export const likePattern = (pattern: string): string =>
  pattern.replaceAll(/\\?[^]/gu, (part) => {
    if (part === '*') return '%';
    if (part === '?') return '_';
    return likeLiteral(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part);
  });
