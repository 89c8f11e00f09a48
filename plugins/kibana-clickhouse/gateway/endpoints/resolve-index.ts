import { Readable } from 'node:stream';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import { storeUnavailable, unsupported } from '../../common/errors/catalogue';
import { bodyOf, type ForwardedResponse } from '../../metadata/forward';
import { filterHeaders } from '../../metadata/headers';
import {
  indicesParameters,
  commonParameters,
  requireKnownParameters,
} from '../../search/request/url-parameters';
import { listedIndexes } from '../index-expression';
import type { Runtime } from '../runtime';
import { denialOf, denied, sendOn } from '../send-on';
import {
  json,
  type EndpointHandler,
  type GatewayRequest,
  type GatewayResponse,
} from './definition';

/**
 * `GET /_resolve/index/{expression}`: which indexes there are. One of ours by name answers alone; with
 * a list or pattern Elasticsearch is asked for its own, and both are answered together, sorted. Of ours
 * the caller sees those that it may read and that have a table. An unreachable Elasticsearch leaves
 * ours.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const expression = request.params['index'] ?? '';
    const named = listedIndexes(expression, runtime.served);
    if (named.size === 0) return sendOn(request, runtime);
    requireKnownParameters(request.path, request.query, PARAMETERS);
    if (request.query.get('filter_path'))
      throw unsupported('[filter_path] of a _resolve/index request');
    if (runtime.served.has(expression)) return resolveOne(expression, request, runtime);
    const [own, elsewhere] = await Promise.all([
      readableNames([...named], request, runtime),
      resolveElsewhere(expression, request, runtime),
    ]);
    return elsewhere.kind === 'refusal' ? elsewhere.response : json(merged(own, elsewhere.lists));
  },
};

const PARAMETERS: readonly string[] = [...commonParameters, ...indicesParameters, 'mode'];

async function resolveOne(
  index: string,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<GatewayResponse> {
  const denial = await denialOf(index, request, runtime);
  if (denial) return denied(denial, request);
  await runtime.table(index);
  return json(merged([index], NOTHING));
}

/** Of several names those that the caller may read and that have a table. */
async function readableNames(
  names: readonly string[],
  request: GatewayRequest,
  runtime: Runtime,
): Promise<readonly string[]> {
  const readable = await Promise.all(
    names.map(async (name) => !(await denialOf(name, request, runtime)) && hasTable(name, runtime)),
  );
  return names.filter((_name, i) => readable[i]);
}

async function hasTable(name: string, runtime: Runtime): Promise<boolean> {
  try {
    await runtime.table(name);
    return true;
  } catch (error) {
    if (error instanceof ElasticsearchError && error.status === 404) return false;
    throw error;
  }
}

type Elsewhere =
  | { readonly kind: 'lists'; readonly lists: JsonObject }
  /** Elasticsearch's own refusal of the expression. */
  | { readonly kind: 'refusal'; readonly response: GatewayResponse };

const NOTHING: JsonObject = { indices: [], aliases: [], data_streams: [] };

async function resolveElsewhere(
  expression: string,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<Elsewhere> {
  const target = elsewhereTarget(expression, request, runtime);
  if (!runtime.elasticsearch || target === undefined) return { kind: 'lists', lists: NOTHING };
  const { method, prefix, rawHeaders, signal } = request;
  // Its answer is read here, and a GET of names has no body.
  const headers = filterHeaders(rawHeaders, (name) => name !== 'accept-encoding');
  const body = Buffer.alloc(0);
  try {
    const sent = { method, target, prefix, headers, body, signal };
    return await readLists(await runtime.elasticsearch.send(sent));
  } catch (error) {
    if (error instanceof ElasticsearchError) return { kind: 'lists', lists: NOTHING };
    throw error;
  }
}

/** The request without our own names, which Elasticsearch need not have; undefined: nothing is left. */
function elsewhereTarget(
  expression: string,
  { path, rawQuery }: GatewayRequest,
  { served }: Runtime,
): string | undefined {
  const parts = expression.split(',').filter((part) => !served.has(part));
  if (parts.length === 0) return undefined;
  const start = path.slice(0, path.replace(/\/+$/, '').lastIndexOf('/'));
  const encoded = parts.map(encodeURIComponent).join(',');
  return `${start}/${encoded}${rawQuery === '' ? '' : `?${rawQuery}`}`;
}

async function readLists(response: ForwardedResponse): Promise<Elsewhere> {
  const body = await bodyOf(response);
  const { status } = response;
  if (status >= 500) return { kind: 'lists', lists: NOTHING };
  if (status !== 200)
    return { kind: 'refusal', response: { kind: 'raw', ...response, body: Readable.from([body]) } };
  const lists = parseJson(body);
  if (isJsonObject(lists)) return { kind: 'lists', lists };
  throw storeUnavailable('[kibana-clickhouse] the answer of Elasticsearch is no object');
}

/** Both lists, sorted by name. An index of Elasticsearch that one of ours stands for is left out. */
function merged(own: readonly string[], elsewhere: JsonObject): JsonObject {
  const ours = own.map((name) => ({ name, attributes: ['open'] }));
  const names = new Set<JsonValue>(own);
  const theirs = entriesOf(elsewhere['indices']).filter(({ name }) => !names.has(name ?? null));
  return {
    ...NOTHING,
    ...elsewhere,
    indices: [...ours, ...theirs].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
  };
}

const entriesOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter(isJsonObject) : [];

const nameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '');
