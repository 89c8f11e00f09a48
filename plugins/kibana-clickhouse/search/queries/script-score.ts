import { contentParseError, illegalArgument, unsupported } from '../../common/errors/catalogue';
import { type JsonObject, isJsonObject } from '../../common/json/json';
import { parseField } from '../request/parse-field';
import { tokenName } from '../request/coerce';
import { freeNames } from '../scripts/free-names';
import { parseScriptOption } from '../scripts/script-option';
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
        checkScript(value);
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

/** What a script of scores can name; others do not compile. */
const known: ReadonlySet<string> = new Set([
  'doc',
  'params',
  '_score',
  'saturation',
  'sigmoid',
  'randomScore',
]);

/** Refuses what could be no script, because it is not run. */
function checkScript(value: JsonObject): void {
  const { script } = parseScriptOption(value);
  const strange = freeNames(script.statements).find(
    (name) => !known.has(name) && !name.startsWith('Math.'),
  );
  if (strange !== undefined || script.statements.length === 0)
    throw unsupported(`[${strange ?? ''}] in the script of query [script_score]`);
}

const missingOf = (query: QueryNode | undefined, hasScript: boolean): readonly string[] => [
  ...(query === undefined ? ['query'] : []),
  ...(hasScript ? [] : ['script']),
];
