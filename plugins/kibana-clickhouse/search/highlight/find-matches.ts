import type { Cells } from '../hits/hit-line';
import type { TermTest } from '../queries/sought-term';
import { lowerCase } from '../queries/text/analyze';
import { isPatternTest, type PatternTest } from './passing-terms';
import { comparable, type SoughtTests } from './sought-tests';
import { type SingleTermTest, termMatcher } from './term-matcher';
import { type TermKind, type Token, tokensOf } from './terms';

/** A part of a value that the query was looking for, in UTF-16 units. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Matches of one term count together. */
  readonly term: string;
}

/**
 * Finds the matches in a value of a row, in their order; where two begin together the longer one first. `cells` are the row's,
 * of which `ReadPassing` reads.
 */
export type FindMatches = (value: string, cells: Cells) => readonly Match[];

/** The terms of a row that pass a pattern. */
export type ReadPassing = (cells: Cells) => readonly string[];

/**
 * Finds all that some tests mean. Words are marked one by one, also those of a phrase (Elasticsearch 7.17, unified).
 * `passing` says where ClickHouse's answer to a pattern stands.
 */
export function matchFinder(
  { plain, others }: SoughtTests,
  kind: TermKind,
  passing: (test: PatternTest) => ReadPassing,
): FindMatches {
  const finders = [
    ...(plain.size > 0 ? [plainTerms(plain, kind)] : []),
    ...others.map((test) =>
      isPatternTest(test) ? patternTerms(test, passing) : finderOf(test, kind),
    ),
  ];
  return (value, cells) => {
    const tokens = tokensOf(value, kind);
    return distinct(finders.flatMap((find) => find(value, tokens, cells)));
  };
}

type Finder = (value: string, tokens: readonly Token[], cells: Cells) => readonly Match[];

const plainTerms =
  (terms: ReadonlySet<string>, kind: TermKind): Finder =>
  (_, tokens) =>
    tokens.filter(({ term }) => terms.has(comparable(term, kind)));

function patternTerms(test: PatternTest, passing: (test: PatternTest) => ReadPassing): Finder {
  const read = passing(test);
  const term = `${test.kind} ${test.text}`;
  return (_, tokens, cells) => {
    const terms = new Set(read(cells));
    return tokens.filter((token) => terms.has(token.term)).map((token) => ({ ...token, term }));
  };
}

function finderOf(test: Exclude<TermTest, PatternTest>, kind: TermKind): Finder {
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

/** A text as a pattern that stands for itself. */
const literally = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&');

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
