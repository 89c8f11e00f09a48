import { illegalArgument } from '../../common/errors/catalogue';
import { checkKeepAlive } from '../../search/request/scroll';
import {
  commonParameters,
  indicesParameters,
  requireKnownParameters,
} from '../../search/request/url-parameters';
import { pointInTimeId } from '../cursors/point-in-time-id';
import { searchedIndex } from '../searched-index';
import { denialOf, denied, sendOn } from '../send-on';
import { json, type EndpointHandler, type GatewayRequest } from './definition';

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  'allow_partial_pit_creation',
  'allow_partial_search_results',
  'keep_alive',
  'max_concurrent_shard_requests',
  'preference',
  'routing',
];

/**
 * Begins a point in time on one index: `POST /{index}/_pit` of Elasticsearch, `POST /{index}/_search/point_in_time` of OpenSearch.
 * Searches with it see the documents that there are when they run: nothing is frozen, and nothing has to be freed.
 */
const opening = (answer: (id: string) => ReturnType<typeof json>): EndpointHandler => ({
  async handle(request, runtime) {
    const index = searchedIndex(request.params['index'] ?? '', runtime.served);
    if (index === undefined) return sendOn(request, runtime);
    checkOpening(request);
    const denial = await denialOf(index, request, runtime);
    if (denial) return denied(denial, request);
    await runtime.table(index);
    return answer(pointInTimeId(index));
  },
});

function checkOpening({ path, query, body }: GatewayRequest): void {
  requireKnownParameters(path, query, parameters);
  const keepAlive = query.get('keep_alive');
  // a null_pointer_exception of Elasticsearch 7.17, a validation error since 8
  if (keepAlive === undefined) throw illegalArgument('[keep_alive] parameter must be non null');
  checkKeepAlive(keepAlive, 'keep_alive');
  if (body.length > 0)
    throw illegalArgument(`request [POST ${path}] does not support having a body`);
}

export const handler = opening((id) => json({ id }));

const shards = { total: 1, successful: 1, skipped: 0, failed: 0 };

export const openSearchHandler = opening((id) =>
  json({ pit_id: id, _shards: shards, creation_time: Date.now() }),
);
