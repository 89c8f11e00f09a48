import { noElasticsearch } from '../common/errors/catalogue';
import { Readable } from 'node:stream';
import type { Denial } from '../metadata/authorization';
import type { Elasticsearch } from '../metadata/forward';
import type { GatewayRequest, GatewayResponse } from './endpoints/definition';
import type { Runtime } from './runtime';

/** The Elasticsearch of the configuration. 502 with what to configure when there is none. */
export function elasticsearchOf({ elasticsearch }: Runtime): Elasticsearch {
  if (elasticsearch) return elasticsearch;
  throw noElasticsearch(
    '[kibana-clickhouse] the request names indexes that are not in ClickHouse, and no Elasticsearch is configured in metadata_config.hosts',
  );
}

/** Sends a request on to Elasticsearch as it came, and its answer back as it comes. */
export async function sendOn(request: GatewayRequest, runtime: Runtime): Promise<GatewayResponse> {
  const { method, prefix, rawHeaders, rawBody, signal } = request;
  const response = await elasticsearchOf(runtime).send({
    method,
    target: targetOf(request),
    prefix,
    headers: rawHeaders,
    body: rawBody,
    signal,
  });
  return { kind: 'raw', ...response };
}

/** Path and query string as they came. */
export const targetOf = ({ path, rawQuery }: Pick<GatewayRequest, 'path' | 'rawQuery'>): string =>
  rawQuery === '' ? path : `${path}?${rawQuery}`;

/** Elasticsearch's refusal, as the answer of this request. */
export function denied(
  { status, headers, body }: Denial,
  request: GatewayRequest,
): GatewayResponse {
  const opaqueId = request.headers.get('x-opaque-id');
  return {
    kind: 'raw',
    status,
    headers: {
      ...headers,
      ...(opaqueId !== undefined && { 'x-opaque-id': opaqueId }),
      'content-length': String(body.length),
    },
    body: Readable.from([body]),
  };
}

/** Elasticsearch's refusal to let the caller read a name; undefined when the caller may. */
export async function denialOf(
  index: string,
  { rawHeaders, prefix }: GatewayRequest,
  { authorization }: Runtime,
): Promise<Denial | undefined> {
  const verdict = await authorization?.verdict(index, { headers: rawHeaders, prefix });
  return verdict?.kind === 'denied' ? verdict : undefined;
}
