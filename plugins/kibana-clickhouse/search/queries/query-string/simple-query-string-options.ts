import { unsupported } from '../../../common/errors/catalogue';
import type { JsonValue } from '../../../common/json/json';
import { toInteger } from '../../request/coerce';
import { stringOf } from '../../values/field-value';
import { type ReadOption, ignoredBoolean, operator } from '../option-readers';
import { booleanOption } from '../options';
import { queryText } from './default-fields';
import { readStringClause } from './read-string-clause';
import { type SimpleFlags, parseSimpleFlags } from './simple-flags';

/** The options of simple_query_string that change an answer. */
export interface SimpleQueryStringOptions {
  readonly query: string;
  readonly fields: readonly string[];
  readonly operator: 'and' | 'or';
  readonly flags: SimpleFlags;
  readonly lenient: boolean;
  readonly analyzeWildcard: boolean;
  readonly quoteFieldSuffix: string;
  readonly minimumShouldMatch: string;
  readonly fuzzyPrefixLength: number;
  readonly fuzzyTranspositions: boolean;
}

type Read = ReadOption<SimpleQueryStringOptions>;

const ignored: Read = () => ({});

const options: Readonly<Record<string, Read>> = {
  query: (value) => ({ query: queryText('simple_query_string', value) }),
  default_operator: (value) => ({ operator: operator(value) }),
  flags: (value) => ({ flags: parseSimpleFlags(value) }),
  lenient: (value, name) => ({ lenient: booleanOption(name, value) }),
  analyze_wildcard: (value, name) => ({ analyzeWildcard: booleanOption(name, value) }),
  quote_field_suffix: (value) => ({ quoteFieldSuffix: stringOf(value) }),
  minimum_should_match: (value) => ({ minimumShouldMatch: stringOf(value) }),
  fuzzy_prefix_length: (value, name) => ({ fuzzyPrefixLength: toInteger(value, name) }),
  fuzzy_transpositions: (value, name) => ({ fuzzyTranspositions: booleanOption(name, value) }),
  analyzer: (_value, name) => {
    throw unsupported(`option [${name}] of query [simple_query_string]`);
  },
  fuzzy_max_expansions: (value, name) => {
    toInteger(value, name);
    return {};
  },
  auto_generate_synonyms_phrase_query: ignoredBoolean,
  // Elasticsearch 7.17 takes them and does nothing with them
  locale: ignored,
  lowercase_expanded_terms: ignored,
};

/** Reads the options of `simple_query_string` (Elasticsearch 7.17 SimpleQueryStringBuilder); unknown ones are its 400. */
export const readSimpleQueryString = (body: JsonValue): Partial<SimpleQueryStringOptions> =>
  readStringClause<SimpleQueryStringOptions>(
    { name: 'simple_query_string', options, unknown: 'unsupported field' },
    body,
  );
