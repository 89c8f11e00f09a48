import type { Executor } from '../clickhouse/execution/executor';
import type { Table } from '../clickhouse/catalog/table';
import type { Log } from '../common/log';
import type { Metrics } from '../common/metrics';
import type { Authorization } from '../metadata/authorization';
import type { BlackList } from '../metadata/black-list/black-list';
import type { Elasticsearch } from '../metadata/forward';
import type { NamesElsewhere } from '../metadata/names-elsewhere';
import type { SettingsService } from '../metadata/settings/settings-service';
import type { PluginConfig } from '../../../schema/plugin-config';
import type { AsyncSearches } from './async-search/async-searches';
import type { ServedIndexes } from './index-expression';
import type { PartStatus } from './connections/part-status';

/**
 * What answers one request: the parts of its configuration, as the settings in force say when the
 * request comes. A part is made on first use, so that a configuration that cannot be used fails the
 * requests that need it, with a 500 that names the field, and no others. The connections stay open
 * until the request has ended, even when the settings name others meanwhile.
 */
export interface Runtime {
  readonly config: PluginConfig;
  /** Writes from the configuration's `log_level` upward. */
  readonly log: Log;
  readonly settings: SettingsService;
  readonly metrics: Metrics;
  /** Runs the statements of searches: with the query blacklist and the monitor around it. */
  readonly executor: Executor;
  readonly blackList: BlackList;
  readonly asyncSearches: AsyncSearches;
  /** Undefined where there is no metadata cluster. */
  readonly elasticsearch: Elasticsearch | undefined;
  /** What expressions name there; undefined where there is no metadata cluster. */
  readonly namesElsewhere: NamesElsewhere | undefined;
  /** Undefined where everyone who reaches the route may read (`authorization: none`). */
  readonly authorization: Authorization | undefined;
  /** Whitelisted and not blacklisted, by exact name. */
  readonly served: ServedIndexes;
  /** The table behind a whitelisted name. 404 `index_not_found_exception` when there is none. */
  table(index: string): Promise<Table>;
  /** The same for work that outlives the request; to be released once, when that has ended. */
  detach(): Lease;
  /** Whether SAMPLE reads fewer rows of a table that has a SAMPLE BY. */
  sampleReadsLess(table: Table): Promise<boolean>;
  /** Whether the exact name is served from ClickHouse: whitelisted and not blacklisted. */
  serves(index: string): boolean;
  /** Asks every part whether it works; for `/health`. Takes 5 s at most. */
  check(): Promise<readonly PartStatus[]>;
}

/** A runtime in use; released once, when what it was taken for has ended. */
export interface Lease {
  readonly runtime: Runtime;
  readonly release: () => void;
}

/** For whom a runtime answers. */
export interface RuntimeCaller {
  readonly role: 'proxy' | 'admin';
  /** Kong's authenticated consumer. */
  readonly consumer?: string | undefined;
  /** Of the Service that the request came through, in ms. */
  readonly readTimeoutMs?: number;
  /** Address of the Elasticsearch that is the Service, where the configuration names none. */
  readonly elasticsearch?: string;
}

/** The parts of one configuration, which outlive requests. */
export interface RuntimeHost {
  /** The runtime of one request; to be released when the request has ended. */
  lease(caller: RuntimeCaller): Lease;
  /** Whether a connection is in use that the settings do not name any more, because theirs fails. */
  readonly isKeepingOldConnection: boolean;
  /** Whether something works on that no request waits for. */
  readonly isWorking: boolean;
  /** Ends all connections. The settings are not closed with it. */
  close(): Promise<void>;
}
