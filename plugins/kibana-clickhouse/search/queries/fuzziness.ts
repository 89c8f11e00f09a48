import { failedQuery, illegalArgument, parseError } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { tokenName } from '../request/coerce';
import { parseNumber } from '../values/number-value';

/** `AUTO` by the length of a word in code points (`AUTO:3,6` by default), or a number. */
export type Fuzziness =
  | { readonly kind: 'auto'; readonly low: number; readonly high: number }
  | { readonly kind: 'fixed'; readonly text: string };

export const defaultFuzziness: Fuzziness = { kind: 'auto', low: 3, high: 6 };

/** Reads a `fuzziness` (Elasticsearch 7.17 Fuzziness.parse); a number is looked at only by `editsOf`. */
export function parseFuzziness(value: JsonValue): Fuzziness {
  if (typeof value === 'object' || typeof value === 'boolean')
    throw illegalArgument(`Can't parse fuzziness on token: [${tokenName(value)}]`);
  const text = String(value).toUpperCase();
  if (text === '') throw illegalArgument("fuzziness can't be null!");
  if (text === 'AUTO') return defaultFuzziness;
  return text.startsWith('AUTO:') ? parseLimits(text.slice(5)) : { kind: 'fixed', text };
}

function parseLimits(text: string): Fuzziness {
  const [low, high, ...rest] = text.split(',');
  if (low === undefined || high === undefined || rest.length > 0)
    throw parseError('failed to find low and high distance values');
  const limits = { low: Number(low), high: Number(high) };
  if (!/^\d{1,9}$/.test(low) || !/^\d{1,9}$/.test(high))
    throw parseError(`failed to parse [${text}] as a "auto:int,int"`);
  if (limits.low < 1 || limits.high < 1 || limits.low > limits.high)
    throw illegalArgument(
      'fuzziness wrongly configured, must be: lowDistance > 0, highDistance > 0 and lowDistance <= highDistance ',
    );
  return { kind: 'auto', ...limits };
}

/** How many letters of a word may differ: 0, 1 or 2. Throws for text that is no number, and below 0. */
export function editsOf(fuzziness: Fuzziness, word: string): number {
  if (fuzziness.kind === 'auto') {
    const { length } = Array.from(word);
    if (length < fuzziness.low) return 0;
    return length < fuzziness.high ? 1 : 2;
  }
  const edits = Math.trunc(parseNumber(fuzziness.text).double);
  if (edits < 0) throw failedQuery('maxEdits must be between 0 and 2');
  return Math.min(edits, 2);
}
