import { contentParseError, illegalArgument, unsupported } from '../../common/errors/catalogue';
import { isJsonObject } from '../../common/json/json';
import { parseField } from '../request/parse-field';
import { tokenName } from '../request/coerce';
import { type QueryNode, defineClause } from './definition';
import { checkCommonOption, clauseObject } from './options';

interface ScriptScoreParams {
  readonly query: QueryNode;
}

/** `{"script_score": {"query": {…}, "script": {…}}}`: the query; the script only changes scores and is not run. */
export const scriptScore = defineClause<ScriptScoreParams>({
  name: 'script_score',
  parse(body, parseQuery) {
    let query: QueryNode | undefined;
    let hasScript = false;
    for (const [key, value] of Object.entries(clauseObject('script_score', body))) {
      if (key === 'query') query = parseField('script_score', key, () => parseQuery(value));
      else if (key === 'script') {
        if (!isJsonObject(value))
          throw contentParseError(
            `[script_score] script doesn't support values of type: ${tokenName(value)}`,
          );
        hasScript = true;
      } else if (key === 'min_score') throw unsupported('[min_score] of query [script_score]');
      else if (key === 'boost' || key === '_name') checkCommonOption(key, value);
      else throw contentParseError(`[script_score] unknown field [${key}]`);
    }
    if (query === undefined || !hasScript)
      throw illegalArgument(`Required [${missingOf(query, hasScript).join(', ')}]`);
    return { query };
  },
  toCondition: ({ query }, context) => query.toCondition(context),
  required: ({ query }) => [query],
});

const missingOf = (query: QueryNode | undefined, hasScript: boolean): readonly string[] => [
  ...(query === undefined ? ['query'] : []),
  ...(hasScript ? [] : ['script']),
];
