import { searchContextMissing } from '../../common/errors/catalogue';
import { isJsonObject, type JsonObject } from '../../common/json/json';
import { booleanParameter } from '../../search/request/coerce';
import { checkKeepAlive } from '../../search/request/scroll';
import { commonParameters, requireKnownParameters } from '../../search/request/url-parameters';
import { contentTypeRefusal } from '../answer-process/content-type';
import { listedIds } from '../cursors/listed-ids';
import { isScrollId, parseScrollId } from '../cursors/scroll-id';
import { nextPage } from '../cursors/scroll-pages';
import type { Runtime } from '../runtime';
import { optionalJson } from '../search-index';
import { sendOn } from '../send-on';
import {
  json,
  type EndpointHandler,
  type GatewayRequest,
  type GatewayResponse,
} from './definition';

const parameters: readonly string[] = [
  ...commonParameters,
  'rest_total_hits_as_int',
  'scroll',
  'scroll_id',
];

/**
 * `GET|POST /_search/scroll`: the page behind the one that gave the id, in the body or the query string. Without `scroll` it is the last
 * one that has an id. `DELETE` ends scrolls: of ours nothing has to be freed, and ending one again says the same. Ids of
 * Elasticsearch are sent on.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const { body, query, method } = request;
    const given = query.get('scroll_id');
    const listed =
      body.length === 0 && given !== undefined
        ? listedIds(Buffer.from(JSON.stringify({ id: given.split(',') })), 'id', isScrollId)
        : listedIds(body, 'scroll_id', isScrollId);
    if (listed.kind === 'elsewhere') return sendOn(request, runtime);
    const refusal = contentTypeRefusal(request, 'json');
    if (refusal) return refusal;
    requireKnownParameters(request.path, query, parameters);
    if (method === 'DELETE') return json({ succeeded: true, num_freed: listed.ids.length });
    return read(listed.ids[0] ?? '', request, runtime);
  },
};

function read(id: string, request: GatewayRequest, runtime: Runtime): Promise<GatewayResponse> {
  const scroll = parseScrollId(id);
  if (!scroll) throw searchContextMissing();
  const asInteger = request.query.get('rest_total_hits_as_int');
  const options = {
    goesOn: keepsAlive(request),
    totalAsInteger: asInteger !== undefined && booleanParameter(asInteger),
  };
  return nextPage(scroll, options, request, runtime);
}

/** Whether the request asks for more pages: in its body, or the query string. */
function keepsAlive({ body, query }: GatewayRequest): boolean {
  const content = optionalJson(body);
  const own: JsonObject = isJsonObject(content) ? content : {};
  const text = own['scroll'] ?? query.get('scroll');
  if (typeof text === 'string') checkKeepAlive(text, 'scroll');
  return text !== undefined;
}
