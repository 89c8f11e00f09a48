import { Readable } from 'node:stream';
import { requireKnownParameters, searchParameters } from '../../search/request/url-parameters';
import { writeResponse } from '../../search/response/write-response';
import { firstPage } from '../cursors/scroll-pages';
import { searchIndex } from '../search-index';
import { searchedIndex } from '../searched-index';
import { denied, sendOn } from '../send-on';
import type { EndpointHandler } from './definition';

/** `GET|POST /{index}/_search`: one index in ClickHouse, by its exact name. With `scroll` the first page of many. */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const index = searchedIndex(request.params['index'] ?? '', runtime.served);
    if (index === undefined) return sendOn(request, runtime);
    const { path, query: parameters, body } = request;
    requireKnownParameters(path, parameters, searchParameters);
    if (parameters.has('scroll')) return firstPage(index, request, runtime);
    const outcome = await searchIndex({ index, body, parameters }, request, runtime);
    if (outcome.kind === 'denied') return denied(outcome, request);
    return { kind: 'stream', status: 200, body: Readable.from(writeResponse(outcome.response)) };
  },
};
