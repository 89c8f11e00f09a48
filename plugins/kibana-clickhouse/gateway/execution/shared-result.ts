import type { ResultSet } from '../../clickhouse/execution/executor';

/** A result that is kept. */
export type KeptResult =
  | { readonly kind: 'rows'; readonly rows: ResultSet['rows'] }
  | { readonly kind: 'lines'; readonly lines: readonly string[] };

/** The form of what nodes leave for each other; another one is not read. */
const FORMAT = 1;

/** A result as nodes share it. */
export const sharedText = (kept: KeptResult): string => JSON.stringify({ format: FORMAT, ...kept });

/** Reads what another node has left; undefined for what is not of that kind. */
export function readShared<K extends KeptResult['kind']>(
  text: string,
  kind: K,
): Extract<KeptResult, { readonly kind: K }> | undefined {
  const content = parsed(text);
  if (typeof content !== 'object' || content === null) return undefined;
  const found = content as Readonly<Record<string, unknown>>;
  if (found['format'] !== FORMAT || found['kind'] !== kind) return undefined;
  return isListOf(found[kind], kind)
    ? (found as unknown as Extract<KeptResult, { readonly kind: K }>)
    : undefined;
}

const isListOf = (list: unknown, kind: KeptResult['kind']): boolean =>
  Array.isArray(list) &&
  list.every((one) => (kind === 'rows' ? Array.isArray(one) : typeof one === 'string'));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
