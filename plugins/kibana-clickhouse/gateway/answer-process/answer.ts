import type { Readable } from 'node:stream';
import { illegalArgument, noElasticsearch, storeUnavailable } from '../../common/errors/catalogue';
import type { Endpoint, GatewayRequest, GatewayResponse } from '../endpoints/definition';
import { matchEndpoint, type EndpointMatch } from '../endpoints/match';
import type { Handover } from '../handover';
import type { Runtime } from '../runtime';
import { contentTypeRefusal } from './content-type';
import { readBody } from './read-body';
import { splitPrefix, type RequestHead } from './request-head';
import { methodNotAllowed, noEndpoint } from './unanswered';

/** A request that may be answered. */
export interface Admitted {
  readonly handover: Handover;
  readonly runtime: Runtime;
}

/** A request with the endpoint that its path names. */
export interface Located extends Admitted {
  readonly head: RequestHead;
  readonly path: string;
  readonly prefix: string;
  readonly match: EndpointMatch;
}

/** Finds the endpoint of a request. 400 for a path with a malformed percent-escape. */
export function locate(head: RequestHead, admitted: Admitted): Located {
  const { path, prefix } = splitPrefix(head.fullPath, admitted.handover.prefix);
  const match = matchEndpoint({ role: admitted.handover.role, method: head.method, path });
  return { ...admitted, head, path, prefix, match };
}

/**
 * The answer of a request's endpoint. Its body is read whole before the endpoint does anything.
 * Throws what the endpoint throws.
 */
export async function answer(
  located: Located,
  stream: Readable | undefined,
): Promise<GatewayResponse> {
  const { head, path, match, handover, runtime } = located;
  refuseIfAsked(handover);
  const line = { ...head, path, role: handover.role };
  if (match.kind === 'method-not-allowed') return methodNotAllowed(line, match.allow);
  if (match.kind === 'none') return noEndpoint(line);
  const request = await readRequest(located, match.params, stream);
  const refusal = wrongContentType(match.endpoint, request);
  if (refusal) return refusal;
  const handler = await match.endpoint.load();
  return handler.handle(request, runtime);
}

/** `access()` could not decide: nothing is executed. */
function refuseIfAsked({ refusal, refusalStatus }: Handover): void {
  if (refusal === undefined) return;
  if (refusalStatus === 400) throw illegalArgument(refusal);
  throw refusalStatus === 502 ? noElasticsearch(refusal) : storeUnavailable(refusal);
}

async function readRequest(
  { head, path, prefix, handover }: Located,
  params: GatewayRequest['params'],
  stream: Readable | undefined,
): Promise<GatewayRequest> {
  const encoding = head.headers.get('content-encoding');
  const { raw, inflated } = await readBody({ stream, encoding });
  const { consumer } = handover;
  return { ...head, path, prefix, params, body: inflated, rawBody: raw, consumer };
}

/** Where the body names the indexes it may be Elasticsearch's to read: its endpoint checks it. */
const wrongContentType = (
  { index }: Endpoint,
  request: GatewayRequest,
): GatewayResponse | undefined =>
  index === 'body' ? undefined : contentTypeRefusal(request, 'json');
