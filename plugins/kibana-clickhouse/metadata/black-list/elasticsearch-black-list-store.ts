import { blackListMapping, MAX_BLACK_LIST_ENTRIES } from '../../../../schema/black-list-entry';
import { elasticsearchProblem, type ElasticsearchClient } from '../elasticsearch-client';
import { withElasticsearch, type TakeElasticsearchClient } from '../elasticsearch-client-lease';
import { documentOf, storedEntry, type BlackListStore } from './black-list-store';

/** The specification's name. */
export const BLACK_LIST_INDEX = 'proxy-black-list';

export interface ElasticsearchStoreOptions {
  readonly take: TakeElasticsearchClient;
  /** Shards of the index when it is created. */
  readonly shards: () => number;
}

class NoElasticsearch extends Error {}

/**
 * The query blacklist in the index `proxy-black-list`, one document for each entry. The index is made
 * with the first entry. What is written can be searched at once, so that every node finds it.
 */
export function elasticsearchBlackListStore({
  take,
  shards,
}: ElasticsearchStoreOptions): BlackListStore {
  const use = async <T>(call: (client: ElasticsearchClient) => Promise<T>): Promise<T> => {
    const result = await withElasticsearch(take, async (client) => ({ value: await call(client) }));
    if (!result) throw new NoElasticsearch();
    return result.value;
  };
  return {
    kind: 'elasticsearch',
    read: () => use(readEntries),
    add: (entry) =>
      use(async (client) => {
        await ensureIndex(client, shards());
        const made = await client.index(
          {
            index: BLACK_LIST_INDEX,
            id: entry.id,
            op_type: 'create',
            refresh: true,
            document: documentOf(entry),
          },
          { ignore: [409], meta: true },
        );
        return made.statusCode !== 409;
      }),
    remove: (id) =>
      use(async (client) => {
        const { statusCode } = await client.delete(
          { index: BLACK_LIST_INDEX, id, refresh: true },
          { ignore: [404], meta: true },
        );
        return statusCode !== 404;
      }),
    touch: (matchedAt) => use((client) => touchEntries(client, matchedAt)),
    reasonOf: (error) =>
      error instanceof NoElasticsearch
        ? 'no Elasticsearch is configured'
        : elasticsearchProblem(error).reason,
  };
}

async function readEntries(client: ElasticsearchClient) {
  const { hits } = await client.search(
    {
      index: BLACK_LIST_INDEX,
      size: MAX_BLACK_LIST_ENTRIES,
      ignore_unavailable: true,
      allow_no_indices: true,
    },
    // a part of the entries is not the list
    { querystring: { allow_partial_search_results: false } },
  );
  return hits.hits.flatMap(({ _id: id, _source: source }) => {
    const entry = id === undefined ? undefined : storedEntry(id, source);
    return entry ?? [];
  });
}

async function ensureIndex(client: ElasticsearchClient, shards: number): Promise<void> {
  if (await client.indices.exists({ index: BLACK_LIST_INDEX })) return;
  try {
    await client.indices.create({
      index: BLACK_LIST_INDEX,
      mappings: blackListMapping,
      settings: { number_of_shards: shards, auto_expand_replicas: '0-1' },
    });
  } catch (error) {
    if (elasticsearchProblem(error).type !== 'resource_already_exists_exception') throw error;
  }
}

async function touchEntries(
  client: ElasticsearchClient,
  matchedAt: ReadonlyMap<string, number>,
): Promise<void> {
  await client.bulk({
    operations: [...matchedAt].flatMap(([id, lastMatchedAt]) => [
      { update: { _index: BLACK_LIST_INDEX, _id: id, retry_on_conflict: 3 } },
      { doc: { lastMatchedAt } },
    ]),
  });
}
