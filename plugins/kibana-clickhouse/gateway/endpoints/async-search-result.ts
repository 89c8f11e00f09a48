import { Readable } from 'node:stream';
import {
  asyncSearchResultParameters,
  commonParameters,
  refuseUnsupportedParameters,
  requireKnownParameters,
} from '../../search/request/url-parameters';
import { isAsyncSearchId } from '../async-search/async-search-id';
import {
  type EnvelopeOf,
  envelopeStart,
  stateHeaders,
  unansweredText,
} from '../async-search/envelope';
import { findSearch } from '../async-search/find-search';
import { readKeepAlive, readWait } from '../async-search/submit-options';
import type { AsyncSearchRecord } from '../../metadata/async-search/async-search-store';
import type { Runtime } from '../runtime';
import { denied, sendOn } from '../send-on';
import {
  json,
  type EndpointHandler,
  type GatewayRequest,
  type GatewayResponse,
} from './definition';

/**
 * `GET /_async_search/{id}`: the state of a search that runs on, and its answer when it has ended, whichever node runs it.
 * `wait_for_completion_timeout` waits for that, `keep_alive` lets it live longer. `DELETE` stops and forgets it.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const id = request.params['id'] ?? '';
    if (!isAsyncSearchId(id)) return sendOn(request, runtime);
    return request.method === 'DELETE' ? remove(id, request, runtime) : get(id, request, runtime);
  },
};

async function remove(
  id: string,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<GatewayResponse> {
  requireKnownParameters(request.path, request.query, commonParameters);
  const found = await findSearch(id, request, runtime);
  if (found.kind === 'denied') return denied(found, request);
  await runtime.asyncSearches.remove(id);
  return json({ acknowledged: true });
}

async function get(
  id: string,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<GatewayResponse> {
  const { path, query, signal } = request;
  requireKnownParameters(path, query, asyncSearchResultParameters);
  refuseUnsupportedParameters(query);
  const [waitMs = 0, keepAliveMs] = [readWait(query), readKeepAlive(query)];
  const { asyncSearches } = runtime;
  const found = await findSearch(id, request, runtime);
  if (found.kind === 'denied') return denied(found, request);
  if (keepAliveMs !== undefined)
    await asyncSearches.prolong(id, found.record, Date.now() + keepAliveMs);
  if (waitMs === 0 && keepAliveMs === undefined) return shown(id, found.record);
  const waited = await findSearch(id, request, runtime, () =>
    asyncSearches.wait(id, waitMs, signal),
  );
  return waited.kind === 'denied' ? denied(waited, request) : shown(id, waited.record);
}

function shown(id: string, record: AsyncSearchRecord): GatewayResponse {
  const { startedAt, expiresAt, outcome } = record;
  const isAnswered = outcome?.status === 200;
  const state: EnvelopeOf = {
    id,
    startedAt,
    expiresAt,
    isAnswered,
    ...(outcome && { completedAt: outcome.completedAt }),
  };
  const key = outcome && !isAnswered ? 'error' : 'response';
  const text = outcome?.text ?? unansweredText(Date.now() - startedAt);
  return {
    kind: 'stream',
    status: outcome?.status ?? 200,
    headers: stateHeaders(state),
    body: Readable.from([envelopeStart(state, key), text, '}']),
  };
}
