import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonValue } from '../../../common/json/json';
import { toInteger } from '../../request/coerce';
import { stringOf } from '../../values/field-value';

/** Bits that say which signs of simple_query_string mean something (Elasticsearch 7.17 SimpleQueryStringFlag). */
export type SimpleFlags = number;

export const simpleFlags = {
  NONE: 0,
  AND: 1,
  NOT: 2,
  OR: 4,
  PREFIX: 8,
  PHRASE: 16,
  PRECEDENCE: 32,
  ESCAPE: 64,
  WHITESPACE: 128,
  FUZZY: 256,
  NEAR: 512,
  SLOP: 512,
  ALL: -1,
} as const satisfies Readonly<Record<string, number>>;

const byName: ReadonlyMap<string, number> = new Map(Object.entries(simpleFlags));

/** Reads `flags`: `OR|AND|PREFIX` in any letter case, or the sum of the bits. Of no name at all, all of them. */
export function parseSimpleFlags(value: JsonValue): SimpleFlags {
  if (typeof value === 'number') return toInteger(value, 'flags');
  const names = stringOf(value).split('|');
  if (names.length === 1 && names[0] === '') return simpleFlags.ALL;
  return names.map(flagOf).reduce((all, one) => all | one, 0);
}

function flagOf(name: string): number {
  const flag = byName.get(name.toUpperCase());
  if (flag === undefined) throw illegalArgument(`Unknown simple_query_string flag [${name}]`);
  return flag;
}
