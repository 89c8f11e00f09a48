import { illegalArgument } from '../../common/errors/catalogue';
import type { JsonObject } from '../../common/json/json';
import { maskSettings, maskText, maskValues } from '../../metadata/settings/mask';
import type { PluginConfig } from '../../../../schema/plugin-config';
import type { Settings } from '../../../../schema/settings';
import { refuseBody, requireParameters } from './config-parameters';
import { shownElasticsearch } from './config-present';
import { json, type EndpointHandler } from './definition';

/**
 * `GET /config/all`: the settings in force, in the specification's groups and names. Secrets are
 * masked: the password when there is one, every header value, user and password inside an address.
 * `?explain` adds where each value comes from, by dotted path: `admin`, `kong.yml` or `default`.
 */
export const handler: EndpointHandler = {
  async handle(request, { config, settings }) {
    requireParameters(request, ['explain']);
    refuseBody(request);
    const explains = readExplain(request.query.get('explain'));
    await settings.ready();
    const shown = shownSettings(settings.current(), config);
    return json(explains ? { ...shown, sources: Object.fromEntries(settings.sources()) } : shown);
  },
};

function readExplain(text = 'false'): boolean {
  if (text === '' || text === 'true') return true;
  if (text === 'false') return false;
  throw illegalArgument(
    'Failed to parse value of parameter [explain] as only [true] or [false] are allowed.',
  );
}

/** The metadata cluster is shown also where it is the one of `metadata_config`. */
function shownSettings(settings: Settings, config: PluginConfig): JsonObject {
  const { host, headers } = shownElasticsearch({ settings, config });
  const { proxy, ...others } = maskSettings(settings);
  return {
    ...others,
    proxy: {
      ...proxy,
      es: {
        host: maskText(host, 'address'),
        headers: Object.entries(maskValues(headers)).map(([name, value]) => ({ [name]: value })),
      },
    },
  };
}
