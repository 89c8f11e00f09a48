import { lowerCase } from '../queries/text/analyze';
import { wordPattern } from '../queries/text/word-pattern';

/**
 * What the terms of a field are: a keyword's value; the words of a text (`textSearch: tokens`); a text's value whatever the
 * case (`contains`).
 */
export type TermKind = 'keyword' | 'words' | 'whole';

/** A term in its place, in UTF-16 units. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

/** The terms of a value that can be marked, in their order: an empty one cannot. */
export function tokensOf(value: string, kind: TermKind): readonly Token[] {
  if (value === '') return [];
  if (kind !== 'words') return [{ start: 0, end: value.length, term: value }];
  return Array.from(value.matchAll(wordPattern), ({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    term: lowerCase(word),
  }));
}
