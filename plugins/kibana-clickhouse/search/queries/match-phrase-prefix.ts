import { failedQuery } from '../../common/errors/catalogue';
import { defineMatchClause } from './match-clause';
import { missingParts } from './match-options';
import { matchesPhrasePrefix } from './text/match-phrase';

/** `{"match_phrase_prefix": {"message": "connection ref"}}`: a phrase whose last word may only begin so. */
export const matchPhrasePrefix = defineMatchClause({
  name: 'match_phrase_prefix',
  options: ['slop', 'zero_terms_query', 'max_expansions'],
  missing: () => missingParts('match_phrase_prefix'),
  onField: (field, params, context) => matchesPhrasePrefix(field, params.query, context, params),
  onMetadata({ name, type }) {
    throw failedQuery(
      `Can only use phrase prefix queries on text fields - not on [${name}] which is of type [${type}]`,
    );
  },
});
