import type { Field } from '../../../clickhouse/catalog/table';
import { alwaysFalse, and, binary, call, eq, integer, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { failedQuery, unsupported } from '../../../common/errors/catalogue';
import { spelledAs } from '../../values/spelled-as';
import type { QueryContext } from '../definition';
import { lowerCase } from './analyze';
import { isString, isUnpaired, stringValues } from './string-values';

export interface FuzzyOptions {
  /** How many letters may differ: 0, 1 or 2. */
  readonly edits: number;
  /** How many letters at the start must be equal; default 0. */
  readonly prefixLength?: number;
  /** Whether two letters that changed places count as one difference; default true. */
  readonly transpositions?: boolean;
}

/**
 * True where a term of the field is within a few edits of `text` (Elasticsearch 7.17 FuzzyQueryBuilder, Lucene 8.11
 * FuzzyQuery). All such terms count, not only the `max_expansions` best. Terms and letter case are those of `startsWith`.
 * Other field types: 400.
 */
export function resembles(
  field: Field,
  text: string,
  context: QueryContext,
  options: FuzzyOptions,
): Expr {
  if (!isString(field))
    throw failedQuery(
      `Can only use fuzzy queries on keyword and text fields - not on [${field.name}] which is of type [${field.type}]`,
    );
  context.seek?.({ field: field.name, test: { kind: 'near', text, options } });
  if (isUnpaired(text)) return alwaysFalse;
  const { letterCase, any } = stringValues(field, context);
  const folds = letterCase === 'ignored';
  const letters = Array.from(folds ? lowerCase(text) : spelledAs(field, text));
  return any((value) => isNear(folds ? call('lowerUTF8', value) : value, letters, options));
}

/** Words with more different letters are refused: each takes one of the printable bytes. */
const maximumLetters = 90;

function isNear(
  value: Expr,
  letters: readonly string[],
  { edits, prefixLength = 0, transpositions = true }: FuzzyOptions,
): Expr {
  const word = letters.join('');
  if (edits === 0 || prefixLength >= word.length) return eq(value, param(word, 'String'));
  const length = call('lengthUTF8', value);
  const longest = integer(letters.length + edits);
  if (word === '') return binary('<=', length, longest);
  const { coded, code } = inBytes(value, letters);
  const distance = call(
    transpositions ? 'damerauLevenshteinDistance' : 'editDistance',
    prefixLength > 0 ? call('substring', coded, integer(prefixLength + 1)) : coded,
    param(code.slice(prefixLength), 'String'),
  );
  const near = binary('<=', distance, integer(edits));
  const begins = call('startsWith', coded, param(code.slice(0, prefixLength), 'String'));
  // distances of long values cost much, and are far anyway
  return call(
    'if',
    binary('<=', length, longest),
    prefixLength > 0 ? and([begins, near]) : near,
    integer(0),
  );
}

interface CodedWord {
  /** The value, one byte for each letter. */
  readonly coded: Expr;
  /** The word, likewise. */
  readonly code: string;
}

/**
 * ClickHouse measures distances in bytes, Lucene in code points: every letter becomes a byte, and all that are not in the
 * word the same one.
 */
function inBytes(value: Expr, letters: readonly string[]): CodedWord {
  const distinct = [...new Set(letters)];
  if (distinct.length > maximumLetters)
    throw unsupported(`fuzzy search of more than ${String(maximumLetters)} different letters`);
  const free = printable.filter((letter) => !distinct.includes(letter));
  const [other = '', ...codes] = free;
  const others = `[^${distinct.map(codePoint).join('')}]`;
  const known = call('replaceRegexpAll', value, param(others, 'String'), param(other, 'String'));
  const wide = distinct.filter((letter) => (letter.codePointAt(0) ?? 0) > 127);
  if (wide.length === 0) return { coded: known, code: letters.join('') };
  const byLetter = new Map(wide.map((letter, i) => [letter, codes[i] ?? '']));
  return {
    coded: call(
      'translateUTF8',
      known,
      param(wide.join(''), 'String'),
      param([...byLetter.values()].join(''), 'String'),
    ),
    code: letters.map((letter) => byLetter.get(letter) ?? letter).join(''),
  };
}

const printable: readonly string[] = Array.from({ length: 94 }, (_, i) =>
  String.fromCharCode(33 + i),
);

const codePoint = (letter: string): string =>
  String.raw`\x{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
