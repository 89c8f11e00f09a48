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
  isNone: () => true,
});

type Name = 'match_all' | 'match_none';

/** `match_all` is read by an object parser, `match_none` by hand. */
const unknownKey: Readonly<Record<Name, (key: string) => Error>> = {
  match_all: (key) => {
    const reason = `[match_all] unknown field [${key}]`;
    return parsingError(reason, [{ type: 'x_content_parse_exception', reason }]);
  },
  match_none: (key) => parsingError(`[match_none] query does not support [${key}]`),
};

/** Both take `boost` and `_name`, nothing else. */
function parseEmpty(name: Name, body: JsonValue): null {
  for (const [key, value] of Object.entries(clauseObject(name, body))) {
    if (key !== 'boost' && key !== '_name') throw unknownKey[name](key);
    checkCommonOption(key, value);
  }
  return null;
}
