/**
 * Paths as Kong 3.9 treats them (`kong/tools/uri.lua`). Strings hold one byte a character (latin1), as
 * Node's HTTP parser gives them.
 */

const RESERVED = new Set("!*'();:@&=+$,/?%#[]");

function decodedOctet(escape: string): string {
  const letter = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  // Escapes of reserved characters mean something else than the characters: they stay.
  return RESERVED.has(letter) ? escape.toUpperCase() : letter;
}

function resolvedSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  segments.forEach((segment, index) => {
    const last = index === segments.length - 1;
    if (segment === '..') kept.pop();
    if (segment === '..' || segment === '.' || segment === '') {
      if (last) kept.push('');
      return;
    }
    kept.push(segment);
  });
  return `/${kept.join('/')}`;
}

/**
 * The path that the router matches: escapes of everything but reserved characters decoded, the others
 * in upper case, slashes merged, dot segments resolved. Takes a path that starts with `/`.
 */
export function normalizePath(path: string): string {
  const decoded = path.replace(/%[0-9a-fA-F]{2}/g, decodedOctet);
  return decoded.includes('.') || decoded.includes('//') ? resolvedSegments(decoded) : decoded;
}

/** A normalised path made fit for a request line: what is neither reserved nor unreserved is escaped. */
export function escapePath(path: string): string {
  return path.replace(
    /[^!#$&'()*+,/:;=?@[\]A-Za-z0-9\-_.~%]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** The request target in two: the path before the first `?`, the query after it (undefined without one). */
export function splitTarget(target: string): { readonly path: string; readonly query?: string } {
  const mark = target.indexOf('?');
  if (mark === -1) return { path: target };
  return { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/**
 * Whether nginx takes the path at all. It answers 400 to a broken escape, to %00 and to a path whose
 * dot segments lead above the root (`ngx_http_parse_complex_uri`).
 */
export function isAcceptablePath(path: string): boolean {
  if (!path.startsWith('/') || /%(?![0-9a-fA-F]{2})|%00/.test(path)) return false;
  let depth = 0;
  for (const segment of path
    .replace(/%[0-9a-fA-F]{2}/g, (escape) =>
      String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
    )
    .split('/')) {
    if (segment === '..') depth -= 1;
    else if (segment !== '' && segment !== '.') depth += 1;
    if (depth < 0) return false;
  }
  return true;
}
