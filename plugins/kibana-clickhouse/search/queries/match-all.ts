import { alwaysFalse, alwaysTrue } from '../../clickhouse/sql/build';
import { parsingError } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { defineClause } from './definition';
import { checkCommonOption, clauseObject } from './options';

/** `{"match_all": {}}`: every document, with score 1.0. */
export const matchAll = defineClause({
  name: 'match_all',
  parse: (body) => parseEmpty('match_all', body),
  toCondition: () => alwaysTrue,
});

/** `{"match_none": {}}`: no document. */
export const matchNone = defineClause({
  name: 'match_none',
  parse: (body) => parseEmpty('match_none', body),
  toCondition: () => alwaysFalse,
});

/** Both take `boost` and `_name`, nothing else. */
function parseEmpty(name: string, body: JsonValue): null {
  for (const [key, value] of Object.entries(clauseObject(name, body))) {
    if (key !== 'boost' && key !== '_name') throw parsingError(`[${name}] unknown field [${key}]`);
    checkCommonOption(key, value);
  }
  return null;
}
