import type { Field } from '../../../clickhouse/catalog/table';
import { alwaysFalse, call, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { failedQuery } from '../../../common/errors/catalogue';
import type { QueryContext } from '../definition';
import { regexpFlags, translateRegexp } from './lucene-regexp';
import type { StringOptions } from './prefix';
import { isUnpaired, requireStrings, type StringValues, stringValues } from './string-values';

export interface RegexpOptions extends StringOptions {
  /** Bits of `regexpFlags`; default ALL. */
  readonly flags?: number;
}

/** `index.max_regex_length` of Elasticsearch, in UTF-16 units. */
const maximumLength = 1000;

/**
 * True where a whole term of the field matches a regular expression of Lucene's syntax (Elasticsearch 7.17
 * RegexpQueryBuilder). Terms and letter case are those of `startsWith`. 400 for other field types, for what Lucene cannot
 * parse, for more than 1,000 characters, and for what RE2 has not.
 */
export function matchesRegexp(
  field: Field,
  pattern: string,
  context: QueryContext,
  { caseInsensitive = false, flags = regexpFlags.ALL }: RegexpOptions = {},
): Expr {
  if (pattern.length > maximumLength)
    throw failedQuery(
      `The length of regex [${String(pattern.length)}] used in the Regexp Query request has exceeded the allowed maximum of [${String(maximumLength)}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
    );
  requireStrings(field, 'regexp queries on keyword and text fields');
  if (isUnpaired(pattern)) return alwaysFalse;
  const { letterCase, any } = stringValues(field, context);
  const translated = translateRegexp(pattern, { flags, foldAscii: caseInsensitive });
  context.seek?.({
    field: field.name,
    test: { kind: 'regexp', text: translated, folds: false },
  });
  return any(fitsRegexp(translated, letterCase));
}

/** True for a term that a regular expression of RE2 means, which is for the whole term. */
export function fitsRegexp(
  text: string,
  letterCase: StringValues['letterCase'],
): (term: Expr) => Expr {
  const wanted = param(letterCase === 'ignored' ? `(?i)${text}` : text, 'String');
  return (term) => call('match', term, wanted);
}
