import { defineMatchClause } from './match-clause';
import { missingParts } from './match-options';
import { matchesPhrase } from './text/match-phrase';

/** `{"match_phrase": {"message": "connection refused"}}`: the words one after the other; for other types the value. */
export const matchPhrase = defineMatchClause({
  name: 'match_phrase',
  options: ['slop', 'zero_terms_query'],
  missing: () => missingParts('match_phrase'),
  onField: (field, params, context) => matchesPhrase(field, params.query, context, params),
});
