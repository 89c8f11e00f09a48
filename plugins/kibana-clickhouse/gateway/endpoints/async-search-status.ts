import { Readable } from 'node:stream';
import { commonParameters, requireKnownParameters } from '../../search/request/url-parameters';
import { isAsyncSearchId } from '../async-search/async-search-id';
import { type EnvelopeOf, envelopeStart, shardsText, stateHeaders } from '../async-search/envelope';
import { findSearch } from '../async-search/find-search';
import { readKeepAlive } from '../async-search/submit-options';
import { denied, sendOn } from '../send-on';
import type { EndpointHandler } from './definition';

/** `GET /_async_search/status/{id}`: the state of a search without its answer; `keep_alive` lets it live longer. */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const id = request.params['id'] ?? '';
    if (!isAsyncSearchId(id)) return sendOn(request, runtime);
    const { path, query } = request;
    requireKnownParameters(path, query, [...commonParameters, 'keep_alive']);
    const keepAliveMs = readKeepAlive(query);
    const found = await findSearch(id, request, runtime);
    if (found.kind === 'denied') return denied(found, request);
    const { startedAt, expiresAt, outcome } =
      keepAliveMs === undefined
        ? found.record
        : await runtime.asyncSearches.prolong(id, found.record, Date.now() + keepAliveMs);
    const isAnswered = outcome?.status === 200;
    const state: EnvelopeOf = {
      id,
      startedAt,
      expiresAt,
      isAnswered,
      ...(outcome && { completedAt: outcome.completedAt }),
    };
    const shards = shardsText(isAnswered ? 1 : 0, outcome && !isAnswered ? 1 : 0);
    const end = outcome ? `,"completion_status":${String(outcome.status)}}` : '}';
    const text = `${envelopeStart(state, '_shards')}${shards}${end}`;
    return {
      kind: 'stream',
      status: 200,
      headers: stateHeaders(state),
      body: Readable.from([text]),
    };
  },
};
