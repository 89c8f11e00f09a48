import type { PluginConfig } from '../../../../schema/plugin-config';
import { pemText } from '../../common/pem';
import { createElasticsearchStore } from './elasticsearch-store';
import { createFileStore } from './file-store';
import { noStore } from './no-store';
import type { SettingsStore } from './settings-store';

/** What decides where settings are kept. */
export type StoreConfig = Pick<PluginConfig, 'metadata_config' | 'settings_suffix' | 'state_file'>;

/**
 * The store of a configuration: Elasticsearch where `metadata_config.hosts` names one, else the file
 * of `state_file`, else none. Opens nothing and never throws: a store that cannot be made says so in
 * every call. `shards`: of the index, when it is created.
 */
export function openStore(
  { metadata_config, settings_suffix = '', state_file = '' }: StoreConfig,
  shards: () => number,
): SettingsStore {
  const { hosts = [], headers = {}, ca } = metadata_config ?? {};
  if (hosts.length === 0) return state_file === '' ? noStore : createFileStore(state_file);
  const index = settings_suffix === '' ? 'proxy-settings' : `proxy-settings-${settings_suffix}`;
  try {
    return createElasticsearchStore({
      ...{ hosts, headers, index, shards },
      ...(ca !== undefined && { ca: pemText('metadata_config.ca', ca) }),
    });
  } catch (error) {
    return failingStore(error instanceof Error ? error : new Error('no store'));
  }
}

function failingStore(error: Error): SettingsStore {
  const fail = (): Promise<never> => Promise.reject(error);
  return { kind: 'elasticsearch', read: fail, write: fail, close: () => Promise.resolve() };
}
