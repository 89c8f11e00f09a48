import type { PluginConfig } from '../../../schema/plugin-config';
import type { Log } from '../common/log';
import type { Metrics } from '../common/metrics';
import type { AsyncSearchStore } from '../metadata/async-search/async-search-store';
import { elasticsearchAsyncSearchStore } from '../metadata/async-search/elasticsearch-async-search-store';
import { fileAsyncSearchStore } from '../metadata/async-search/file-async-search-store';
import { BlackList } from '../metadata/black-list/black-list';
import type { BlackListStore } from '../metadata/black-list/black-list-store';
import { elasticsearchBlackListStore } from '../metadata/black-list/elasticsearch-black-list-store';
import { fileBlackListStore } from '../metadata/black-list/file-black-list-store';
import type { TakeElasticsearchClient } from '../metadata/elasticsearch-client-lease';
import { Monitor } from '../metadata/monitor/monitor';
import { SharedResults } from '../metadata/results/shared-results';
import type { SettingsService } from '../metadata/settings/settings-service';
import { AsyncSearches } from './async-search/async-searches';
import type { Followed } from './connections/followed-connection';
import type { MetadataConnection } from './connections/metadata-cluster';
import { createStatementPools, type StatementPools } from './execution/statement-pools';

/** What of one configuration works beside requests. */
export interface Background {
  readonly monitor: Monitor;
  readonly blackList: BlackList;
  readonly pools: StatementPools;
  /** Results of statements that nodes share. */
  readonly sharedResults: SharedResults;
  readonly asyncSearches: AsyncSearches;
  close(): Promise<void>;
}

export interface BackgroundParts {
  readonly config: PluginConfig;
  readonly settings: SettingsService;
  readonly metadata: Followed<MetadataConnection | undefined>;
  readonly metrics: Metrics;
  readonly log: Log;
}

/**
 * Makes the monitor, the query blacklist and the shared results, which use the metadata cluster that the settings name, and the
 * pools.
 */
export function startBackground({
  config,
  settings,
  metadata,
  metrics,
  log,
}: BackgroundParts): Background {
  const take = clientOf(metadata);
  const shards = (): number => settings.current().defaultShard;
  const monitor = new Monitor({
    take,
    log,
    settings: () => {
      const { enableMonitoring, monitorRetentionDays } = settings.current().proxy;
      return { enabled: enableMonitoring, retentionDays: monitorRetentionDays, shards: shards() };
    },
  });
  const blackList = new BlackList({
    store: blackListStore(config, take, shards),
    isEnabled: () => settings.current().proxy.enableBlackList,
    log,
  });
  const pools = createStatementPools(settings, metrics);
  const sharedResults = new SharedResults({ take, shards, log });
  const asyncSearches = new AsyncSearches({ store: asyncSearchStore(config, take, shards), log });
  const stopObserving = observed(metrics, { monitor, blackList, sharedResults });
  return {
    monitor,
    blackList,
    pools,
    sharedResults,
    asyncSearches,
    close: async () => {
      pools.close();
      await asyncSearches.close();
      await Promise.all([monitor.close(), blackList.close(), sharedResults.close()]);
      stopObserving();
    },
  };
}

/** The plugin's own client of the metadata cluster that is in use now. */
const clientOf =
  (metadata: Followed<MetadataConnection | undefined>): TakeElasticsearchClient =>
  () => {
    const { connection, release } = metadata.take();
    if (connection) return { client: connection.client, release };
    release();
    return undefined;
  };

/** Beside the settings: in the metadata cluster, else in a file next to theirs, else nowhere. */
function blackListStore(
  { metadata_config, state_file = '' }: PluginConfig,
  take: TakeElasticsearchClient,
  shards: () => number,
): () => BlackListStore | undefined {
  const inElasticsearch = elasticsearchBlackListStore({ take, shards });
  if ((metadata_config?.hosts ?? []).length > 0) return () => inElasticsearch;
  const inFile = state_file === '' ? undefined : fileBlackListStore(`${state_file}.black-list`);
  return () => {
    const lease = take();
    lease?.release();
    return lease ? inElasticsearch : inFile;
  };
}

/** Beside the settings, too; without a store searches are known to this node alone. */
function asyncSearchStore(
  { metadata_config, state_file = '' }: PluginConfig,
  take: TakeElasticsearchClient,
  shards: () => number,
): () => AsyncSearchStore | undefined {
  const inElasticsearch = elasticsearchAsyncSearchStore(take, shards);
  if ((metadata_config?.hosts ?? []).length > 0) return () => inElasticsearch;
  const inFiles =
    state_file === '' ? undefined : fileAsyncSearchStore(`${state_file}.async-search`);
  return () => {
    const lease = take();
    lease?.release();
    return lease ? inElasticsearch : inFiles;
  };
}

function observed(
  metrics: Metrics,
  {
    monitor,
    blackList,
    sharedResults,
  }: Pick<Background, 'monitor' | 'blackList' | 'sharedResults'>,
): () => void {
  const stops = [
    metrics.observe({
      name: 'monitor_queue_records',
      kind: 'gauge',
      help: 'Monitoring records that wait to be written.',
      read: () => monitor.status().queued,
    }),
    metrics.observe({
      name: 'monitor_records_written_total',
      kind: 'counter',
      help: 'Monitoring records that were written.',
      read: () => monitor.status().written,
    }),
    metrics.observe({
      name: 'monitor_records_dropped_total',
      kind: 'counter',
      help: 'Monitoring records lost because the queue was full.',
      read: () => monitor.status().dropped,
    }),
    metrics.observe({
      name: 'monitor_records_rejected_total',
      kind: 'counter',
      help: 'Monitoring records that Elasticsearch did not take.',
      read: () => monitor.status().rejected,
    }),
    metrics.observe({
      name: 'black_list_refused_total',
      kind: 'counter',
      help: 'Searches that an entry of the query blacklist refused.',
      read: () => blackList.status().refused,
    }),
    ...observedSharing(metrics, sharedResults),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const observedSharing = (
  metrics: Metrics,
  sharedResults: SharedResults,
): readonly (() => void)[] => [
  metrics.observe({
    name: 'shared_results_hits_total',
    kind: 'counter',
    help: 'Statements that were answered from results of other nodes.',
    read: () => sharedResults.status().hits,
  }),
  metrics.observe({
    name: 'shared_results_written_total',
    kind: 'counter',
    help: 'Results that were left for other nodes.',
    read: () => sharedResults.status().written,
  }),
  metrics.observe({
    name: 'shared_results_dropped_total',
    kind: 'counter',
    help: 'Results that were not left for other nodes.',
    read: () => sharedResults.status().dropped,
  }),
];
