import type { PluginConfig } from '../../../../schema/plugin-config';
import type { JsonObject } from '../../common/json/json';
import { json, type EndpointHandler } from './definition';

const MASK = '******';

/**
 * `GET /config/all`: the configuration in force, in the specification's groups and names. Secrets are
 * masked: the password when there is one, every header value, user and password inside an address.
 */
export const handler: EndpointHandler = {
  handle: (_request, { config }) => Promise.resolve(json(configurationOf(config))),
};

type ProxySettings = NonNullable<NonNullable<PluginConfig['settings']>['proxy']>;

/** Features that are not there are shown as what they are: off. */
function configurationOf({ settings, metadata_config: elasticsearch }: PluginConfig): JsonObject {
  const { whiteIndexList = null, blackIndexList = null, ck } = settings?.proxy ?? {};
  return {
    query: { sampleIndexPatterns: [], useCache: false },
    proxy: {
      enableMonitoring: false,
      whiteIndexList,
      blackIndexList,
      es: elasticsearchOf(elasticsearch),
      ck: clickHouseOf(ck),
    },
    threadPool: {},
  };
}

function elasticsearchOf({
  hosts = [],
  headers = {},
}: PluginConfig['metadata_config'] = {}): JsonObject {
  return {
    host: hosts.map(maskedAddress).join(','),
    headers: Object.keys(headers).map((name) => ({ [name]: MASK })),
  };
}

function clickHouseOf(connection: ProxySettings['ck'] = {}): JsonObject {
  const { url = 'localhost:8123', user = 'default', pass = '' } = connection;
  return {
    url: maskedAddress(url),
    user,
    pass: pass === '' ? '' : MASK,
    defaultCkDatabase: connection.defaultCkDatabase ?? 'default',
  };
}

const maskedAddress = (address: string): string =>
  address.replace(/^([a-z]+:\/\/)?[^/@]*@/i, `$1${MASK}@`);
