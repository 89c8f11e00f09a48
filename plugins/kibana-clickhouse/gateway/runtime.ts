import type { Executor } from '../clickhouse/execution/executor';
import type { Table } from '../clickhouse/catalog/table';
import type { Log } from '../common/log';
import type { Authorization } from '../metadata/authorization';
import type { Elasticsearch } from '../metadata/forward';
import type { PluginConfig } from '../../../schema/plugin-config';
import type { ServedIndexes } from './index-expression';

/**
 * Everything that answers requests of one configuration. What it holds is made on first use, so that
 * a configuration that cannot be used fails the requests that need it, with a 500 that names the
 * field, and no others.
 */
export interface Runtime {
  readonly config: PluginConfig;
  /** Writes from the configuration's `log_level` upward. */
  readonly log: Log;
  readonly executor: Executor;
  /** Undefined where `metadata_config.hosts` names no Elasticsearch. */
  readonly elasticsearch: Elasticsearch | undefined;
  /** Undefined where everyone who reaches the route may read (`authorization: none`). */
  readonly authorization: Authorization | undefined;
  /** Whitelisted and not blacklisted, by exact name. */
  readonly served: ServedIndexes;
  /** The table behind a whitelisted name. 404 `index_not_found_exception` when there is none. */
  table(index: string): Promise<Table>;
  /** Whether the exact name is served from ClickHouse: whitelisted and not blacklisted. */
  serves(index: string): boolean;
  /** Ends all connections. */
  close(): Promise<void>;
}
