import type { PluginConfig } from '../../../../schema/plugin-config';
import type { Settings } from '../../../../schema/settings';
import { createCatalog, type Catalog } from '../../clickhouse/catalog/load-catalog';
import type { TableOptions } from '../../clickhouse/catalog/build-table';
import {
  type ClickHouseExecutor,
  createExecutor,
} from '../../clickhouse/execution/clickhouse-executor';
import type { TlsOptions } from '../../clickhouse/execution/connecting-agent';
import { countedExecutor } from '../../clickhouse/execution/counted-executor';
import type { Executor } from '../../clickhouse/execution/executor';
import { failoverExecutor } from '../../clickhouse/execution/failover-executor';
import { internalError } from '../../common/errors/catalogue';
import type { Metrics } from '../../common/metrics';
import { pemText } from '../../common/pem';
import { clickHouseUrls } from '../clickhouse-address';
import type { ClickHouseIdentity } from './clickhouse-identity';
import type { ConnectionKind } from './followed-connection';

export type ClickHouseOptions = Settings['proxy']['ck'];

/** ClickHouse as somebody sees it: tables and rows, and so the keys of maps. */
export interface ClickHouseAccess {
  readonly executor: Executor;
  /** The tables as the settings say to read them; another catalogue after these have changed. */
  catalog(settings: Settings): Catalog;
}

/** ClickHouse at its addresses, and what is known of its tables. */
export interface ClickHouseConnection extends ClickHouseAccess {
  /** With other rights than those of the user of the settings. */
  as(identity: ClickHouseIdentity): ClickHouseAccess;
  /**
   * Resolves when ClickHouse answers `SELECT 1`, with what is wrong with others of several servers; else throws an
   * `ElasticsearchError` that says why.
   */
  ping(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** How connections to ClickHouse are made; their statements are counted. `tls`: of https addresses. */
export const clickHouseKind = (
  metrics: Metrics,
  tls: PluginConfig['clickhouse'] = {},
): ConnectionKind<ClickHouseOptions, ClickHouseConnection> => ({
  open: (options) => openClickHouse(options, { metrics, tls: tlsOptions(tls) }),
  probe: async (connection) => {
    await connection.ping();
  },
  close: (connection) => connection.close(),
});

/** As many as the two pools may let run (`threadPool.*.coreSize`), and some for the catalogue: the pools decide. */
const MAX_CONNECTIONS = 2_100;

function tlsOptions({ ca, certificate, key }: NonNullable<PluginConfig['clickhouse']>): TlsOptions {
  return {
    ...(ca !== undefined && { ca: pemText('clickhouse.ca', ca) }),
    ...(certificate !== undefined && {
      certificate: pemText('clickhouse.certificate', certificate),
    }),
    ...(key !== undefined && { key: pemText('clickhouse.key', key) }),
  };
}

interface Made {
  readonly metrics: Metrics;
  readonly tls: TlsOptions;
}

function openClickHouse(options: ClickHouseOptions, made: Made): ClickHouseConnection {
  const own = openAccess(options, made);
  const others = new Map<string, ReturnType<typeof openAccess>>();
  return {
    ...own,
    as: (identity) => {
      const key = JSON.stringify([identity.user, identity.role]);
      const known = others.get(key);
      if (known) return known;
      const access = openAccess({ ...options, ...identity }, made, identity.role);
      others.set(key, access);
      return access;
    },
    close: async () => {
      await Promise.all([own, ...others.values()].map((access) => access.close()));
    },
  };
}

function openAccess(
  { url: addresses, user, pass, defaultCkDatabase }: ClickHouseOptions,
  { metrics, tls }: Made,
  role?: string,
): ClickHouseAccess & Pick<ClickHouseConnection, 'close' | 'ping'> {
  const urls = clickHouseUrls(addresses);
  if (urls === undefined)
    throw internalError(
      '[kibana-clickhouse] the setting proxy.ck.url is no address: expected host:port or http(s)://host:port, without user and password, several of them separated by commas',
    );
  const open = (url: string): ClickHouseExecutor =>
    createExecutor({
      ...{ url, user, pass, tls, maxConnections: MAX_CONNECTIONS },
      ...(role !== undefined && { role }),
    });
  const [first, ...others] = urls;
  const executor = failoverExecutor([open(first), ...others.map(open)]);
  const counted = countedExecutor(executor, metrics);
  let known: { readonly key: string; readonly catalog: Catalog } | undefined;
  return {
    executor: counted,
    catalog: (settings) => {
      const key = catalogKey(settings);
      if (known?.key === key) return known.catalog;
      known?.catalog.close();
      const catalog = createCatalog(counted, defaultCkDatabase, (index) =>
        tableOptions(settings, index),
      );
      known = { key, catalog };
      return catalog;
    },
    ping: () => executor.ping(),
    close: async () => {
      known?.catalog.close();
      await executor.close();
    },
  };
}

/** The settings that decide what is read of a table. */
const catalogKey = ({ proxy, tables }: Settings): string =>
  JSON.stringify([
    proxy.defaultTimeFieldName,
    proxy.ckibanaSyntax,
    Object.entries(tables).map(
      ([name, { timeField, idColumns, emptyIsMissing, ckibanaSyntax }]) => [
        name,
        timeField,
        idColumns,
        emptyIsMissing,
        ckibanaSyntax,
      ],
    ),
  ]);

/** What the settings say about the table of an index. */
function tableOptions({ proxy, tables }: Settings, index: string): TableOptions {
  const { defaultTimeFieldName } = proxy;
  const { timeField, idColumns, emptyIsMissing, ckibanaSyntax } = tables[index] ?? {};
  return {
    ...(timeField !== undefined && { timeField }),
    ...(defaultTimeFieldName !== '' && { defaultTimeFieldName }),
    ...(idColumns && { idColumns }),
    ...(emptyIsMissing !== undefined && { emptyIsMissing }),
    ckibanaSyntax: ckibanaSyntax ?? proxy.ckibanaSyntax,
  };
}
