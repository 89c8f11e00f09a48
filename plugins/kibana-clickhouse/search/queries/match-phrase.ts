import { defineMatchClause } from './match-clause';
import { missingParts } from './match-options';
import { stringOf } from '../values/field-value';
import { matchesPhrase } from './text/match-phrase';
import { percentPattern } from './text/percent-pattern';
import { matchesWildcard } from './text/wildcard';

/** `{"match_phrase": {"message": "connection refused"}}`: the words one after the other; for other types the value. */
export const matchPhrase = defineMatchClause({
  name: 'match_phrase',
  options: ['slop', 'zero_terms_query'],
  missing: () => missingParts('match_phrase'),
  onField: (field, params, context) => {
    const like = percentPattern(field, stringOf(params.query), context.table);
    return like
      ? matchesWildcard(like.field, like.pattern, context)
      : matchesPhrase(field, params.query, context, params);
  },
});
