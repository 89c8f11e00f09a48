import { searchContextMissing } from '../../common/errors/catalogue';
import { isJsonObject } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';
import type { GatewayRequest } from '../endpoints/definition';
import type { Runtime } from '../runtime';
import { searchedIndex } from '../searched-index';
import { indexOfPointInTime } from './point-in-time-id';

/**
 * The index that a search's point in time names; undefined where the search has none of ours and belongs to Elasticsearch. 404 in
 * Elasticsearch's words where the index is not served any more.
 */
export function searchedPointInTime(
  { body }: Pick<GatewayRequest, 'body'>,
  runtime: Pick<Runtime, 'served'>,
): string | undefined {
  const index = indexOfPointInTime(idIn(body));
  if (index !== undefined && searchedIndex(index, runtime.served) === undefined)
    throw searchContextMissing();
  return index;
}

/** Empty where there is none; what cannot be read is Elasticsearch's to refuse. */
function idIn(body: Buffer): string {
  if (!body.includes('"pit"')) return '';
  try {
    const search = parseJson(body);
    const pit = isJsonObject(search) ? search['pit'] : undefined;
    const id = isJsonObject(pit) ? pit['id'] : undefined;
    return typeof id === 'string' ? id : '';
  } catch {
    return '';
  }
}
