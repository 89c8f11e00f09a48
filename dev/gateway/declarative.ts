import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../plugins/kibana-clickhouse/common/json/json';

/** A declarative kong.yml as it was parsed: nothing is checked and no default is filled in yet. */
export type DeclarativeConfig = JsonObject;

/** What a kong.yml says that cannot be honoured: every problem with its place, one a line. */
export class DeclarativeConfigError extends Error {
  override readonly name = 'DeclarativeConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['in the declarative configuration:', ...problems.map((line) => `  ${line}`)].join('\n'));
    this.problems = problems;
  }
}

/** The key in the shipped kong.yml: it is no working key and the gateway refuses to start with it. */
export const PLACEHOLDER_KEY = 'REPLACE-ME';

/** The group that the shipped kong.yml lets use the admin routes. */
export const ADMIN_GROUP = 'kibana-clickhouse-admin';

const PLUGIN_NAME = 'kibana-clickhouse';

/** Parses a kong.yml's text. Anchors, aliases and merge keys work as in Kong. Throws DeclarativeConfigError. */
export function parseDeclarativeConfig(text: string): DeclarativeConfig {
  let parsed: unknown;
  try {
    parsed = parse(text, { merge: true });
  } catch (error) {
    throw new DeclarativeConfigError([error instanceof Error ? error.message : String(error)]);
  }
  // Aliases are one object in memory; each place gets its own.
  const copied = JSON.parse(JSON.stringify(parsed ?? null)) as JsonValue;
  if (!isJsonObject(copied)) throw new DeclarativeConfigError(['expected a map of entities']);
  return copied;
}

/** Reads a kong.yml; throws DeclarativeConfigError with the file's name when it cannot be read or parsed. */
export function readDeclarativeConfig(path: string): DeclarativeConfig {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new DeclarativeConfigError([error instanceof Error ? error.message : String(error)]);
  }
  return parseDeclarativeConfig(text);
}

/** What a start command lays over a kong.yml. */
export interface Overrides {
  /**
   * Laid over the config of every kibana-clickhouse plugin, record by record; null unsets a field.
   * For example `{ settings: { proxy: { ck: { url } } }, metadata_config: null }`.
   */
  readonly pluginConfig?: JsonObject;
  /** The same, but only where the kong.yml says nothing. */
  readonly pluginDefaults?: JsonObject;
  /** Replaces the placeholder key; without one it becomes a further key of the admin group's consumer. */
  readonly adminKey?: string;
}

/** `over` laid upon `base`, record by record; arrays and scalars are replaced whole. */
function merged(base: JsonObject, over: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const present = result[key];
    result[key] = isJsonObject(value) ? merged(isJsonObject(present) ? present : {}, value) : value;
  }
  return result;
}

function overridePlugin(plugin: JsonValue, overrides: Overrides): JsonValue {
  if (!isJsonObject(plugin) || plugin['name'] !== PLUGIN_NAME) return plugin;
  const config = isJsonObject(plugin['config']) ? plugin['config'] : {};
  const withDefaults = merged(overrides.pluginDefaults ?? {}, config);
  return { ...plugin, config: merged(withDefaults, overrides.pluginConfig ?? {}) };
}

const list = (value: JsonValue | undefined): readonly JsonValue[] =>
  isJsonArray(value) ? value : [];

/** Rewrites the plugins of the record itself and of the Services and Routes below it. */
function overridePlugins(holder: JsonValue, overrides: Overrides): JsonValue {
  if (!isJsonObject(holder)) return holder;
  const result: Record<string, JsonValue> = { ...holder };
  if (isJsonArray(result['plugins'])) {
    result['plugins'] = result['plugins'].map((plugin) => overridePlugin(plugin, overrides));
  }
  for (const below of ['services', 'routes']) {
    if (!isJsonArray(result[below])) continue;
    result[below] = result[below].map((inner) => overridePlugins(inner, overrides));
  }
  return result;
}

const isPlaceholder = (credential: JsonValue): boolean =>
  isJsonObject(credential) && credential['key'] === PLACEHOLDER_KEY;

const isAdmin = (consumer: JsonValue): boolean =>
  isJsonObject(consumer) &&
  list(consumer['acls']).some((acl) => isJsonObject(acl) && acl['group'] === ADMIN_GROUP);

/** Whether a consumer still has the placeholder key of the shipped kong.yml. */
export function hasPlaceholderKey(config: DeclarativeConfig): boolean {
  return list(config['consumers']).some(
    (consumer) =>
      isJsonObject(consumer) && list(consumer['keyauth_credentials']).some(isPlaceholder),
  );
}

function withAdminKey(config: DeclarativeConfig, key: string): DeclarativeConfig {
  const consumers = list(config['consumers']);
  const replaces = hasPlaceholderKey(config);
  const first = consumers.findIndex(isAdmin);
  const changed = consumers.map((consumer, index) => {
    if (!isJsonObject(consumer)) return consumer;
    const keys = list(consumer['keyauth_credentials']);
    if (replaces && keys.some(isPlaceholder)) {
      const replaced = keys.map((one) =>
        isPlaceholder(one) ? { ...(one as JsonObject), key } : one,
      );
      return { ...consumer, keyauth_credentials: replaced };
    }
    if (replaces || index !== first) return consumer;
    return { ...consumer, keyauth_credentials: [...keys, { key }] };
  });
  return { ...config, consumers: changed };
}

/** The kong.yml with a start command's overrides laid over it; the given one stays as it is. */
export function overrideDeclarativeConfig(
  config: DeclarativeConfig,
  overrides: Overrides,
): DeclarativeConfig {
  const plugins = overridePlugins(config, overrides) as DeclarativeConfig;
  return overrides.adminKey === undefined ? plugins : withAdminKey(plugins, overrides.adminKey);
}
