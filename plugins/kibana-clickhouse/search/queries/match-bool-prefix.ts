import { defineMatchClause } from './match-clause';
import { missingParts, wordOptions } from './match-options';
import { matchesWords } from './text/match-words';

/** `{"match_bool_prefix": {"message": "connection ref"}}`: any of the words, the last of which may only begin so. */
export const matchBoolPrefix = defineMatchClause({
  name: 'match_bool_prefix',
  options: [
    'operator',
    'minimum_should_match',
    'fuzziness',
    'prefix_length',
    'max_expansions',
    'fuzzy_transpositions',
    'fuzzy_rewrite',
  ],
  missing: () => missingParts('match_bool_prefix'),
  onField: (field, params, context) =>
    matchesWords(field, params.query, context, { ...wordOptions(params), lastIsPrefix: true }),
});
