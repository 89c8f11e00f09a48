import { defineStringClause } from './string-clause';
import { passesPattern } from './passes-pattern';
import { startsWith } from './text/prefix';

/** `{"prefix": {"host": "web"}}` or `{"prefix": {"host": {"value": "WEB", "case_insensitive": true}}}`. */
export const prefix = defineStringClause({
  name: 'prefix',
  isNoneUnmapped: true,
  options: {},
  onField: (field, options, context) => startsWith(field, options.value, context, options),
  // the value is a pattern there, as in Elasticsearch 7.17's ConstantFieldType
  onMetadata: (field, { value, caseInsensitive }) =>
    passesPattern(field, `${value}*`, { caseInsensitive, queries: lookedThrough }),
});

const lookedThrough = 'prefix queries on keyword, text and wildcard fields';
