import { elasticsearchProblem, type ElasticsearchClient } from '../elasticsearch-client';

/** Results that end within the same quarter of an hour stand in one index, which is then deleted as a whole. */
export const SLICE_MS = 15 * 60_000;

const PREFIX = 'proxy-cache-';
const OWN_NAME = /^proxy-cache-(\d{4})\.(\d{2})\.(\d{2})-(\d{2})\.(\d{2})$/;
/** Names in one request: its path stays below Elasticsearch's 4 KiB. */
const NAMES_AT_ONCE = 50;

/** The index of results that end at that time (epoch ms), in UTC: `proxy-cache-2026.11.21-14.45`. */
export function sharedResultsIndex(expiresAt: number): string {
  const start = new Date(Math.floor(expiresAt / SLICE_MS) * SLICE_MS).toISOString();
  return `${PREFIX}${start.slice(0, 10).replaceAll('-', '.')}-${start.slice(11, 16).replace(':', '.')}`;
}

/** Nothing of a result can be searched: it is only got by its key. */
const MAPPINGS = {
  dynamic: false,
  properties: { expiresAt: { type: 'date' }, value: { type: 'binary' } },
} as const;

/** Makes an index where it does not exist. A lost result costs a query, so there is no replica of it. */
export async function ensureSharedResultsIndex(
  client: ElasticsearchClient,
  index: string,
  shards: number,
): Promise<void> {
  const settings = { number_of_shards: shards, number_of_replicas: 0, refresh_interval: '10s' };
  try {
    await client.indices.create({ index, settings, mappings: MAPPINGS });
  } catch (error) {
    if (elasticsearchProblem(error).type !== 'resource_already_exists_exception') throw error;
  }
}

/** Deletes the indexes whose results have all ended. Gives the names of those that are left. */
export async function deleteEndedIndexes(
  client: ElasticsearchClient,
  now: number,
): Promise<readonly string[]> {
  const known = await client.indices.getSettings({
    index: `${PREFIX}*`,
    name: 'index.number_of_shards',
    allow_no_indices: true,
    expand_wildcards: 'all',
  });
  const names = Object.keys(known).filter((name) => OWN_NAME.test(name));
  const ended = names.filter((name) => endOf(name) <= now);
  for (let at = 0; at < ended.length; at += NAMES_AT_ONCE)
    await client.indices.delete({
      index: ended.slice(at, at + NAMES_AT_ONCE),
      ignore_unavailable: true,
    });
  return names.filter((name) => endOf(name) > now);
}

/** Bytes that all results take in Elasticsearch. */
export async function sharedResultsBytes(client: ElasticsearchClient): Promise<number> {
  const { _all: all } = await client.indices.stats({
    index: `${PREFIX}*`,
    metric: 'store',
    expand_wildcards: 'all',
  });
  return all.primaries?.store?.size_in_bytes ?? 0;
}

/** Epoch ms. */
function endOf(name: string): number {
  const [, ...parts] = OWN_NAME.exec(name) ?? [];
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, day, hour, minute) + SLICE_MS;
}
