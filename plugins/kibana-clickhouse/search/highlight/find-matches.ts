import type { TermTest } from '../queries/sought-term';
import { lowerCase } from '../queries/text/analyze';
import { wordPattern } from '../queries/text/word-pattern';
import { type SingleTermTest, literally, termMatcher } from './term-matcher';

/** A part of a value that the query was looking for, in UTF-16 units. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Matches of one term count together. */
  readonly term: string;
}

/**
 * What the terms of a field are: a keyword's value; the words of a text (`textSearch: tokens`); a text's value whatever the
 * case (`contains`).
 */
export type TermKind = 'keyword' | 'words' | 'whole';

/** Finds the matches in a value, in their order; where two begin together the longer one first. */
export type FindMatches = (value: string) => readonly Match[];

/** Finds all that some tests mean. Words are marked one by one, also those of a phrase (Elasticsearch 7.17, unified). */
export function matchFinder(tests: readonly TermTest[], kind: TermKind): FindMatches {
  const finders = tests.map((test) => finderOf(test, kind));
  return (value) => {
    const tokens = tokensOf(value, kind);
    return distinct(finders.flatMap((find) => find(value, tokens)));
  };
}

interface Token {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

type Finder = (value: string, tokens: readonly Token[]) => readonly Match[];

function tokensOf(value: string, kind: TermKind): readonly Token[] {
  if (kind !== 'words') return [{ start: 0, end: value.length, term: value }];
  return Array.from(value.matchAll(wordPattern), ({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    term: lowerCase(word),
  }));
}

function finderOf(test: TermTest, kind: TermKind): Finder {
  switch (test.kind) {
    case 'part':
      return kind === 'keyword' ? wholeValue(test.text) : partsOf(test.text);
    case 'run':
      return runsOf(test.words, test.lastIsPrefix);
    default:
      return singleTerms(test, kind);
  }
}

function singleTerms(test: SingleTermTest, kind: TermKind): Finder {
  const matches = termMatcher(test, kind === 'whole');
  const term = test.kind === 'equal' ? undefined : `${test.kind} ${test.text}`;
  return (_, tokens) =>
    tokens
      .filter((token) => matches(token.term))
      .map((token) => ({ ...token, term: term ?? token.term }));
}

/** A word that was looked for in a text is one of a keyword only where it is all of it. */
const wholeValue = (text: string): Finder => {
  const term = lowerCase(text);
  return (_, tokens) => tokens.filter((token) => token.term === term);
};

/** Words of a substring are marked one by one, too; one without words as it is. */
function partsOf(text: string): Finder {
  if (text === '') return () => [];
  const pattern = new RegExp(literally(text), 'giu');
  return (value) =>
    Array.from(value.matchAll(pattern)).flatMap(({ 0: part, index }) => {
      const words = tokensOf(part, 'words');
      const found = words.length > 0 ? words : tokensOf(part, 'whole');
      return found.map(({ start, end, term }) => ({
        start: index + start,
        end: index + end,
        term: lowerCase(term),
      }));
    });
}

function runsOf(words: readonly string[], lastIsPrefix: boolean): Finder {
  const last = words.length - 1;
  const fits = (token: Token | undefined, i: number): boolean => {
    const word = words[i];
    if (token === undefined || word === undefined) return false;
    return lastIsPrefix && i === last ? token.term.startsWith(word) : token.term === word;
  };
  return (_, tokens) =>
    tokens.flatMap((_token, at) =>
      words.every((_word, i) => fits(tokens[at + i], i)) ? tokens.slice(at, at + words.length) : [],
    );
}

function distinct(matches: readonly Match[]): readonly Match[] {
  const found = new Map(
    matches.map((match) => [`${String(match.start)}-${String(match.end)}`, match]),
  );
  return [...found.values()].toSorted((a, b) => a.start - b.start || b.end - a.end);
}
