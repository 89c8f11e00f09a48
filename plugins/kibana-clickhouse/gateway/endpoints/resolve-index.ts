import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import {
  commonParameters,
  indicesParameters,
  requireKnownParameters,
} from '../../search/request/url-parameters';
import { listedIndexes } from '../index-expression';
import { indicesOptions } from '../indices-options';
import { listIndexes } from '../listed-indexes';
import type { Runtime } from '../runtime';
import { denialOf, denied, sendOn } from '../send-on';
import type { EndpointHandler, GatewayRequest, GatewayResponse } from './definition';
import { filtered } from './on-indexes';

/**
 * `GET /_resolve/index/{expression}`: which indexes there are. One of ours by name answers alone; with
 * a list or pattern Elasticsearch is asked for its own, and both are answered together, sorted. Of ours
 * the caller sees those that it may read and that have a table. An unreachable Elasticsearch leaves
 * ours.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const expression = request.params['index'] ?? '';
    if (listedIndexes(expression, runtime.served).size === 0) return sendOn(request, runtime);
    requireKnownParameters(request.path, request.query, PARAMETERS);
    indicesOptions(request.query);
    if (runtime.served.has(expression)) return resolveOne(expression, request, runtime);
    const start = request.path.slice(0, request.path.replace(/\/+$/, '').lastIndexOf('/'));
    const rest = queryWithout(request, ['filter_path']);
    const target = (indexes: string): string => `${start}/${indexes}${rest}`;
    const listed = await listIndexes({ expression, target }, request, runtime);
    if (listed.kind === 'refusal') return listed.response;
    return filtered(request, merged(listed.own, listed.elsewhere, runtime));
  },
};

const PARAMETERS: readonly string[] = [...commonParameters, ...indicesParameters, 'mode'];

/** The query string with its `?`, without some parameters; `''` when nothing is left. */
export function queryWithout(
  { rawQuery }: Pick<GatewayRequest, 'rawQuery'>,
  names: readonly string[],
): string {
  const kept = rawQuery
    .split('&')
    .filter((pair) => pair !== '' && !names.includes(pair.split('=')[0] ?? ''));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

async function resolveOne(
  index: string,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<GatewayResponse> {
  const denial = await denialOf(index, request, runtime);
  if (denial) return denied(denial, request);
  await runtime.table(index);
  return filtered(request, merged([index], undefined, runtime));
}

const NOTHING: JsonObject = { indices: [], aliases: [], data_streams: [] };

/** Both lists, sorted by name. What Elasticsearch has by the name of one of ours is left out: nobody can search it here. */
function merged(
  own: readonly string[],
  answer: JsonValue | undefined,
  { served }: Pick<Runtime, 'served'>,
): JsonObject {
  const elsewhere = isJsonObject(answer) ? answer : NOTHING;
  const ours = own.map((name) => ({ name, attributes: ['open'] }));
  const theirs = entriesOf(elsewhere['indices']).filter((entry) => !served.has(nameOf(entry)));
  return {
    ...NOTHING,
    ...elsewhere,
    indices: [...ours, ...theirs].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
  };
}

const entriesOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter(isJsonObject) : [];

const nameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '');
