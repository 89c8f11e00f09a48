import { compileSelect, readableText } from '../../clickhouse/sql/compile';
import type { SelectNode } from '../../clickhouse/sql/nodes';
import { illegalArgument } from '../../common/errors/catalogue';
import type { JsonObject } from '../../common/json/json';
import { parseSearchRequest } from '../../search/request/parse-search-request';
import { requireKnownParameters, searchParameters } from '../../search/request/url-parameters';
import { planSearch, statementsOf } from '../../search/run-search';
import { errorBody } from '../error-response';
import type { Runtime } from '../runtime';
import { optionalJson, planContext } from '../search-index';
import { json, type EndpointHandler, type GatewayRequest } from './definition';

/**
 * `POST /proxy/_translate?index=NAME` with the body of a search, and in the query string what a search
 * takes there: the statements that would answer it. None of them is run; the table's structure is read.
 * What the search would be refused for is answered as the search would answer it.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    requireKnownParameters(request.path, request.query, ['index', ...searchParameters]);
    const index = indexOf(request);
    try {
      return json(await translation(index, request, runtime));
    } catch (error) {
      const { log } = runtime;
      return { kind: 'json', ...errorBody(error, { log, id: request.id, index }) };
    }
  },
};

async function translation(
  index: string,
  { query, body }: GatewayRequest,
  runtime: Runtime,
): Promise<JsonObject> {
  const now = Date.now();
  const parameters = new Map([...query].filter(([name]) => name !== 'index'));
  const search = parseSearchRequest({ body: optionalJson(body), parameters });
  if (!runtime.serves(index))
    throw illegalArgument(
      `[${index}] is not answered from ClickHouse: it is not in whiteIndexList, or it is in blackIndexList`,
    );
  const plan = planSearch(search, await planContext(index, runtime, now));
  const { fingerprint } = plan.identity;
  return { statements: statementsOf(plan).map((select) => shown(select, fingerprint)) };
}

function indexOf({ query }: GatewayRequest): string {
  const index = query.get('index');
  if (index !== undefined && index !== '') return index;
  throw illegalArgument('request [/proxy/_translate] lacks the required parameter [index]');
}

function shown(select: SelectNode, fingerprint: string): JsonObject {
  const { sql, parameters } = compileSelect(select);
  return { sql, parameters, text: readableText(select), fingerprint };
}
