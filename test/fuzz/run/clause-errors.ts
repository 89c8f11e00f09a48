import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import type { BothAnswers, Oracle } from '../../oracle/oracle';
import type { FuzzRequest } from '../requests/context';

/**
 * Why two answers of which ours is an error may differ: Elasticsearch leaves out what cannot match before it reads the
 * rest, and where two clauses are wrong either may be the one that is named. Told by asking for every clause alone.
 */
export async function errorIsFree(
  oracle: Oracle,
  { body }: FuzzRequest,
  { request, ours, theirs }: BothAnswers,
): Promise<string | undefined> {
  const clauses = leavesOf(body['query']);
  if (ours.status !== 400 || clauses.length < 2) return undefined;
  let wrong = 0;
  for (const clause of clauses) {
    const path = request.path.replace(/\?.*$/, '');
    const alone = await oracle.ask({ method: 'POST', path, body: { size: 0, query: clause } });
    if (alone.ours.status === 400 && alone.theirs.status === 400) wrong += 1;
  }
  if (theirs.status === 200 && wrong > 0)
    return 'a clause that Elasticsearch does not read is wrong';
  return wrong > 1 ? 'several clauses are wrong' : undefined;
}

/** Clauses below `bool` and `constant_score`. */
function leavesOf(query: JsonValue | undefined): readonly JsonObject[] {
  if (isJsonArray(query)) return query.flatMap(leavesOf);
  if (!isJsonObject(query)) return [];
  const [name = ''] = Object.keys(query);
  const inner = query[name];
  if (!isJsonObject(inner)) return [query];
  if (name === 'constant_score') return leavesOf(inner['filter']);
  return name === 'bool' ? Object.values(inner).flatMap(leavesOf) : [query];
}
