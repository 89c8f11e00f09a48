import { monitorMapping } from '../../../../schema/monitor-record';
import { elasticsearchProblem, type ElasticsearchClient } from '../elasticsearch-client';

/** Alias of all indexes of monitoring records. */
export const MONITOR_ALIAS = 'proxy-monitor';

const PATTERN = `${MONITOR_ALIAS}-*`;
const OWN_NAME = /^proxy-monitor-(\d{4})\.(\d{2})\.(\d{2})$/;
const DAY_MS = 24 * 60 * 60_000;
/** Counts up when the mapping or the settings of the template change. */
const TEMPLATE_VERSION = 1;
/** Above the templates of Elasticsearch's own (100 to 200), which match other names anyway. */
const TEMPLATE_PRIORITY = 500;
const OWNER = 'kibana-clickhouse';
/** Names in one request: its path stays below Elasticsearch's 4 KiB. */
const NAMES_AT_ONCE = 50;

/** The index of the day, in UTC: `proxy-monitor-2026.11.21`. */
export const monitorIndex = (epochMs: number): string =>
  `${MONITOR_ALIAS}-${new Date(epochMs).toISOString().slice(0, 10).replaceAll('-', '.')}`;

/**
 * Sees to the composable template of the monitor's indexes (Elasticsearch 7.8 and later, OpenSearch).
 * One of that name that an operator has made is left as it is. Indexes have `shards` shards when they
 * are created.
 */
export async function ensureTemplate(client: ElasticsearchClient, shards: number): Promise<void> {
  const found = await client.indices.getIndexTemplate({ name: MONITOR_ALIAS }, { ignore: [404] });
  // absent where the answer is a 404
  const present = (found as Partial<typeof found>).index_templates?.[0]?.index_template;
  if (present && !isOutdated(present, shards)) return;
  await client.indices.putIndexTemplate({
    name: MONITOR_ALIAS,
    index_patterns: [PATTERN],
    priority: TEMPLATE_PRIORITY,
    version: TEMPLATE_VERSION,
    _meta: { managed_by: OWNER, shards },
    template: {
      aliases: { [MONITOR_ALIAS]: {} },
      mappings: monitorMapping,
      settings: {
        number_of_shards: shards,
        auto_expand_replicas: '0-1',
        codec: 'best_compression',
        refresh_interval: '5s',
      },
    },
  });
}

interface PresentTemplate {
  readonly version?: number;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

const isOutdated = ({ version = 0, _meta: meta }: PresentTemplate, shards: number): boolean =>
  meta?.['managed_by'] === OWNER && (version < TEMPLATE_VERSION || meta['shards'] !== shards);

/** Makes an index where it does not exist: `action.auto_create_index` may forbid that a record makes it. */
export async function ensureIndex(client: ElasticsearchClient, index: string): Promise<void> {
  try {
    await client.indices.create({ index });
  } catch (error) {
    if (elasticsearchProblem(error).type !== 'resource_already_exists_exception') throw error;
  }
}

/** Deletes the indexes of days more than `days` before today (UTC). Gives their names. */
export async function deleteOldIndexes(
  client: ElasticsearchClient,
  days: number,
  now: number,
): Promise<readonly string[]> {
  const known = await client.indices.getSettings({
    index: PATTERN,
    name: 'index.number_of_shards',
    allow_no_indices: true,
    expand_wildcards: 'all',
  });
  const oldest = Math.floor(now / DAY_MS) - days;
  const old = Object.keys(known).filter((name) => dayOf(name) < oldest);
  for (let at = 0; at < old.length; at += NAMES_AT_ONCE)
    await client.indices.delete({
      index: old.slice(at, at + NAMES_AT_ONCE),
      ignore_unavailable: true,
    });
  return old;
}

/** Days since the epoch; infinite for a name that is none of the monitor's. */
function dayOf(name: string): number {
  const [, year, month, day] = OWN_NAME.exec(name) ?? [];
  if (year === undefined) return Infinity;
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS;
}
