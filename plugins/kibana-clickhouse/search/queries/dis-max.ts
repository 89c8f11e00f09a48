import { or } from '../../clickhouse/sql/build';
import { parsingError } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject } from '../../common/json/json';
import { type QueryNode, defineClause } from './definition';
import { listedClauses } from './listed-clauses';
import { checkCommonOption, checkTieBreaker, clauseObject } from './options';

interface DisMaxParams {
  readonly queries: readonly QueryNode[];
}

/** `{"dis_max": {"queries": [{…}, {…}]}}`: any of the clauses. */
export const disMax = defineClause<DisMaxParams>({
  name: 'dis_max',
  parse(body, parseQuery) {
    let queries: readonly QueryNode[] | undefined;
    for (const [key, value] of Object.entries(clauseObject('dis_max', body))) {
      if (key === 'queries' && (isJsonObject(value) || isJsonArray(value))) {
        const clauses = isJsonArray(value) ? value : [value];
        // of a list the first must be a clause
        if (!isJsonObject(clauses[0]))
          throw parsingError('[_na] query malformed, must start with start_object');
        queries = [...(queries ?? []), ...listedClauses(clauses).map(parseQuery)];
      } else if (key === 'tie_breaker') checkTieBreaker(key, value);
      else if (key === 'boost' || key === '_name') checkCommonOption(key, value);
      else throw parsingError(`[dis_max] query does not support [${key}]`);
    }
    if (queries === undefined)
      throw parsingError("[dis_max] requires 'queries' field with at least one clause");
    return { queries };
  },
  toCondition: ({ queries }, context) => or(queries.map((query) => query.toCondition(context))),
});
