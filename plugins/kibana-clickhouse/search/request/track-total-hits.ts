import { illegalArgument } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { toBoolean, toInteger } from './coerce';
import type { TotalHits } from './search-request';

const byDefault: TotalHits = { kind: 'upTo', limit: 10_000 };

/**
 * `track_total_hits`: true, false, a number, or these as strings; -1 is false. With
 * `rest_total_hits_as_int` the default is an exact count, and a number is refused
 * (Elasticsearch 7.17, `RestSearchAction.checkRestTotalHits`).
 */
export function parseTrackTotalHits(
  fromUrl: string | undefined,
  fromBody: JsonValue | undefined,
  asInteger: boolean,
  isScroll = false,
): TotalHits {
  // the body's own value must be right even where the URL has another one
  const own = fromBody === undefined ? undefined : parse(fromBody);
  const parsed = fromUrl === undefined ? own : parse(fromUrl);
  if (!asInteger) return parsed ?? (isScroll ? { kind: 'exact' } : byDefault);
  if (parsed?.kind === 'upTo')
    throw illegalArgument(
      `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${String(parsed.limit)}`,
    );
  return parsed ?? { kind: 'exact' };
}

function parse(value: JsonValue): TotalHits {
  const isSwitch = typeof value === 'boolean' || value === 'true' || value === 'false';
  if (isSwitch) return toBoolean(value, key) ? { kind: 'exact' } : { kind: 'none' };
  const limit = toInteger(value, key);
  if (limit === -1) return { kind: 'none' };
  if (limit < 0)
    throw illegalArgument(
      `[${key}] parameter must be positive or equals to -1, got ${String(limit)}`,
    );
  return { kind: 'upTo', limit };
}

const key = 'track_total_hits';
