import type { JsonObject } from '../../common/json/json';
import { commonParameters, requireKnownParameters } from '../../search/request/url-parameters';
import { contentTypeRefusal } from '../answer-process/content-type';
import { listedIds } from '../cursors/listed-ids';
import { indexOfPointInTime } from '../cursors/point-in-time-id';
import { sendOn } from '../send-on';
import { json, type EndpointHandler } from './definition';

/**
 * Ends points in time: `DELETE /_pit` with `{"id": "…"}` of Elasticsearch, `DELETE /_search/point_in_time` with `{"pit_id": ["…"]}` of
 * OpenSearch. Of ours nothing has to be freed, and ending one again says the same. Those of Elasticsearch are sent on; a list of
 * both is refused.
 */
const closing = (
  key: 'id' | 'pit_id',
  answer: (ids: readonly string[]) => JsonObject,
): EndpointHandler => ({
  async handle(request, runtime) {
    const listed = listedIds(request.body, key, (id) => indexOfPointInTime(id) !== undefined);
    if (listed.kind === 'elsewhere') return sendOn(request, runtime);
    const refusal = contentTypeRefusal(request, 'json');
    if (refusal) return refusal;
    requireKnownParameters(request.path, request.query, commonParameters);
    return json(answer(listed.ids));
  },
});

export const handler = closing('id', () => ({ succeeded: true, num_freed: 1 }));

export const openSearchHandler = closing('pit_id', (ids) => ({
  pits: ids.map((id) => ({ successful: true, pit_id: id })),
}));
