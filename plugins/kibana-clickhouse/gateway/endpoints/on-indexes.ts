import { illegalArgument } from '../../common/errors/catalogue';
import type { JsonObject } from '../../common/json/json';
import { filterPath } from '../../common/json/filter-path';
import { requireKnownParameters } from '../../search/request/url-parameters';
import { readNames, resolveNames } from '../named-indexes';
import type { Runtime } from '../runtime';
import { denied, sendOn } from '../send-on';
import {
  json,
  type EndpointHandler,
  type GatewayRequest,
  type GatewayResponse,
} from './definition';

/** Answers a request for indexes of ours, which the caller may read and which have tables. */
export type AnswerFor = (
  names: readonly string[],
  request: GatewayRequest,
  runtime: Runtime,
) => Promise<GatewayResponse>;

/** Whether an endpoint reads a body. */
type Body = 'read' | 'none';

/**
 * A handler for the indexes that `{index}` of the path names. What is not ours goes on to Elasticsearch. Throws 400 for a
 * query-string parameter that is not among `parameters` and for a body that nobody reads, then what `resolveNames` throws.
 */
export const onIndexes = (
  parameters: readonly string[],
  answer: AnswerFor,
  body: Body = 'none',
): EndpointHandler => ({
  async handle(request, runtime) {
    const { path, query, params } = request;
    const expression = params['index'] ?? '';
    const named = readNames(expression, runtime.served, { query, now: Date.now() });
    if (named === undefined) return sendOn(request, runtime);
    requireKnownParameters(path, query, parameters);
    if (body === 'none') refuseBody(request);
    const resolved = await resolveNames(named, request, runtime);
    if (resolved.kind === 'denied') return denied(resolved, request);
    if (resolved.kind === 'elsewhere') return sendOn(request, runtime);
    return answer(resolved.names, request, runtime);
  },
});

/** Elasticsearch refuses a body where it reads none. */
export function refuseBody({ method, path, body }: GatewayRequest): void {
  if (body.length > 0)
    throw illegalArgument(`request [${method} ${path}] does not support having a body`);
}

/** A JSON answer, of which `filter_path` may leave less. */
export function filtered(
  { query }: Pick<GatewayRequest, 'query'>,
  body: JsonObject,
  status = 200,
): GatewayResponse {
  const filter = query.get('filter_path');
  return json(filter === undefined || filter === '' ? body : filterPath(body, filter), status);
}

/** An object with a member for each index. */
export async function byIndex(
  names: readonly string[],
  describe: (index: string) => Promise<JsonObject>,
): Promise<JsonObject> {
  return Object.fromEntries(
    await Promise.all(names.map(async (index) => [index, await describe(index)] as const)),
  );
}
