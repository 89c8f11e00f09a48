import { illegalArgument } from '../../common/errors/catalogue';
import type { Endpoint, Method, Role } from './definition';
import { decodeSegment, pathSegments } from './path';
import { ENDPOINTS } from './table';

/** What the endpoint table says about a request. */
export type EndpointMatch =
  | {
      readonly kind: 'found';
      readonly endpoint: Endpoint;
      /** Values of the template's `{…}` parts, decoded once. */
      readonly params: Readonly<Record<string, string>>;
    }
  /** The path is known, the method is not: `allow` is for the 405's `Allow` header. */
  | { readonly kind: 'method-not-allowed'; readonly allow: readonly Method[] }
  | { readonly kind: 'none' };

interface RequestLine {
  readonly role: Role;
  readonly method: string;
  /** Without the Service's path and without the query string, still percent-encoded. */
  readonly path: string;
}

/**
 * Finds the endpoint of a request. A doubled or trailing slash does not matter, as in Elasticsearch.
 * 400 `illegal_argument_exception` for a malformed percent-escape.
 */
export function matchEndpoint({ role, method, path }: RequestLine): EndpointMatch {
  const segments = pathSegments(path).map(decoded);
  const matches = ENDPOINTS.filter((endpoint) => endpoint.role === role).flatMap((endpoint) => {
    const params = paramsOf(endpoint.path, segments);
    return params === undefined ? [] : [{ endpoint, params }];
  });
  const found = matches.find(({ endpoint }) => endpoint.methods.some((one) => one === method));
  if (found) return { kind: 'found', ...found };
  if (matches.length === 0) return { kind: 'none' };
  return {
    kind: 'method-not-allowed',
    allow: [...new Set(matches.flatMap(({ endpoint }) => endpoint.methods))],
  };
}

/** Fits decoded segments to a template; undefined when they do not fit. */
export function paramsOf(
  template: string,
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const parts = pathSegments(template);
  if (parts.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of parts.entries()) {
    const segment = segments[i] ?? '';
    if (part === '{index}' && !canNameIndexes(segment)) return undefined;
    if (part.startsWith('{')) params[part.slice(1, -1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}

/** What begins with `_` is a path of Elasticsearch's own, but for `_all`. */
const canNameIndexes = (segment: string): boolean => !segment.startsWith('_') || segment === '_all';

function decoded(segment: string): string {
  const text = decodeSegment(segment);
  if (text === undefined) throw illegalArgument(`malformed percent-escape in path [${segment}]`);
  return text;
}
