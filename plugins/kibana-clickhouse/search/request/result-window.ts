import { shardIllegalArgument } from '../../common/errors/catalogue';
import type { SearchRequest } from './search-request';

/** Elasticsearch's default of `index.max_result_window`. */
const maxResultWindow = 10_000;

/** Refuses pages beyond the first 10,000 hits, also where no hits are asked for. */
export function checkWindow({ from, size }: Pick<SearchRequest, 'from' | 'size'>): void {
  if (from + size <= maxResultWindow) return;
  throw shardIllegalArgument(
    `Result window is too large, from + size must be less than or equal to: [${String(maxResultWindow)}] but was [${String(from + size)}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
  );
}
