import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { storeUnavailable } from '../../common/errors/catalogue';
import { elasticsearchProblem, type ElasticsearchClient } from '../elasticsearch-client';
import { withElasticsearch, type TakeElasticsearchClient } from '../elasticsearch-client-lease';
import type {
  AsyncSearchChange,
  AsyncSearchOutcome,
  AsyncSearchRecord,
  AsyncSearchStore,
} from './async-search-store';

/** Where the searches of all nodes stand. */
export const ASYNC_SEARCH_INDEX = 'proxy-async-search';

/** Nothing but the time can be searched. Answers are gzip in base64. */
const MAPPINGS = {
  dynamic: false,
  properties: { expiresAt: { type: 'date' }, text: { type: 'binary' } },
} as const;

const zipped = promisify<Buffer, Buffer>(gzip);
const unzipped = promisify<Buffer, Buffer>(gunzip);

interface StoredSearch extends Omit<AsyncSearchRecord, 'outcome'> {
  readonly outcome?: Omit<AsyncSearchOutcome, 'text'>;
  readonly text?: string;
}

/** Searches in one index of Elasticsearch or OpenSearch, one document each; made with the first one. */
export function elasticsearchAsyncSearchStore(
  take: TakeElasticsearchClient,
  shards: () => number,
): AsyncSearchStore {
  const use = async <T>(call: (client: ElasticsearchClient) => Promise<T>): Promise<T> => {
    const result = await withElasticsearch(take, async (client) => ({ value: await call(client) }));
    if (!result) throw storeUnavailable('[kibana-clickhouse] no Elasticsearch is configured');
    return result.value;
  };
  const index = ASYNC_SEARCH_INDEX;
  return {
    create: (id, record) =>
      use(async (client) => {
        await ensureIndex(client, shards());
        await client.index({ index, id, op_type: 'create', document: await stored(record) });
      }),
    read: (id) =>
      use(async (client) => {
        const found = await client.get<StoredSearch>({ index, id }, { ignore: [404] });
        return found._source && restored(found._source);
      }),
    expiries: (ids) =>
      use(async (client) => {
        const { docs } = await client.mget<Pick<StoredSearch, 'expiresAt'>>({
          index,
          ids: [...ids],
          _source: ['expiresAt'],
        });
        return new Map(
          docs.flatMap((one) =>
            '_source' in one ? [[one._id, one._source.expiresAt] as const] : [],
          ),
        );
      }),
    update: (id, change) =>
      use(async (client) => {
        const doc = await stored(change);
        const { statusCode } = await client.update(
          { index, id, doc, retry_on_conflict: 5 },
          { ignore: [404], meta: true },
        );
        return statusCode !== 404;
      }),
    remove: (id) =>
      use(async (client) => {
        const { statusCode } = await client.delete({ index, id }, { ignore: [404], meta: true });
        return statusCode !== 404;
      }),
    removeExpired: (now) =>
      use(async (client) => {
        await client.deleteByQuery({
          index,
          query: { range: { expiresAt: { lte: now, format: 'epoch_millis' } } },
          conflicts: 'proceed',
          ignore_unavailable: true,
        });
      }),
  };
}

async function ensureIndex(client: ElasticsearchClient, shards: number): Promise<void> {
  const index = ASYNC_SEARCH_INDEX;
  if (await client.indices.exists({ index })) return;
  const settings = { number_of_shards: shards, auto_expand_replicas: '0-1' };
  try {
    await client.indices.create({ index, settings, mappings: MAPPINGS });
  } catch (error) {
    if (elasticsearchProblem(error).type !== 'resource_already_exists_exception') throw error;
  }
}

async function stored<T extends AsyncSearchChange>({ outcome, ...rest }: T) {
  if (!outcome) return rest;
  const { text, ...ended } = outcome;
  const bytes = await zipped(Buffer.from(text));
  return { ...rest, outcome: ended, text: bytes.toString('base64') };
}

async function restored({ text, outcome, ...rest }: StoredSearch): Promise<AsyncSearchRecord> {
  if (!outcome || text === undefined) return rest;
  const bytes = await unzipped(Buffer.from(text, 'base64'));
  return { ...rest, outcome: { ...outcome, text: bytes.toString() } };
}
