import { defineStringClause } from './string-clause';
import { passesPattern } from './passes-pattern';
import { matchesWildcard } from './text/wildcard';

/** `{"wildcard": {"host": "web-*"}}`; the value may also be called `wildcard`. */
export const wildcard = defineStringClause({
  name: 'wildcard',
  isNoneUnmapped: true,
  valueNames: ['value', 'wildcard'],
  options: {},
  onField: (field, options, context) => matchesWildcard(field, options.value, context, options),
  onMetadata: (field, { value, caseInsensitive }) =>
    passesPattern(field, value, { caseInsensitive, queries: lookedThrough }),
});

const lookedThrough = 'wildcard queries on keyword, text and wildcard fields';
