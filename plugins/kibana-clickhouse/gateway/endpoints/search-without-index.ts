import { Readable } from 'node:stream';
import { requireKnownParameters, searchParameters } from '../../search/request/url-parameters';
import { writeResponse } from '../../search/response/write-response';
import { contentTypeRefusal } from '../answer-process/content-type';
import { searchedPointInTime } from '../cursors/searched-point-in-time';
import { searchIndex } from '../search-index';
import { denied, sendOn } from '../send-on';
import type { EndpointHandler } from './definition';

/** `GET|POST /_search`: ours where the body has a point in time of ours, which names the index; all else is Elasticsearch's. */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const index = searchedPointInTime(request, runtime);
    if (index === undefined) return sendOn(request, runtime);
    const refusal = contentTypeRefusal(request, 'json');
    if (refusal) return refusal;
    const { path, query: parameters, body } = request;
    requireKnownParameters(path, parameters, searchParameters);
    const search = { index, body, parameters, isWithoutIndex: true } as const;
    const outcome = await searchIndex(search, request, runtime);
    if (outcome.kind === 'denied') return denied(outcome, request);
    return { kind: 'stream', status: 200, body: Readable.from(writeResponse(outcome.response)) };
  },
};
