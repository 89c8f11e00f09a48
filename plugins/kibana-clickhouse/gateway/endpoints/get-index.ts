import { mappingOf } from '../../search/mapping';
import { commonParameters, indicesParameters } from '../../search/request/url-parameters';
import { settingsOf, shownSettings } from '../index-settings';
import { clusterParameters, typed } from './mapping';
import { byIndex, filtered, onIndexes } from './on-indexes';

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  ...clusterParameters,
  'flat_settings',
  'include_defaults',
  'include_type_name',
];

/** `GET|HEAD /{index}`: aliases (none), mapping and settings of each table; 404 where there is no such index. */
export const handler = onIndexes(parameters, async (names, request, runtime) => {
  const { query } = request;
  const body = await byIndex(names, async (index) => {
    const table = await runtime.table(index);
    return {
      aliases: {},
      mappings: typed(mappingOf(table), query),
      ...shownSettings(settingsOf(index, table), query),
    };
  });
  return filtered(request, body);
});
