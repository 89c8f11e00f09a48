import { illegalArgument } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';

/** A header's name and its value, which is not checked yet. */
export type HeaderPair = readonly [name: string, value: JsonValue];

/** What the connection itself sets. */
const NOT_ALLOWED: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Headers as the settings keep them. Throws a 400 for a name that comes twice, in whatever case, for
 * one that the connection sets itself, and for a value that is no text.
 */
export function pairsToHeaders(
  pairs: readonly HeaderPair[],
  name: string,
): Readonly<Record<string, string>> {
  const seen = new Set<string>();
  return Object.fromEntries(
    pairs.map(([header, value]) => {
      const key = header.toLowerCase();
      if (NOT_ALLOWED.has(key))
        throw illegalArgument(
          `[${name}] cannot hold [${header}], which the connection sets itself`,
        );
      if (seen.has(key))
        throw illegalArgument(`[${name}] has the header [${header}] more than once`);
      seen.add(key);
      if (typeof value !== 'string')
        throw illegalArgument(`[${name}] must have a text as value of [${header}]`);
      return [header, value];
    }),
  );
}
