import { illegalArgument, parsingError, unsupported } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { stringOf } from '../values/field-value';
import { toInteger } from '../request/coerce';
import { type Fuzziness, editsOf, parseFuzziness } from './fuzziness';
import { type ReadOption, integerFrom, operator, text, zeroTerms } from './option-readers';
import { booleanOption } from './options';
import type { FuzzyOptions } from './text/fuzzy';
import type { WordOptions } from './text/match-words';

/** Options of the match family (Elasticsearch 7.17), each clause having some of them. */
export interface MatchOptions {
  /** What is looked for. */
  readonly query: JsonValue;
  readonly operator: 'and' | 'or';
  readonly minimumShouldMatch: string;
  readonly zeroTerms: 'none' | 'all';
  readonly lenient: boolean;
  readonly slop: number;
  readonly fuzziness: Fuzziness;
  readonly prefixLength: number;
  readonly transpositions: boolean;
  readonly rewrite: string;
}

type Reader = (clause: string) => ReadOption<MatchOptions>;

const analyzer: Reader = () => (value) => {
  throw unsupported(`[analyzer] [${stringOf(value)}] of a query`);
};

const checkedBoolean: Reader = () => (value, name) => {
  booleanOption(name, value);
  return {};
};

const expansionErrors: Readonly<Record<string, string>> = {
  match_phrase_prefix: 'No negative maxExpansions allowed.',
  multi_match: 'Max expansions must be strictly great than zero.',
};

const readers: Readonly<Record<string, Reader>> = {
  query: (clause) => (value) => {
    text(clause, value);
    return { query: value };
  },
  operator: () => (value) => ({ operator: operator(value) }),
  minimum_should_match: (clause) => (value) => ({ minimumShouldMatch: text(clause, value) }),
  zero_terms_query: () => (value) => ({ zeroTerms: zeroTerms(value) }),
  lenient: () => (value, name) => ({ lenient: booleanOption(name, value) }),
  analyzer,
  slop: () => (value, name) => ({
    slop: integerFrom(value, name, { least: 0, otherwise: 'No negative slop allowed.' }),
  }),
  fuzziness: () => (value) => ({ fuzziness: parseFuzziness(value) }),
  prefix_length: (clause) => (value, name) => ({
    prefixLength: integerFrom(value, name, {
      least: 0,
      otherwise:
        clause === 'multi_match'
          ? 'No negative prefix length allowed.'
          : `[${clause}] requires prefix length to be non-negative.`,
    }),
  }),
  max_expansions: (clause) => (value, name) => {
    integerFrom(value, name, {
      least: clause === 'match_phrase_prefix' ? 0 : 1,
      otherwise: expansionErrors[clause] ?? `[${clause}] requires maxExpansions to be positive.`,
    });
    return {};
  },
  fuzzy_transpositions: () => (value, name) => ({ transpositions: booleanOption(name, value) }),
  fuzzy_rewrite: (clause) => (value) => ({ rewrite: text(clause, value) }),
  auto_generate_synonyms_phrase_query: checkedBoolean,
  cutoff_frequency: () => (value, name) => {
    toInteger(value, name);
    throw unsupported(`[${name}] of a query`);
  },
};

/** The readers of the named options for a clause. */
export const matchOptions = (
  clause: string,
  names: readonly string[],
): Readonly<Record<string, ReadOption<MatchOptions>>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const reader = readers[name];
      return reader === undefined ? [] : [[name, reader(clause)] as const];
    }),
  );

/** What words of a field are asked for. */
export function wordOptions({
  fuzziness,
  prefixLength,
  transpositions,
  ...rest
}: Partial<MatchOptions>): WordOptions {
  const fuzzy = (word: string): FuzzyOptions => ({
    edits: fuzziness === undefined ? 0 : editsOf(fuzziness, word),
    ...(prefixLength !== undefined && { prefixLength }),
    ...(transpositions !== undefined && { transpositions }),
  });
  return { ...rest, ...(fuzziness !== undefined && { fuzziness: fuzzy }) };
}

/** The errors of a clause without a field or without a value. */
export interface MissingParts {
  readonly field: Error;
  readonly query: Error;
}

/** As most of the family words them. */
export const missingParts = (clause: string): MissingParts => ({
  field: illegalArgument(`[${clause}] requires fieldName`),
  query: illegalArgument(`[${clause}] requires query value`),
});

/** As `match` words them. */
export const noText = (): MissingParts => ({
  field: parsingError('No text specified for text query'),
  query: parsingError('No text specified for text query'),
});
