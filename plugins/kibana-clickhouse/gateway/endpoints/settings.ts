import { listParameter } from '../../search/request/coerce';
import { commonParameters, indicesParameters } from '../../search/request/url-parameters';
import { settingsOf, shownSettings } from '../index-settings';
import { clusterParameters } from './mapping';
import { filtered, onIndexes } from './on-indexes';

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  ...clusterParameters,
  'flat_settings',
  'include_defaults',
];

/**
 * `GET /{index}/_settings[/{name}]`: what a table has of the settings of an index. Maps reads the limits of a page from
 * them, and takes Elasticsearch's defaults, which are ours, where they are absent.
 */
export const handler = onIndexes(parameters, async (names, request, runtime) => {
  const { query, params } = request;
  const asked = listParameter(params['name'] ?? '');
  const patterns = asked.includes('_all') ? [] : asked;
  const shown = await Promise.all(
    names.map(async (index) => {
      const settings = settingsOf(index, await runtime.table(index));
      return [index, shownSettings(settings, query, patterns)] as const;
    }),
  );
  return filtered(
    request,
    Object.fromEntries(
      shown.flatMap(([index, settings]) => (settings ? [[index, settings] as const] : [])),
    ),
  );
});
