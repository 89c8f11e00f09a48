import { lowerCased } from '../../../clickhouse/catalog/case-ignore';
import type { Field } from '../../../clickhouse/catalog/table';
import { call, column, lambda, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { queryShardError } from '../../../common/errors/catalogue';
import type { QueryContext } from '../definition';
import { anyValue } from '../queried-field';
import { clickHouseWordPattern } from './word-pattern';

/** What the terms of a string field are, over which prefix, wildcard, regexp and fuzzy run. */
export interface StringValues {
  /**
   * `exact`: the values of a keyword as they are. `ignored`: whole values, whatever the case (`textSearch: contains`).
   * `lower`: the words of a text, in lower case (`textSearch: tokens`).
   */
  readonly letterCase: 'exact' | 'ignored' | 'lower';
  /** True where any of them passes a test. */
  readonly any: (test: (value: Expr) => Expr) => Expr;
}

/** Whether the words of texts are searched (`textSearch: tokens`), in a field or, where none is named, in the table's texts. */
export const searchesWords = (
  field: Pick<Field, 'textSearch'>,
  { textSearch }: Pick<QueryContext, 'textSearch'>,
): boolean => (field.textSearch ?? textSearch) === 'tokens';

/** The terms of a `text` or `keyword` field. */
export function stringValues(field: Field, context: QueryContext): StringValues {
  if (field.type === 'text' && searchesWords(field, context))
    return {
      letterCase: 'lower',
      any: (test) =>
        anyValue(field, (value) =>
          call('arrayExists', lambda('t', test(column('t'))), words(value)),
        ),
    };
  return {
    letterCase: field.type === 'text' ? 'ignored' : 'exact',
    any: (test) => anyValue(field, test),
  };
}

/** The words of a value, in lower case letter by letter as `lowerCase` has it; none of NULL. */
export const words = (value: Expr): Expr => {
  const text = call('ifNull', value, param('', 'String'));
  return call('extractAll', lowerCased(text), wordPattern);
};

const wordPattern = param(clickHouseWordPattern, 'String');

export const isString = ({ type }: Field): boolean => type === 'text' || type === 'keyword';

interface NamedType {
  readonly name: string;
  readonly type: string;
}

/**
 * Elasticsearch's refusal of a field whose terms cannot be looked through: `prefix queries on keyword, text and wildcard
 * fields` (7.17 MappedFieldType).
 */
export const noStrings = ({ name, type }: NamedType, queries: string): Error =>
  queryShardError(`Can only use ${queries} - not on [${name}] which is of type [${type}]`);

/** Throws `noStrings` for a field that is neither text nor keyword. */
export function requireStrings(field: Field, queries: string): void {
  if (!isString(field)) throw noStrings(field, queries);
}

/** Folds the letters of ASCII, as Lucene's case-insensitive automatons and ClickHouse's `lower` do. */
export const foldAscii = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Half of a surrogate pair: no column holds it, and it would not survive the way to ClickHouse. */
export const isUnpaired = (text: string): boolean => /\p{Surrogate}/u.test(text);

/** A text as a LIKE pattern that stands for itself. */
export const likeLiteral = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
