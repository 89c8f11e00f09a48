/**
 * The segments of an encoded path, still encoded. Empty ones are left out, as Elasticsearch leaves
 * out the last one and nginx merges the others (`merge_slashes`).
 */
export const pathSegments = (path: string): readonly string[] =>
  path.split('/').filter((segment) => segment !== '');

const ESCAPE = /%([0-9A-Fa-f]{2})?/g;

/**
 * Decodes a path segment once, as Elasticsearch's `RestUtils.decodeComponent` does: `+` stays a plus,
 * bytes that are no UTF-8 become U+FFFD. Undefined where a `%` is not followed by two hexadecimal
 * digits: Elasticsearch refuses such a path.
 */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  for (const [, digits] of segment.matchAll(ESCAPE)) if (digits === undefined) return undefined;
  const bytes = segment.replace(/%[0-9A-Fa-f]{2}|[^%]+/g, (piece) =>
    piece.startsWith('%')
      ? String.fromCharCode(Number.parseInt(piece.slice(1), 16))
      : Buffer.from(piece).toString('latin1'),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
