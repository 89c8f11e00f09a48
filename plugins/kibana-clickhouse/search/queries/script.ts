import { parsingError } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject } from '../../common/json/json';
import { filterScript } from '../scripts/filter-script';
import { parseScriptText, type ScriptText } from '../scripts/script-option';
import { defineClause } from './definition';
import { checkCommonOption, clauseObject } from './options';

/**
 * `{"script": {"script": {"source": "doc['bytes'].value > params.limit", "params": {"limit": 5}}}}`: the documents for which a
 * script gives true (Elasticsearch 7.17 ScriptQueryBuilder), first of all those that Kibana writes to filter by a scripted
 * field. A document without a value that the script reads does not match; in Elasticsearch it fails the search.
 */
export const script = defineClause<ScriptText>({
  name: 'script',
  parse(body) {
    let found: ScriptText | undefined;
    for (const [key, value] of Object.entries(clauseObject('script', body))) {
      if (isJsonArray(value))
        throw parsingError(
          '[script] query does not support an array of scripts. Use a bool query with a clause per script instead.',
        );
      if (key === 'boost' || key === '_name') checkCommonOption(key, value);
      else if (key === 'script' && (typeof value === 'string' || isJsonObject(value)))
        found = parseScriptText(value);
      else throw parsingError(`[script] query does not support [${key}]`);
    }
    if (found === undefined) throw parsingError('script must be provided with a [script] filter');
    return found;
  },
  toCondition: (text, { table }) => filterScript(text, (name) => table.field(name)),
});
