import type { PluginConfig } from '../../../../schema/plugin-config';
import { authorizationOf } from '../../../../schema/plugin-config';
import type { Settings } from '../../../../schema/settings';
import { storeUnavailable } from '../../common/errors/catalogue';
import type { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import { pemText } from '../../common/pem';
import { Authorization } from '../../metadata/authorization';
import {
  createElasticsearchClient,
  elasticsearchProblem,
  type ElasticsearchClient,
} from '../../metadata/elasticsearch-client';
import { Elasticsearch } from '../../metadata/forward';
import { NamesElsewhere } from '../../metadata/names-elsewhere';
import type { ConnectionKind } from './followed-connection';

/** The metadata cluster of the settings. */
export interface MetadataOptions {
  /** None: there is no Elasticsearch. */
  readonly hosts: readonly string[];
  /** Of the plugin's own requests. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it decides who may read. */
  readonly authorizes: boolean;
  /** As `metadata_config.ca` says it. */
  readonly ca: string | undefined;
}

/** The metadata cluster at one address: for callers' requests, and for the plugin's own. */
export interface MetadataConnection {
  readonly elasticsearch: Elasticsearch;
  /** Undefined where everyone may read. */
  readonly authorization: Authorization | undefined;
  readonly names: NamesElsewhere;
  readonly client: ElasticsearchClient;
  /** Whether the plugin's own requests carry headers of the configuration: then these must be right. */
  readonly hasOwnHeaders: boolean;
}

/**
 * Where the settings say the metadata cluster is. `metadata_config.headers` are for
 * `metadata_config.hosts` alone: they may be credentials, and `es.host` is another's address.
 */
export function metadataOptions(config: PluginConfig, settings: Settings): MetadataOptions {
  const { host, headers } = settings.proxy.es;
  const hosts = host
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const own = Object.keys(headers).length > 0 ? headers : undefined;
  const { metadata_config } = config;
  const same = {
    authorizes: authorizationOf(config) === 'elasticsearch',
    ca: metadata_config?.ca,
  };
  return hosts.length > 0
    ? { hosts, headers, ...same }
    : {
        hosts: metadata_config?.hosts ?? [],
        headers: own ?? metadata_config?.headers ?? {},
        ...same,
      };
}

/** How connections to the metadata cluster are made; undefined where there is none. */
export const metadataKind: ConnectionKind<MetadataOptions, MetadataConnection | undefined> = {
  open: ({ hosts, headers, authorizes, ca: given }) => {
    if (hosts.length === 0) return undefined;
    const ca = given === undefined ? undefined : pemText('metadata_config.ca', given);
    const elasticsearch = new Elasticsearch(hosts, ca);
    const authorization = authorizes ? new Authorization(elasticsearch) : undefined;
    const names = new NamesElsewhere(elasticsearch);
    const client = createElasticsearchClient({
      ...{ hosts, headers },
      ...(ca !== undefined && { ca }),
    });
    const hasOwnHeaders = Object.keys(headers).length > 0;
    return { elasticsearch, authorization, names, client, hasOwnHeaders };
  },
  probe: async (connection, signal) => {
    if (!connection) return;
    const { refuses } = await pingMetadata(connection.client, signal);
    if (refuses && connection.hasOwnHeaders)
      throw storeUnavailable(
        '[kibana-clickhouse] Elasticsearch refuses the headers of the settings',
      );
  },
  close: async (connection) => {
    await Promise.all([connection?.elasticsearch.close(), connection?.client.close()]);
  },
};

/**
 * Resolves when the metadata cluster answers; else throws a 503 that says why, without its address. It
 * may refuse the plugin itself (401, 403): what callers ask for goes with their own credentials.
 */
export async function pingMetadata(
  client: ElasticsearchClient,
  signal: AbortSignal,
): Promise<{ readonly refuses: boolean }> {
  try {
    await client.info({}, { signal });
    return { refuses: false };
  } catch (error) {
    const { status, reason } = elasticsearchProblem(error);
    if (status === 401 || status === 403) return { refuses: true };
    throw down(reason, error);
  }
}

const down = (reason: string, cause: unknown): ElasticsearchError =>
  storeUnavailable(`[kibana-clickhouse] ${reason}`, cause);
