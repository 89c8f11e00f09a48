import type { GatewayRequest, GatewayResponse } from '../endpoints/definition';

const JSON_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/vnd.elasticsearch+json',
]);
const LINES_TYPES: ReadonlySet<string> = new Set([
  'application/x-ndjson',
  'application/vnd.elasticsearch+x-ndjson',
]);

/**
 * The 406 that Elasticsearch answers to a body of a type its endpoint does not read (7.17 to 8:
 * `error` is a string); undefined when the type is fine or there is no body. Newline-delimited JSON
 * is for `_msearch` alone.
 */
export function contentTypeRefusal(
  { headers, body }: Pick<GatewayRequest, 'headers' | 'body'>,
  accepted: 'json' | 'json-or-lines',
): GatewayResponse | undefined {
  if (body.length === 0) return undefined;
  const header = headers.get('content-type');
  if (header === undefined) return refusal('Content-Type header is missing');
  const type = (header.split(';')[0] ?? '').trim().toLowerCase();
  if (JSON_TYPES.has(type) || (accepted === 'json-or-lines' && LINES_TYPES.has(type)))
    return undefined;
  return unsupportedType(header);
}

/** The 406 for a content type that is none, or none that can be read. */
export const unsupportedType = (header: string): GatewayResponse =>
  refusal(`Content-Type header [${header}] is not supported`);

const refusal = (error: string): GatewayResponse => ({
  kind: 'json',
  status: 406,
  body: { error, status: 406 },
});
