import type { Settings } from '../../../../schema/settings';
import { createCatalog, type Catalog } from '../../clickhouse/catalog/load-catalog';
import type { TableOptions } from '../../clickhouse/catalog/build-table';
import { createExecutor } from '../../clickhouse/execution/clickhouse-executor';
import { countedExecutor } from '../../clickhouse/execution/counted-executor';
import type { Executor } from '../../clickhouse/execution/executor';
import { internalError } from '../../common/errors/catalogue';
import type { Metrics } from '../../common/metrics';
import { clickHouseUrl } from '../clickhouse-address';
import type { ConnectionKind } from './followed-connection';

export type ClickHouseOptions = Settings['proxy']['ck'];

/** ClickHouse at one address, and what is known of its tables. */
export interface ClickHouseConnection {
  readonly executor: Executor;
  /** The tables as the settings say to read them; another catalogue after these have changed. */
  catalog(settings: Settings): Catalog;
  /** Resolves when ClickHouse answers `SELECT 1`; else throws an `ElasticsearchError` that says why. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** How connections to ClickHouse are made; their statements are counted. */
export const clickHouseKind = (
  metrics: Metrics,
): ConnectionKind<ClickHouseOptions, ClickHouseConnection> => ({
  open: (options) => openClickHouse(options, metrics),
  probe: (connection) => connection.ping(),
  close: (connection) => connection.close(),
});

/** As many as the two pools may let run (`threadPool.*.coreSize`), and some for the catalogue: the pools decide. */
const MAX_CONNECTIONS = 2_100;

function openClickHouse(options: ClickHouseOptions, metrics: Metrics): ClickHouseConnection {
  const { url: address, user, pass, defaultCkDatabase } = options;
  const url = clickHouseUrl(address);
  if (url === undefined)
    throw internalError(
      '[kibana-clickhouse] the setting proxy.ck.url is no address: expected host:port or http(s)://host:port, without user and password',
    );
  const executor = createExecutor({ url, user, pass, maxConnections: MAX_CONNECTIONS });
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
