import { shardIllegalArgument } from '../../common/errors/catalogue';
import type { SearchRequest } from './search-request';

/** Elasticsearch's default of `index.max_result_window`. */
const maxResultWindow = 10_000;

/**
 * Refuses pages beyond the first 10,000 hits, also where no hits are asked for, and a page that begins both at a number and behind a
 * hit (a 500 of Elasticsearch 7.17).
 */
export function checkWindow({
  from,
  size,
  searchAfter,
}: Pick<SearchRequest, 'from' | 'searchAfter' | 'size'>): void {
  if (searchAfter && from > 0)
    throw shardIllegalArgument('`from` parameter must be set to 0 when `search_after` is used.');
  if (from + size <= maxResultWindow) return;
  throw shardIllegalArgument(
    `Result window is too large, from + size must be less than or equal to: [${String(maxResultWindow)}] but was [${String(from + size)}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
  );
}
