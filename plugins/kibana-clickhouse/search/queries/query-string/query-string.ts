import { alwaysFalse } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { parsingError, queryShardError } from '../../../common/errors/catalogue';
import { type QueryContext, defineClause, unsought } from '../definition';
import { defaultFuzziness } from '../fuzziness';
import { checkRewrite } from '../rewrite';
import { defaultFields } from './default-fields';
import { withEscapes } from './escapes';
import { type MatchTree, treeCondition, withMinimum, withoutPureNegation } from './match-tree';
import { parseQueryText } from './parser';
import { type QueryStringOptions, readQueryString } from './query-string-options';
import { resolveQuery } from './resolve-query';
import { type SearchSettings, testCounter } from './search-settings';
import { isScored } from './scoring';
import { seekLeaves } from './seek-leaves';
import { QuerySyntaxError } from './syntax-error';

export interface QueryStringParams extends Partial<QueryStringOptions> {
  readonly query: string;
}

/**
 * `{"query_string": {"query": "level:error AND (status:[500 TO 599] OR message:\"timed out\")", "default_field": "*"}}`:
 * Lucene's classic syntax with Elasticsearch's additions (Elasticsearch 7.17 QueryStringQueryBuilder). Boosts change no
 * answer.
 */
export const queryString = defineClause<QueryStringParams>({
  name: 'query_string',
  parse(body) {
    const options = readQueryString(body);
    const { query } = options;
    if (query === undefined) throw parsingError('[query_string] must be provided with a [query]');
    return { ...options, query };
  },
  toCondition: (params, context): Expr => {
    const tree = queryTree(params, unsought(context));
    if (tree && context.seek) seekLeaves(tree, context);
    return tree === undefined ? alwaysFalse : treeCondition(tree);
  },
  scoring: ({ query, escape }) => escape === true || isScored(query),
});

/** What such a query asks of a table's fields; undefined where no word is left to look for: then nothing matches. */
export function queryTree(params: QueryStringParams, context: QueryContext): MatchTree | undefined {
  const settings = settingsOf(params, context);
  const { query, minimumShouldMatch } = params;
  // what Java's String.trim takes away
  if (/^[\0- ]*$/.test(query)) return { kind: 'none' };
  const text = params.escape === true ? withEscapes(query) : query;
  const tree = parsing(query, text, () => resolveQuery(parseQueryText(text), settings));
  return tree && withMinimum(withoutPureNegation(tree), minimumShouldMatch);
}

const defaults = {
  fields: [],
  operator: 'or',
  type: 'best_fields',
  analyzeWildcard: false,
  allowLeadingWildcard: true,
  quoteFieldSuffix: '',
  phraseSlop: 0,
  zone: undefined,
  fuzziness: defaultFuzziness,
  fuzzyPrefixLength: 0,
  fuzzyTranspositions: true,
} as const;

function settingsOf(params: QueryStringParams, context: QueryContext): SearchSettings {
  const { fields: named, ...settings } = { ...defaults, ...params };
  const { defaultField } = params;
  if (named.length > 0 && defaultField !== undefined) throw fieldsTwice();
  checkRewrite(params.rewrite);
  checkRewrite(params.fuzzyRewrite);
  const { fields, forgiving } = defaultFields(defaultField === undefined ? named : [defaultField]);
  return {
    ...settings,
    context,
    ckibanaSyntax: context.table.ckibanaSyntax === true,
    fields,
    defaultField: named.length > 0 ? undefined : fields[0],
    lenient: params.lenient ?? forgiving,
    countTest: testCounter(),
    fuzzyWords: {
      fuzziness: settings.fuzziness,
      prefixLength: settings.fuzzyPrefixLength,
      transpositions: settings.fuzzyTranspositions,
    },
  };
}

function fieldsTwice(): Error {
  const reason =
    'Validation Failed: 1: [query_string] cannot use [fields] parameter in conjunction with [default_field];';
  return queryShardError(`failed to create query: ${reason}`, [
    { type: 'query_validation_exception', reason },
  ]);
}

/** Longer texts are cut in messages, of which one holds the query three times. */
const maximumShown = 20_000;

const shown = (text: string): string =>
  text.length > maximumShown ? `${text.slice(0, maximumShown)}…` : text;

/** Elasticsearch's errors around Lucene's. */
function parsing<T>(query: string, text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    const { message, rootCause } = error;
    throw queryShardError(`Failed to parse query [${shown(query)}]`, [
      {
        type: 'lucene_parse_exception',
        reason: `Cannot parse '${shown(text)}': ${shown(message)}`,
      },
      { type: rootCause.type, reason: shown(rootCause.reason) },
    ]);
  }
}
