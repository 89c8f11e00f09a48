import { Readable } from 'node:stream';
import { parseTimeValue } from '../../common/time/time-value';
import { asyncSearchParameters, requireKnownParameters } from '../../search/request/url-parameters';
import { writeResponse } from '../../search/response/write-response';
import { searchIndex } from '../search-index';
import { searchedIndex } from '../searched-index';
import { denied, sendOn } from '../send-on';
import type { EndpointHandler } from './definition';

/** How long Elasticsearch keeps an answer when the request does not say: five days, in ms. */
const DEFAULT_KEEP_ALIVE_MS = 5 * 24 * 60 * 60_000;

/**
 * `POST /{index}/_async_search`: answered complete and without an id, as Elasticsearch answers a
 * search that ends within `wait_for_completion_timeout`; Kibana then never asks again. A search that
 * fails is the plain error, which Elasticsearch allows too.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const index = searchedIndex(request.params['index'] ?? '', runtime.served);
    if (index === undefined) return sendOn(request, runtime);
    const { path, query, body } = request;
    requireKnownParameters(path, query, asyncSearchParameters);
    const startedAt = Date.now();
    const expiresAt = startedAt + keepAliveMs(query.get('keep_alive'));
    const parameters = new Map([...query].filter(([name]) => !OWN.has(name)));
    const outcome = await searchIndex({ index, body, parameters }, request, runtime);
    if (outcome.kind === 'denied') return denied(outcome, request);
    const before = envelopeStart(startedAt, expiresAt, Date.now());
    const pieces = writeResponse(outcome.response, { before, after: '}' });
    return { kind: 'stream', status: 200, body: Readable.from(pieces) };
  },
};

/** Parameters of the asynchronous search itself. */
const OWN: ReadonlySet<string> = new Set([
  'keep_alive',
  'keep_on_completion',
  'return_intermediate_results',
  'wait_for_completion_timeout',
]);

const keepAliveMs = (text: string | undefined): number =>
  text === undefined ? DEFAULT_KEEP_ALIVE_MS : parseTimeValue(text, 'keep_alive');

/** Times in epoch ms. `completion_time_in_millis` is Elasticsearch 8's; older clients do not read it. */
const envelopeStart = (startedAt: number, expiresAt: number, completedAt: number): string =>
  `{"is_partial":false,"is_running":false,"start_time_in_millis":${String(startedAt)},` +
  `"expiration_time_in_millis":${String(expiresAt)},"completion_time_in_millis":${String(completedAt)},"response":`;
