import { authorizationOf, type PluginConfig } from '../../../schema/plugin-config';
import { pluginConfigProblems } from '../../../schema/plugin-config-problems';
import { createCatalog, type Catalog } from '../clickhouse/catalog/load-catalog';
import {
  createExecutor,
  type ClickHouseExecutor,
} from '../clickhouse/execution/clickhouse-executor';
import { indexNotFound, internalError } from '../common/errors/catalogue';
import { logAtLevel, type Log } from '../common/log';
import { Authorization } from '../metadata/authorization';
import { Elasticsearch } from '../metadata/forward';
import { clickHouseUrl } from './clickhouse-address';
import { servedIndexes } from './index-expression';
import type { Runtime } from './runtime';

const DEFAULT_URL = 'localhost:8123';
const DEFAULT_DATABASE = 'default';

/**
 * Wires what answers requests of one configuration. Opens nothing and never throws: each part is made
 * when it is first asked for, and then throws a 500 that names the field it cannot use.
 */
export function createRuntime(config: PluginConfig, log: Log): Runtime {
  const valid = once(() => checked(config));
  const executor = once(() => makeExecutor(valid.value()));
  const catalog = once(() => makeCatalog(valid.value(), executor.value()));
  const elasticsearch = once(() => makeElasticsearch(valid.value()));
  const authorization = once(() => makeAuthorization(valid.value(), elasticsearch.value()));
  const served = once(() => servedIndexes(valid.value().settings?.proxy ?? {}));
  return {
    config,
    log: logAtLevel(log, config.log_level),
    get executor() {
      return executor.value();
    },
    get elasticsearch() {
      return elasticsearch.value();
    },
    get authorization() {
      return authorization.value();
    },
    get served() {
      return served.value();
    },
    serves: (index) => served.value().has(index),
    table: async (index) => {
      const table = await catalog.value().table(index);
      if (table) return table;
      throw indexNotFound(index, 'ClickHouse has no table of that name');
    },
    close: async () => {
      catalog.made?.close();
      await Promise.all([executor.made?.close(), elasticsearch.made?.close()]);
    },
  };
}

function checked(config: PluginConfig): PluginConfig {
  const problems = pluginConfigProblems(config);
  if (problems.length === 0) return config;
  throw unusable(problems.join('; '));
}

function makeExecutor(config: PluginConfig): ClickHouseExecutor {
  const { url: address = DEFAULT_URL, user, pass } = config.settings?.proxy?.ck ?? {};
  const url = clickHouseUrl(address);
  if (url === undefined)
    throw unusable(
      'settings.proxy.ck.url is no address: expected host:port or http(s)://host:port, without user and password',
    );
  return createExecutor({
    url,
    ...(user !== undefined && { user }),
    ...(pass !== undefined && { pass }),
  });
}

const makeCatalog = (config: PluginConfig, executor: ClickHouseExecutor): Catalog =>
  createCatalog(executor, config.settings?.proxy?.ck?.defaultCkDatabase ?? DEFAULT_DATABASE);

function makeElasticsearch(config: PluginConfig): Elasticsearch | undefined {
  const hosts = config.metadata_config?.hosts ?? [];
  return hosts.length === 0 ? undefined : new Elasticsearch(hosts);
}

function makeAuthorization(
  config: PluginConfig,
  elasticsearch: Elasticsearch | undefined,
): Authorization | undefined {
  if (authorizationOf(config) === 'none') return undefined;
  if (elasticsearch) return new Authorization(elasticsearch);
  throw unusable(
    'authorization is elasticsearch, but metadata_config.hosts names no Elasticsearch to ask',
  );
}

const unusable = (problem: string): ReturnType<typeof internalError> =>
  internalError(`[kibana-clickhouse] the plugin configuration cannot be used: ${problem}`);

interface Once<T> {
  /** Makes it on first use; after a failure the next use tries again. */
  readonly value: () => T;
  /** What was made, if anything. */
  readonly made: T | undefined;
}

function once<T>(make: () => T): Once<T> {
  let made: { readonly value: T } | undefined;
  return {
    value: () => (made ??= { value: make() }).value,
    get made() {
      return made?.value;
    },
  };
}
