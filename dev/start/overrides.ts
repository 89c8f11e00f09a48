import type { DeclarativeConfig, Overrides } from '../gateway/declarative';
import { isJsonArray, isJsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import type { JsonObject, JsonValue } from '../../plugins/kibana-clickhouse/common/json/json';
import type { StartOptions } from './options';
import type { SettingsHome } from './settings-home';
import type { EmbeddedStore } from './store';

/** What is laid over a kong.yml, and the line that says which of its values do not count. */
export interface PlannedOverrides {
  readonly overrides: Overrides;
  readonly replaced?: string;
}

export interface OverrideInput {
  readonly file: DeclarativeConfig;
  readonly options: StartOptions;
  readonly adminKey: string;
  /** The embedded ClickHouse; undefined when --clickhouse names another. */
  readonly store?: EmbeddedStore;
  /** For a kong.yml that names no place and no key for settings. */
  readonly settings: Pick<SettingsHome, 'stateFile' | 'secretKey'>;
  /** Tables to whitelist in place of the shipped list; undefined: the kong.yml rules. */
  readonly tables?: readonly string[];
}

/** Decides what a start lays over the plugin's configuration in a kong.yml. */
export function planOverrides(input: OverrideInput): PlannedOverrides {
  const { file, options, tables, settings } = input;
  const proxy: JsonObject = {
    ck: connection(input),
    ...(tables === undefined ? {} : { whiteIndexList: tables }),
  };
  const pluginConfig: JsonObject = {
    metadata_config: { hosts: options.elasticsearch },
    // without an Elasticsearch nobody can be asked who may read
    ...(options.elasticsearch.length === 0 ? { authorization: null } : {}),
    ...(options.elasticsearch.length === 0 && !isNamed(file, 'state_file')
      ? { state_file: settings.stateFile }
      : {}),
    ...(isNamed(file, 'secret_key') ? {} : { secret_key: settings.secretKey }),
    settings: { proxy },
  };
  const replaced = replacedLine(input);
  return {
    overrides: { pluginConfig, adminKey: input.adminKey },
    ...(replaced === undefined ? {} : { replaced }),
  };
}

function connection({ options, store }: OverrideInput): JsonObject {
  if (store !== undefined) {
    return {
      url: store.clickHouse.url,
      user: store.user,
      pass: store.password,
      defaultCkDatabase: 'default',
    };
  }
  const { url = '', user, password, database } = options.clickHouse ?? {};
  // the shipped file's user belongs to the shipped address
  const fallback: JsonObject =
    options.config === undefined ? { user: 'default', pass: '', defaultCkDatabase: 'default' } : {};
  return {
    ...fallback,
    url,
    ...(user === undefined ? {} : { user, pass: password ?? '' }),
    ...(database === undefined ? {} : { defaultCkDatabase: database }),
  };
}

/** Only for a file of the user's own: nobody waits for the addresses of the shipped one. */
function replacedLine({ file, options, store }: OverrideInput): string | undefined {
  if (options.config === undefined) return undefined;
  const names = (...path: readonly string[]): boolean => isNamed(file, ...path);
  const parts: string[] = [];
  if (store !== undefined && names('settings', 'proxy', 'ck', 'url')) {
    parts.push('settings.proxy.ck by the embedded ClickHouse (--clickhouse URL names another)');
  }
  if (options.elasticsearch.length === 0 && names('metadata_config', 'hosts')) {
    parts.push('metadata_config.hosts by none (--elasticsearch URL names one)');
  }
  if (options.elasticsearch.length === 0 && names('authorization')) {
    parts.push('authorization by none');
  }
  return parts.length === 0 ? undefined : `Replaced in ${options.config}: ${parts.join(', ')}`;
}

/** Whether any configuration of the plugin says something there. */
const isNamed = (file: DeclarativeConfig, ...path: readonly string[]): boolean =>
  pluginConfigs(file).some((config) => isSet(valueAt(config, path)));

const isSet = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && !(isJsonArray(value) && value.length === 0);

const valueAt = (config: JsonObject, path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (value, key) => (isJsonObject(value) ? value[key] : undefined),
    config,
  );

/** The configurations of the plugin wherever the file has them. */
function pluginConfigs(value: JsonValue): readonly JsonObject[] {
  if (isJsonArray(value)) return value.flatMap(pluginConfigs);
  if (!isJsonObject(value)) return [];
  const own = value['name'] === 'kibana-clickhouse' && isJsonObject(value['config']);
  return own ? [value['config'] as JsonObject] : Object.values(value).flatMap(pluginConfigs);
}
