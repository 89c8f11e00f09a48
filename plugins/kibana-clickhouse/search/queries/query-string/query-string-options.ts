import { parseError, unsupported } from '../../../common/errors/catalogue';
import type { JsonValue } from '../../../common/json/json';
import { toInteger } from '../../request/coerce';
import { stringOf } from '../../values/field-value';
import { type TimeZone, parseTimeZone } from '../../values/time-zone';
import { type Fuzziness, parseFuzziness } from '../fuzziness';
import { type ReadOption, ignoredBoolean, operator } from '../option-readers';
import { booleanOption, checkTieBreaker } from '../options';
import { queryText } from './default-fields';
import { readStringClause } from './read-string-clause';
import { type MultiMatchType, multiMatchTypes } from './search-settings';

/** The options of query_string that change an answer. */
export interface QueryStringOptions {
  readonly query: string;
  readonly fields: readonly string[];
  readonly defaultField: string;
  readonly operator: 'and' | 'or';
  readonly type: MultiMatchType;
  readonly lenient: boolean;
  readonly analyzeWildcard: boolean;
  readonly allowLeadingWildcard: boolean;
  readonly quoteFieldSuffix: string;
  readonly phraseSlop: number;
  readonly minimumShouldMatch: string;
  readonly zone: TimeZone;
  readonly escape: boolean;
  readonly fuzziness: Fuzziness;
  readonly fuzzyPrefixLength: number;
  readonly fuzzyTranspositions: boolean;
  readonly rewrite: string;
  readonly fuzzyRewrite: string;
}

type Read = ReadOption<QueryStringOptions>;

const ignoredInteger: Read = (value, name) => {
  toInteger(value, name);
  return {};
};

const refusedAnalyzer: Read = (_value, name) => {
  throw unsupported(`option [${name}] of query [query_string]`);
};

const options: Readonly<Record<string, Read>> = {
  query: (value) => ({ query: queryText('query_string', value) }),
  default_field: (value) => ({ defaultField: stringOf(value) }),
  default_operator: (value) => ({ operator: operator(value) }),
  type: (value) => ({ type: multiMatchType(stringOf(value)) }),
  lenient: (value, name) => ({ lenient: booleanOption(name, value) }),
  analyze_wildcard: (value, name) => ({ analyzeWildcard: booleanOption(name, value) }),
  allow_leading_wildcard: (value, name) => ({ allowLeadingWildcard: booleanOption(name, value) }),
  quote_field_suffix: (value) => ({ quoteFieldSuffix: stringOf(value) }),
  phrase_slop: (value, name) => ({ phraseSlop: toInteger(value, name) }),
  minimum_should_match: (value) => ({ minimumShouldMatch: stringOf(value) }),
  time_zone: (value) => ({ zone: parseTimeZone(stringOf(value)) }),
  escape: (value, name) => ({ escape: booleanOption(name, value) }),
  fuzziness: (value) => ({ fuzziness: parseFuzziness(value) }),
  fuzzy_prefix_length: (value, name) => ({ fuzzyPrefixLength: toInteger(value, name) }),
  fuzzy_transpositions: (value, name) => ({ fuzzyTranspositions: booleanOption(name, value) }),
  rewrite: (value) => ({ rewrite: stringOf(value) }),
  fuzzy_rewrite: (value) => ({ fuzzyRewrite: stringOf(value) }),
  analyzer: refusedAnalyzer,
  quote_analyzer: refusedAnalyzer,
  // these change scores, speed or what Elasticsearch deems too much
  fuzzy_max_expansions: ignoredInteger,
  max_determinized_states: ignoredInteger,
  tie_breaker: (value, name) => {
    checkTieBreaker(name, value);
    return {};
  },
  enable_position_increments: ignoredBoolean,
  auto_generate_synonyms_phrase_query: ignoredBoolean,
};

/** Reads the options of `query_string` (Elasticsearch 7.17 QueryStringQueryBuilder); unknown ones are its 400. */
export const readQueryString = (body: JsonValue): Partial<QueryStringOptions> =>
  readStringClause<QueryStringOptions>(
    { name: 'query_string', options, unknown: 'query does not support' },
    body,
  );

/** `type` of multi_match. */
export function multiMatchType(name: string): MultiMatchType {
  const type = multiMatchTypes.find((one) => one === name);
  if (type === undefined)
    throw parseError(`failed to parse [multi_match] query type [${name}]. unknown type.`);
  return type;
}
