import type { ElasticsearchClient } from './elasticsearch-client';

/** A client in use: it stays open until it is released, even when the settings name another cluster meanwhile. */
export interface ElasticsearchClientLease {
  readonly client: ElasticsearchClient;
  readonly release: () => void;
}

/**
 * Gives the client of the metadata cluster as the settings name it now; undefined where there is none.
 * Throws an `ElasticsearchError` for a configuration that cannot be used.
 */
export type TakeElasticsearchClient = () => ElasticsearchClientLease | undefined;

/** Runs something with a client and releases it whatever happens. Undefined where there is no cluster. */
export async function withElasticsearch<T>(
  take: TakeElasticsearchClient,
  use: (client: ElasticsearchClient) => Promise<T>,
): Promise<T | undefined> {
  const lease = take();
  if (!lease) return undefined;
  try {
    return await use(lease.client);
  } finally {
    lease.release();
  }
}
