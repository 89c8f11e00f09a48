/** What decides the path of the forwarded request. */
export interface PathParts {
  /** The Service's path; `/` when it has none. */
  readonly base: string;
  /** The normalised path of the request. */
  readonly path: string;
  /** What follows the part that the Route matched; the path without its first `/` when no path did. */
  readonly postfix: string;
  readonly stripPath: boolean;
}

function stripped({ base, path, postfix }: PathParts): string {
  const bare = base.endsWith('/') ? base.slice(0, -1) : base;
  if (postfix !== '') return postfix.startsWith('/') ? bare + postfix : `${bare}/${postfix}`;
  if (base === '/') return base;
  return path.length > 1 && path.endsWith('/') ? `${bare}/` : bare;
}

/** The Service's path and the request's joined as Kong's `path_handling: v0` joins them (3.9). */
export function upstreamPath(parts: PathParts): string {
  const { base, path, stripPath } = parts;
  if (stripPath) return stripped(parts);
  if (base.endsWith('/')) return base + path.slice(1);
  return path === '/' ? base : base + path;
}
