import { failedQuery, parsingError } from '../../../common/errors/catalogue';
import { type QueryContext, defineClause, unsought } from '../definition';
import { defaultFuzziness } from '../fuzziness';
import { defaultFields } from './default-fields';
import { type MatchTree, treeCondition, withMinimum } from './match-tree';
import { resolveSimple } from './resolve-simple';
import { type SearchSettings, testCounter } from './search-settings';
import { seekLeaves } from './seek-leaves';
import { simpleFlags } from './simple-flags';
import { parseSimpleQuery } from './simple-parser';
import {
  type SimpleQueryStringOptions,
  readSimpleQueryString,
} from './simple-query-string-options';
import { QuerySyntaxError } from './syntax-error';

export interface SimpleQueryStringParams extends Partial<SimpleQueryStringOptions> {
  readonly query: string;
}

/**
 * `{"simple_query_string": {"query": "\"timed out\" + web* -test", "fields": ["message"]}}`: a syntax without errors
 * (Elasticsearch 7.17 SimpleQueryStringBuilder). Boosts change no answer.
 */
export const simpleQueryString = defineClause<SimpleQueryStringParams>({
  name: 'simple_query_string',
  parse(body) {
    const options = readSimpleQueryString(body);
    const { query } = options;
    if (query === undefined) throw parsingError('[simple_query_string] query text missing');
    return { ...options, query };
  },
  toCondition: (params, context) => {
    const tree = simpleTree(params, unsought(context));
    if (context.seek) seekLeaves(tree, context);
    return treeCondition(tree);
  },
});

/** What such a query asks of a table's fields. */
export function simpleTree(params: SimpleQueryStringParams, context: QueryContext): MatchTree {
  const { query, minimumShouldMatch } = params;
  if (query.trim() === '*') return { kind: 'all' };
  try {
    const events = parseSimpleQuery(query, params.flags ?? simpleFlags.ALL);
    const tree = resolveSimple(events, settingsOf(params, context));
    return tree === undefined ? { kind: 'none' } : withMinimum(tree, minimumShouldMatch);
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    const { type, reason } = error.rootCause;
    throw failedQuery(reason, type);
  }
}

const defaults = {
  operator: 'or',
  analyzeWildcard: false,
  quoteFieldSuffix: '',
  fuzzyPrefixLength: 0,
  fuzzyTranspositions: true,
} as const;

function settingsOf(params: SimpleQueryStringParams, context: QueryContext): SearchSettings {
  const settings = { ...defaults, ...params };
  const { fields, forgiving } = defaultFields(params.fields ?? []);
  return {
    ...settings,
    context,
    ckibanaSyntax: false,
    fields,
    defaultField: undefined,
    lenient: params.lenient ?? forgiving,
    type: 'most_fields',
    allowLeadingWildcard: true,
    phraseSlop: 0,
    zone: undefined,
    countTest: testCounter(),
    fuzzyWords: {
      fuzziness: defaultFuzziness,
      prefixLength: settings.fuzzyPrefixLength,
      transpositions: settings.fuzzyTranspositions,
    },
  };
}
