import type { SearchRequest } from '../request/search-request';
import type { SearchResponse } from '../response/search-response';

/** The answer of a search whose patterns match no index (Elasticsearch 7.17): no hits, and no aggregations. `startedAt`: epoch ms. */
export const noIndexes = (
  { totalHits, totalAsInteger }: Pick<SearchRequest, 'totalAsInteger' | 'totalHits'>,
  startedAt: number,
): SearchResponse => ({
  tookMs: Math.max(0, Date.now() - startedAt),
  total: totalHits.kind === 'none' ? undefined : { value: 0, relation: 'eq' },
  totalAsInteger,
  maxScore: '0.0',
  hits: nothing,
  sampling: 1,
  cache: false,
  shards: 0,
});

const end: IteratorResult<readonly string[]> = { done: true, value: undefined };
const nothing: AsyncIterable<readonly string[]> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(end) }),
};
