import { parsingError, unsupported } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { fieldCaps, type FieldCapsRequest } from '../../search/field-caps';
import { listParameter, toStrings } from '../../search/request/coerce';
import { fieldCapsParameters, requireKnownParameters } from '../../search/request/url-parameters';
import { optionalJson } from '../search-index';
import { searchedIndex } from '../searched-index';
import { denialOf, denied, sendOn } from '../send-on';
import { json, type EndpointHandler, type GatewayRequest } from './definition';

/**
 * `GET|POST /{index}/_field_caps`: the fields of one table. `fields` stands in the query string
 * (Elasticsearch 6.8 to 7.17) or in the body (8 and later). `index_filter` only ever leaves out whole
 * indices, and may be ignored.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const index = searchedIndex(request.params['index'] ?? '', runtime.served);
    if (index === undefined) return sendOn(request, runtime);
    requireKnownParameters(request.path, request.query, fieldCapsParameters);
    const asked = readRequest(request);
    const denial = await denialOf(index, request, runtime);
    if (denial) return denied(denial, request);
    return json(fieldCaps(await runtime.table(index), index, asked));
  },
};

const BODY_KEYS: ReadonlySet<string> = new Set([
  'fields',
  'filters',
  'index_filter',
  'runtime_mappings',
  'types',
]);

function readRequest({ query, body }: GatewayRequest): FieldCapsRequest {
  if (query.get('filter_path')) throw unsupported('[filter_path] of a _field_caps request');
  const content = checkedBody(optionalJson(body) ?? {});
  const list = (name: string): readonly string[] => {
    const parameter = query.get(name);
    if (parameter !== undefined) return listParameter(parameter);
    const value = content[name];
    return value === undefined ? [] : toStrings(value, name);
  };
  return { fields: list('fields'), types: list('types'), filters: list('filters') };
}

function checkedBody(body: JsonValue): JsonObject {
  if (!isJsonObject(body))
    throw parsingError(
      `Expected [START_OBJECT] but found [${isJsonArray(body) ? 'START_ARRAY' : 'VALUE'}]`,
    );
  const unknown = Object.keys(body).find((key) => !BODY_KEYS.has(key));
  if (unknown !== undefined) throw parsingError(`[field_caps_request] unknown field [${unknown}]`);
  const mappings = body['runtime_mappings'];
  if (isJsonObject(mappings) && Object.keys(mappings).length > 0)
    throw unsupported('[runtime_mappings] of a _field_caps request');
  return body;
}
