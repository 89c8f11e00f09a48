import { alwaysFalse, alwaysTrue, and, not } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { contentParseError, illegalArgument } from '../../common/errors/catalogue';
import { type JsonValue, isJsonArray } from '../../common/json/json';
import { atLeast } from './at-least';
import { requireClauseCount } from './clause-limit';
import {
  type ParseQuery,
  type QueryContext,
  type QueryNode,
  defineClause,
  unsought,
} from './definition';
import { listedClauses } from './listed-clauses';
import { minimumShouldMatch } from './minimum-should-match';
import { parseField } from '../request/parse-field';
import { booleanOption, checkCommonOption, clauseObject } from './options';

interface BoolParams {
  readonly must: readonly QueryNode[];
  readonly filter: readonly QueryNode[];
  readonly should: readonly QueryNode[];
  readonly mustNot: readonly QueryNode[];
  readonly minimumShouldMatch?: string;
  readonly adjustPureNegative: boolean;
}

/**
 * `{"bool": {"must": …, "filter": …, "should": …, "must_not": …, "minimum_should_match": …}}`; each kind
 * is an array, one clause, null or absent. Without must and filter at least one of `should` must match.
 */
export const bool = defineClause<BoolParams>({
  name: 'bool',
  parse: parseBool,
  toCondition,
  isNone,
  required: ({ must, filter, ...rest }) => [
    ...must,
    ...filter,
    ...(optionalNeeded({ must, filter, ...rest }) === rest.should.length ? rest.should : []),
  ],
  // without any clause it is match_all
  scoring: ({ must, filter, should, mustNot }) =>
    [must, filter, should, mustNot].every((clauses) => clauses.length === 0) ||
    [...must, ...should].some((clause) => clause.scoring),
});

const occurrences: Readonly<Record<string, 'must' | 'filter' | 'should' | 'mustNot'>> = {
  must: 'must',
  filter: 'filter',
  should: 'should',
  must_not: 'mustNot',
  mustNot: 'mustNot',
};

function parseBool(body: JsonValue, parseQuery: ParseQuery): BoolParams {
  const clauses: Record<'must' | 'filter' | 'should' | 'mustNot', readonly QueryNode[]> = {
    must: [],
    filter: [],
    should: [],
    mustNot: [],
  };
  let minimum: string | undefined;
  let adjustPureNegative = true;
  for (const [key, value] of Object.entries(clauseObject('bool', body))) {
    const occurrence = occurrences[key];
    if (occurrence)
      clauses[occurrence] = parseField('bool', key, () => parseClauses(value, parseQuery));
    else if (key === 'minimum_should_match') minimum = parseMinimum(value);
    else if (key === 'adjust_pure_negative') adjustPureNegative = booleanOption(key, value);
    else if (key === 'boost' || key === '_name') checkCommonOption(key, value);
    else throw contentParseError(`[bool] unknown field [${key}]`);
  }
  return {
    ...clauses,
    adjustPureNegative,
    ...(minimum !== undefined && { minimumShouldMatch: minimum }),
  };
}

function parseClauses(value: JsonValue, parseQuery: ParseQuery): readonly QueryNode[] {
  if (value === null) return [];
  return (isJsonArray(value) ? listedClauses(value) : [value]).map(parseQuery);
}

function parseMinimum(value: JsonValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === 'object' || typeof value === 'boolean')
    throw illegalArgument('[bool] minimum_should_match must be a number or a string');
  return String(value);
}

/**
 * How many of the optional clauses must match. Beside `must_not` alone the minimum is lost (Elasticsearch 7.17,
 * `Queries.fixNegativeQueryIfNeeded`).
 */
function optionalNeeded(params: BoolParams): number {
  const { must, filter, should, mustNot, minimumShouldMatch: minimum } = params;
  const isNegative = must.length + filter.length + should.length === 0 && mustNot.length > 0;
  if (isNegative) return 0;
  const asked = minimum === undefined ? 0 : minimumShouldMatch(minimum, should.length);
  if (asked > 0) return asked;
  return should.length > 0 && must.length === 0 && filter.length === 0 ? 1 : 0;
}

/** One that must match does not, or none of those that alone are there (7.17, `BoolQueryBuilder.doRewrite`). */
function isNone(params: BoolParams, context?: QueryContext): boolean {
  if (context !== undefined && isNone(params)) return true;
  const { must, filter, should, mustNot } = params;
  const areNone = (clauses: readonly QueryNode[]): readonly boolean[] =>
    clauses.map((clause) => clause.isNone(context));
  const required = areNone([...must, ...filter]);
  const optional = areNone(should);
  areNone(mustNot);
  return (
    required.includes(true) ||
    (required.length === 0 && optional.length > 0 && !optional.includes(false))
  );
}

function toCondition(params: BoolParams, context: QueryContext): Expr {
  const { must, filter, should, mustNot } = params;
  const all = [...must, ...filter, ...should, ...mustNot];
  if (all.length === 0) return alwaysTrue;
  if (isNone(params, context)) return alwaysFalse;
  requireClauseCount(all.length);
  const conditions = and([
    ...[...must, ...filter].map((clause) => clause.toCondition(context)),
    // each is compiled even where none is needed: what is refused is refused wherever it stands
    atLeast(
      optionalNeeded(params),
      should.map((clause) => clause.toCondition(context)),
    ),
    ...mustNot.map((clause) => not(clause.toCondition(unsought(context)))),
  ]);
  return !params.adjustPureNegative && all.length === mustNot.length ? alwaysFalse : conditions;
}
