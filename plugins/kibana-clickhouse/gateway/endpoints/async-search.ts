import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { validationError } from '../../common/errors/catalogue';
import { asyncSearchParameters, requireKnownParameters } from '../../search/request/url-parameters';
import type { SearchResponse } from '../../search/response/search-response';
import { writeResponse } from '../../search/response/write-response';
import { collectAnswer } from '../async-search/collect-answer';
import {
  type EnvelopeOf,
  envelopeStart,
  stateHeaders,
  unansweredText,
} from '../async-search/envelope';
import { answered, outcomeOf } from '../async-search/run-detached';
import { readSubmitOptions } from '../async-search/submit-options';
import type { Runtime } from '../runtime';
import { type IndexSearch, type SearchOutcome, searchIndex } from '../search-index';
import { searchedIndex } from '../searched-index';
import { denied, sendOn } from '../send-on';
import type { EndpointHandler, GatewayRequest, GatewayResponse } from './definition';

/**
 * `POST /{index}/_async_search`: a search that ends within `wait_for_completion_timeout` is answered complete, without an id
 * unless `keep_on_completion` asks for one; one that fails by then is the plain error, which Elasticsearch allows too. A
 * longer one runs on, and is answered with an id. While the request waits, a client that goes away ends the search.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const index = searchedIndex(request.params['index'] ?? '', runtime.served);
    if (index === undefined) return sendOn(request, runtime);
    return submitSearch({ index }, request, runtime);
  },
};

/** Parameters of the asynchronous search itself. */
const OWN: ReadonlySet<string> = new Set([
  'keep_alive',
  'keep_on_completion',
  'return_intermediate_results',
  'wait_for_completion_timeout',
]);

interface Submitted {
  readonly index: string;
  readonly consumer: string | undefined;
  readonly startedAt: number;
  readonly expiresAt: number;
}

/** Where a search's index stands. */
type Submission = Pick<IndexSearch, 'index' | 'isWithoutIndex'>;

/** Runs a search of an index that is ours. */
export async function submitSearch(
  { index, isWithoutIndex }: Submission,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<GatewayResponse> {
  const { query, body, consumer } = request;
  requireKnownParameters(request.path, query, asyncSearchParameters);
  if (query.has('scroll')) throw validationError(['[scroll] queries are not supported']);
  const { waitMs, keepAliveMs, keepsAnswer } = readSubmitOptions(query);
  const startedAt = Date.now();
  const submitted = { index, consumer, startedAt, expiresAt: startedAt + keepAliveMs };
  const parameters = new Map([...query].filter(([name]) => !OWN.has(name)));
  // what runs on needs its connections when the request is gone
  const detached = runtime.detach();
  const stop = following(request.signal);
  const searching = searchIndex(
    { index, body, parameters, ...(isWithoutIndex && { isWithoutIndex }) },
    { ...request, signal: stop.controller.signal },
    detached.runtime,
  );
  const outcome = await within(searching, waitMs).catch((error: unknown) => {
    detached.release();
    throw error;
  });
  if (outcome === undefined) {
    const ended = outcomeOf(searching, index, request, runtime).finally(detached.release);
    const id = await runtime.asyncSearches.adopt({
      ...submitted,
      stop: stop.controller,
      outcome: ended,
    });
    stop.unfollow();
    if (request.signal.aborted) await runtime.asyncSearches.remove(id);
    return running(submitted, id);
  }
  if (outcome.kind === 'denied') {
    detached.release();
    return denied(outcome, request);
  }
  const answer = keepsAnswer
    ? await kept(submitted, outcome.response, runtime).catch((error: unknown) => {
        detached.release();
        throw error;
      })
    : complete(submitted, writeResponse(outcome.response));
  // the hits are still read over its connection
  if (answer.kind === 'stream') answer.body.once('close', detached.release);
  return answer;
}

/** A controller that aborts with a signal, as long as it follows it. */
function following(signal: AbortSignal): {
  readonly controller: AbortController;
  readonly unfollow: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return {
    controller,
    unfollow: () => {
      signal.removeEventListener('abort', abort);
    },
  };
}

/** Undefined where it takes longer than that. */
async function within(
  searching: Promise<SearchOutcome>,
  ms: number,
): Promise<SearchOutcome | undefined> {
  const over = new AbortController();
  try {
    const limit = sleep(ms, undefined, { signal: over.signal });
    limit.catch(() => undefined);
    return await Promise.race([searching, limit]);
  } finally {
    over.abort();
  }
}

function running({ startedAt, expiresAt }: Submitted, id: string): GatewayResponse {
  const state: EnvelopeOf = { id, startedAt, expiresAt, isAnswered: false };
  const text = `${envelopeStart(state, 'response')}${unansweredText(Date.now() - startedAt)}}`;
  return { kind: 'stream', status: 200, headers: stateHeaders(state), body: Readable.from([text]) };
}

/** An answer that is too large to be kept comes without an id. */
async function kept(
  submitted: Submitted,
  response: SearchResponse,
  runtime: Runtime,
): Promise<GatewayResponse> {
  const collected = await collectAnswer(writeResponse(response));
  if (collected.kind === 'large') return complete(submitted, collected.pieces);
  const outcome = answered(collected.text);
  const id = runtime.asyncSearches.keep(submitted, outcome);
  return complete(submitted, [outcome.text], { id, completedAt: outcome.completedAt });
}

function complete(
  { startedAt, expiresAt }: Submitted,
  pieces: AsyncIterable<string> | readonly string[],
  kept: Pick<EnvelopeOf, 'id' | 'completedAt'> = { completedAt: Date.now() },
): GatewayResponse {
  const state: EnvelopeOf = { ...kept, startedAt, expiresAt, isAnswered: true };
  const body = Readable.from(enveloped(envelopeStart(state, 'response'), pieces));
  return { kind: 'stream', status: 200, headers: stateHeaders(state), body };
}

async function* enveloped(
  start: string,
  pieces: AsyncIterable<string> | readonly string[],
): AsyncGenerator<string> {
  let before = start;
  for await (const piece of pieces) {
    yield before + piece;
    before = '';
  }
  yield `${before}}`;
}
