import { resourceNotFound } from '../../common/errors/catalogue';
import type { AsyncSearchRecord } from '../../metadata/async-search/async-search-store';
import type { GatewayRequest } from '../endpoints/definition';
import type { Runtime } from '../runtime';
import { denialOf } from '../send-on';
import type { Denial } from '../../metadata/authorization';

/** A search of the caller's, or why it may not be seen. */
export type FoundSearch = { readonly kind: 'found'; readonly record: AsyncSearchRecord } | Denial;

/**
 * The search of an id, for one who may see it: the consumer who began it, while the index is served and Elasticsearch lets the
 * caller read it. 404 in Elasticsearch's words for all others, and where there is none.
 */
export async function findSearch(
  id: string,
  request: GatewayRequest,
  runtime: Runtime,
  find: () => Promise<AsyncSearchRecord | undefined> = () => runtime.asyncSearches.find(id),
): Promise<FoundSearch> {
  const record = await find();
  if (!record || record.consumer !== request.consumer || !runtime.serves(record.index))
    throw resourceNotFound(id);
  return (await denialOf(record.index, request, runtime)) ?? { kind: 'found', record };
}
