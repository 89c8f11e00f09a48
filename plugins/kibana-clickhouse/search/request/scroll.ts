import { unsupported, shardIllegalArgument, validationError } from '../../common/errors/catalogue';
import { parseTimeValue } from '../../common/time/time-value';
import { booleanParameter } from './coerce';
import type { SearchRequest } from './search-request';

/** Elasticsearch's default of `search.max_keep_alive`, in ms. */
const longestMs = 24 * 60 * 60_000;

/**
 * How long a scroll or a point in time is to be kept. Nothing is kept, so only what Elasticsearch would refuse matters: text that is
 * no time, and more than a day.
 */
export function checkKeepAlive(text: string, parameter: 'keep_alive' | 'scroll'): void {
  if (parseTimeValue(text, parameter) > longestMs)
    throw shardIllegalArgument(
      `Keep alive for request (${text}) is too large. It must be less than (1d). This limit can be set by changing the [search.max_keep_alive] cluster level setting.`,
    );
}

/** Throws Elasticsearch's 400 (7.17 SearchRequest.validate) for what cannot be scrolled. */
export function checkScroll(
  { from, size, totalHits, pointInTime, searchAfter, terminateAfter }: SearchRequest,
  parameters: ReadonlyMap<string, string>,
): void {
  const cache = parameters.get('request_cache');
  const wrong = [
    ...(totalHits.kind === 'exact'
      ? []
      : ['disabling [track_total_hits] is not allowed in a scroll context']),
    ...(from > 0 ? ['using [from] is not allowed in a scroll context'] : []),
    ...(size === 0 ? ['[size] cannot be [0] in a scroll context'] : []),
    ...(cache !== undefined && booleanParameter(cache)
      ? ['[request_cache] cannot be used in a scroll context']
      : []),
    ...(pointInTime === undefined
      ? []
      : ['using [point in time] is not allowed in a scroll context']),
  ];
  if (wrong.length > 0) throw validationError(wrong);
  if (searchAfter) throw shardIllegalArgument('`search_after` cannot be used in a scroll context.');
  if (terminateAfter !== undefined) throw unsupported('[terminate_after] of a scroll');
}
