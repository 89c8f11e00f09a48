import { defineMatchClause } from './match-clause';
import { noText, wordOptions } from './match-options';
import { matchesWords } from './text/match-words';

/** `{"match": {"message": "connection refused"}}`: any of the words, all with `operator: and`; for other types the value. */
export const match = defineMatchClause({
  name: 'match',
  options: [
    'operator',
    'minimum_should_match',
    'zero_terms_query',
    'lenient',
    'fuzziness',
    'prefix_length',
    'max_expansions',
    'fuzzy_transpositions',
    'fuzzy_rewrite',
    'auto_generate_synonyms_phrase_query',
    'cutoff_frequency',
  ],
  missing: () => noText(),
  onField: (field, params, context) =>
    matchesWords(field, params.query, context, wordOptions(params)),
});
