import type { Field } from '../../../clickhouse/catalog/table';
import { alwaysFalse, and, binary, call, eq, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import type { QueryContext } from '../definition';
import { spelledAs } from '../../values/spelled-as';
import { anyValue } from '../queried-field';
import {
  foldAscii,
  isUnpaired,
  likeLiteral,
  searchesWords,
  stringValues,
  words,
} from './string-values';

/**
 * True where a value of the field has `text` in it, whatever the case. ILIKE folds all letters, Ä too, and can use a text
 * index (ClickHouse 26.7).
 */
export function contains(field: Field, text: string, { seek }: QueryContext): Expr {
  seek?.({ field: field.name, test: { kind: 'part', text } });
  if (isUnpaired(text)) return alwaysFalse;
  const pattern = param(`%${likeLiteral(text)}%`, 'String');
  return anyValue(field, (value) => binary('ILIKE', value, pattern));
}

/**
 * The `term` clause on a text field: for `textSearch: contains` the whole of `text` as a substring; for `tokens` one of the
 * words, which are in lower case while `text` stays as it is (Elasticsearch 7.17 TermQueryBuilder).
 */
export const equalsText = (field: Field, text: string, context: QueryContext): Expr =>
  searchesWords(field, context) ? hasWords(field, [text], context) : contains(field, text, context);

/**
 * The `term` clause with `case_insensitive` on a text or keyword field: the letters of ASCII are folded. The empty string
 * matches nothing then, not even itself (Elasticsearch 7.17 TermQueryBuilder, Lucene 8.11 AutomatonQuery).
 */
export function equalsFolded(field: Field, text: string, context: QueryContext): Expr {
  if (text === '' || isUnpaired(text)) return alwaysFalse;
  const { letterCase, any } = stringValues(field, context);
  if (letterCase === 'ignored') return contains(field, text, context);
  context.seek?.({ field: field.name, test: { kind: 'equal', text, folds: true } });
  const wanted = param(foldAscii(spelledAs(field, text)), 'String');
  return any((value) => eq(call('lower', value), wanted));
}

/** Between two words where they stand one after the other as one string; no word has it. */
const separator = '\u0001';

/**
 * True where words of one value of a text field are `tokens`, one right after the other; the last one may only begin so.
 * Words are in lower case; of no tokens, false.
 */
export function hasWords(
  field: Field,
  tokens: readonly string[],
  { seek }: QueryContext,
  { lastIsPrefix = false }: { readonly lastIsPrefix?: boolean } = {},
): Expr {
  seek?.({ field: field.name, test: { kind: 'run', words: tokens, lastIsPrefix } });
  // no word is empty
  if (tokens.length === 0 || tokens.includes('') || tokens.some(isUnpaired)) return alwaysFalse;
  const end = lastIsPrefix ? '' : separator;
  const run = param(`${separator}${tokens.join(separator)}${end}`, 'String');
  return anyValue(field, (value) =>
    and([...mayHave(value, tokens), binary('>', call('position', joinedWords(value), run), zero)]),
  );
}

const zero: Expr = param(0, 'UInt8');
const separatorParam: Expr = param(separator, 'String');

/** The words of a value as one string, a separator before and after each. */
const joinedWords = (value: Expr): Expr =>
  call(
    'concat',
    separatorParam,
    call('arrayStringConcat', words(value), separatorParam),
    separatorParam,
  );

/** So many words tell rows apart as well as all do. */
const maximumConditions = 8;

/** Cheap conditions that hold wherever the words do: most rows are out before they are cut into words. */
export const mayHave = (value: Expr, tokens: readonly string[]): readonly Expr[] =>
  tokens
    // letters outside of ASCII fold in more ways than one
    .filter((token) => /^[\x21-\x7e]+$/.test(token))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maximumConditions)
    .map((token) => binary('ILIKE', value, param(`%${likeLiteral(token)}%`, 'String')));
