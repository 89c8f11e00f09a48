/** Headers of one connection, not of the message (RFC 9110, 7.6.1), and what the next hop sets anew. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Header lines, names and values in turn, as Node's `rawHeaders`. */
export type HeaderLines = readonly string[];

/** Keeps the lines whose lower-case name passes. */
export function filterHeaders(lines: HeaderLines, keeps: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const [name = '', value = ''] = lines.slice(i, i + 2);
    if (keeps(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/** The lines that may be sent on: without hop-by-hop headers and those that `Connection` names. */
export function forwardedHeaders(lines: HeaderLines): string[] {
  const named = new Set<string>();
  for (let i = 0; i + 1 < lines.length; i += 2)
    if (lines[i]?.toLowerCase() === 'connection')
      for (const name of (lines[i + 1] ?? '').split(',')) named.add(name.trim().toLowerCase());
  return filterHeaders(lines, (name) => !HOP_BY_HOP.has(name) && !named.has(name));
}

/** An answer's headers without those that belong to the connection it came on. */
export const endToEndHeaders = <T>(headers: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      // The length is kept: an answer is sent on with the bytes it had.
      ([name]) => name === 'content-length' || !HOP_BY_HOP.has(name),
    ),
  );
