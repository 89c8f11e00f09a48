import { illegalArgument } from '../../common/errors/catalogue';
import type { SettingsStore } from './settings-store';

/** Where neither Elasticsearch nor a file is configured: kong.yml rules, and every write is a 400 that says so. */
export const noStore: SettingsStore = {
  kind: 'none',
  read: () => Promise.resolve({ stored: undefined, token: undefined }),
  write: () =>
    Promise.reject(
      illegalArgument(
        '[kibana-clickhouse] the settings cannot be changed, because nothing is configured to keep them: name Elasticsearch in metadata_config.hosts, or without Elasticsearch a file in state_file',
      ),
    ),
  close: () => Promise.resolve(),
};
