import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import type { OracleRequest } from '../../oracle/judge-request';
import type { BothAnswers, Oracle } from '../../oracle/oracle';
import type { FuzzRequest } from '../requests/context';

/**
 * Why two answers of which ours is an error may differ: Elasticsearch leaves out what cannot match before it reads the
 * rest, and where two parts are wrong either may be the one that is named. Told by asking for every part alone.
 */
export async function errorIsFree(
  oracle: Oracle,
  { body }: FuzzRequest,
  { request, ours, theirs }: BothAnswers,
): Promise<string | undefined> {
  const path = request.path.replace(/\?.*$/, '');
  // the parameters of the query string are a part as well
  const parts: readonly OracleRequest[] = [
    ...partsOf(body).map((part) => ({ path, body: part })),
    ...(path === request.path ? [] : [{ path: request.path, body: {} }]),
  ];
  if (ours.status !== 400 || parts.length < 2) return undefined;
  let wrong = 0;
  for (const part of parts) {
    const alone = await oracle.ask({ method: 'POST', ...part });
    if (isWrong(alone)) wrong += 1;
  }
  if (theirs.status === 200 && wrong > 0)
    return 'a clause that Elasticsearch does not read is wrong';
  return wrong > 1 ? 'several parts of the search are wrong' : undefined;
}

/** Elasticsearch looks at the path of an order only when it has buckets to sort, and calls the error its own (500). */
const isWrong = ({ ours, theirs }: BothAnswers): boolean =>
  ours.status === 400 &&
  (theirs.status === 400 || ours.text.includes('Invalid aggregation order path'));

/** Searches with one part of a body each. */
function partsOf({ query, aggs, ...rest }: JsonObject): readonly JsonObject[] {
  const own = Object.entries(rest).map(([key, value]): JsonObject => ({ [key]: value }));
  return [
    ...leavesOf(query).map((clause) => ({ size: 0, query: clause })),
    ...(aggs === undefined ? [] : [{ size: 0, aggs }]),
    ...own,
  ];
}

/** Where clauses hold others. */
const innerKeys: Readonly<Record<string, readonly string[]>> = {
  bool: ['must', 'filter', 'should', 'must_not'],
  constant_score: ['filter'],
  dis_max: ['queries'],
  boosting: ['positive', 'negative'],
  function_score: ['query'],
  script_score: ['query'],
};

/** Clauses that hold no others, within a query. */
function leavesOf(query: JsonValue | undefined): readonly JsonObject[] {
  if (isJsonArray(query)) return query.flatMap(leavesOf);
  if (!isJsonObject(query)) return [];
  const [name = ''] = Object.keys(query);
  const [body, keys] = [query[name], innerKeys[name]];
  return isJsonObject(body) && keys ? keys.flatMap((key) => leavesOf(body[key])) : [query];
}
