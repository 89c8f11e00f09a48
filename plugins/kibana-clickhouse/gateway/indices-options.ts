import { illegalArgument } from '../common/errors/catalogue';
import { booleanParameter, listParameter } from '../search/request/coerce';

/** What a request says about the names of its index expression (Elasticsearch's `IndicesOptions`). */
export interface IndicesOptions {
  /** Names that are not there, or may not be read, are left out. */
  readonly ignoreUnavailable: boolean;
  /** A pattern may match nothing. */
  readonly allowNoIndices: boolean;
  /** Whether patterns stand for open indexes, which all tables are. */
  readonly expandsOpen: boolean;
  /** Whether patterns are taken for names (`expand_wildcards=none`). */
  readonly expandsNothing: boolean;
}

const states: readonly string[] = ['open', 'closed', 'hidden', 'none', 'all'];

/** Reads `ignore_unavailable`, `allow_no_indices` and `expand_wildcards` of a query string. Throws 400 for other values. */
export function indicesOptions(query: ReadonlyMap<string, string>): IndicesOptions {
  const expand = listParameter(query.get('expand_wildcards') ?? 'open');
  const unknown = expand.find((state) => !states.includes(state));
  if (unknown !== undefined) throw illegalArgument(`No valid expand wildcard value [${unknown}]`);
  // `none` takes away what stands before it
  const counted = expand.slice(expand.lastIndexOf('none') + 1);
  return {
    ignoreUnavailable: switchOf(query, 'ignore_unavailable', false),
    allowNoIndices: switchOf(query, 'allow_no_indices', true),
    expandsNothing: counted.length === 0,
    expandsOpen: counted.some((state) => state === 'open' || state === 'all'),
  };
}

const switchOf = (
  query: ReadonlyMap<string, string>,
  name: string,
  byDefault: boolean,
): boolean => {
  const text = query.get(name);
  return text === undefined ? byDefault : booleanParameter(text);
};
