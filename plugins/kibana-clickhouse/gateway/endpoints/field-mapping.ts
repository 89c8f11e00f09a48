import { unsupported } from '../../common/errors/catalogue';
import { fieldMappings } from '../../search/mapping';
import { booleanParameter, listParameter } from '../../search/request/coerce';
import { commonParameters, indicesParameters } from '../../search/request/url-parameters';
import { clusterParameters, typed } from './mapping';
import { byIndex, filtered, onIndexes } from './on-indexes';

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  ...clusterParameters,
  'include_defaults',
  'include_type_name',
];

/** `GET /{index}/_mapping/field/{fields}`: the mappings of single fields, by names and patterns. */
export const handler = onIndexes(parameters, async (names, request, runtime) => {
  const { query, params } = request;
  if (booleanParameter(query.get('include_defaults') ?? 'false'))
    throw unsupported('[include_defaults] of a mapping: a table has no options of a mapping');
  const fields = listParameter(params['fields'] ?? '');
  const body = await byIndex(names, async (index) => ({
    mappings: typed(fieldMappings(await runtime.table(index), fields), query),
  }));
  return filtered(request, body);
});
