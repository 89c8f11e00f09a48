/** The settings that say which indexes are answered from ClickHouse; null and absent mean none. */
export interface IndexLists {
  readonly whiteIndexList?: readonly string[] | null | undefined;
  readonly blackIndexList?: readonly string[] | null | undefined;
}

/** The names that are answered from ClickHouse, made once per configuration. */
export type ServedIndexes = ReadonlySet<string>;

/**
 * Whitelisted and not blacklisted, both by exact name. Never served is a name that starts with a dot
 * (Kibana's own indexes), with `_`, `-` or `+` (no index: Elasticsearch's API paths and exclusions),
 * or that no path can name because a comma, a star or a colon is in it.
 */
export function servedIndexes(lists: IndexLists): ServedIndexes {
  const black = new Set(lists.blackIndexList ?? []);
  return new Set(
    (lists.whiteIndexList ?? []).filter((name) => !black.has(name) && canBeServed(name)),
  );
}

/** Whether a name can be served at all, whatever the lists say. */
export const canBeServed = (name: string): boolean => /^[^._+,*:-][^,*:]*$/.test(name);

/**
 * The served names that an index expression names, as Elasticsearch 7.17 to 9 resolves it
 * (`IndexNameExpressionResolver`): a comma list of names, wildcard patterns and, once a pattern has
 * been seen, exclusions (`logs*,-logs-old`). What names everything (`*`, `_all`, nothing at all) and
 * another cluster's indexes (`cluster:index`) name none: they belong to Elasticsearch. Date math
 * (`<logs-{now/d}>`) names what its rounded date could be.
 */
export const namedIndexes = (expression: string, served: ServedIndexes): ServedIndexes =>
  resolved(expression, served, false);

/**
 * The served names that an expression names where indexes are listed: as `namedIndexes`, and what names everything names
 * ours, too.
 */
export const listedIndexes = (expression: string, served: ServedIndexes): ServedIndexes =>
  expression === '_all' ? served : resolved(expression, served, true);

function resolved(
  expression: string,
  served: ServedIndexes,
  isEverythingOurs: boolean,
): ServedIndexes {
  const named = new Set<string>();
  let patternSeen = false;
  for (const part of expression.split(',')) {
    const isExclusion = patternSeen && part.startsWith('-');
    patternSeen ||= part.includes('*');
    const name = isExclusion ? part.slice(1) : part;
    for (const one of namesOfPart(name, served, isExclusion || isEverythingOurs))
      if (isExclusion) named.delete(one);
      else named.add(one);
  }
  return named;
}

/** Whether an expression needs more than a look-up of the whole. */
export const isPlainName = (expression: string): boolean => !/[,*<]/.test(expression);

function namesOfPart(
  part: string,
  served: ServedIndexes,
  isEverythingOurs: boolean,
): readonly string[] {
  if (served.has(part)) return [part];
  if (part.includes(':') && !part.startsWith('<')) return [];
  if (/^\*+$/.test(part)) return isEverythingOurs ? [...served] : [];
  if (part.startsWith('<') && part.endsWith('>')) {
    return [...served].filter((name) => fitsDateMath(name, part.slice(1, -1)));
  }
  if (!part.includes('*')) return [];
  const pieces = part.split('*');
  return [...served].filter((name) => fits(name, pieces));
}

/** Wildcard match without a regular expression: linear, whatever the caller sends. */
function fits(name: string, pieces: readonly string[]): boolean {
  if (pieces.length === 1) return name === pieces[0];
  const first = pieces[0] ?? '';
  const last = pieces[pieces.length - 1] ?? '';
  if (name.length < first.length + last.length) return false;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return at <= end;
}

const DATE_MATH = /\{[^{}]*(?:\{[^{}]*\})?\}/g;
const DEFAULT_DATE = /^\d{4}\.\d{2}\.\d{2}$/;

/**
 * `logs-{now/d}`: any day in the default format `uuuu.MM.dd`, and any text where the expression has
 * a format of its own or several dates.
 */
function fitsDateMath(name: string, body: string): boolean {
  const dates = body.match(DATE_MATH) ?? [];
  const pieces = body.split(DATE_MATH);
  if (!fits(name, pieces)) return false;
  const [date = ''] = dates;
  if (dates.length !== 1 || date.includes('{', 1)) return true;
  const [before = '', after = ''] = pieces;
  return DEFAULT_DATE.test(name.slice(before.length, name.length - after.length));
}
