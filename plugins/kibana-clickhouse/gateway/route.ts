import { isAsyncSearchId } from './async-search/async-search-id';
import { decodeSegment, pathSegments } from './endpoints/path';
import type { Endpoint } from './endpoints/definition';
import { ENDPOINTS } from './endpoints/table';
import { isPlainName, listedIndexes, namedIndexes, type ServedIndexes } from './index-expression';

/** Where a request of the proxy role goes. */
export type RouteDecision =
  /** To Elasticsearch, untouched. */
  | { readonly kind: 'pass' }
  /** To the answer process; with `refusal` only to be refused, with that reason and status 400. */
  | { readonly kind: 'ours'; readonly refusal?: string };

const PASS: RouteDecision = { kind: 'pass' };
const OURS: RouteDecision = { kind: 'ours' };

interface Template {
  readonly segments: readonly string[];
  readonly index: Endpoint['index'];
  /** Position of `{index}` or `{id}`, -1 when there is none. */
  readonly indexAt: number;
}

/** The endpoints that the first segment of a path does not decide. */
const TEMPLATES: readonly Template[] = ENDPOINTS.filter(({ role }) => role === 'proxy')
  .map((endpoint) => {
    const segments = pathSegments(endpoint.path);
    const named = endpoint.index === 'id' ? '{id}' : '{index}';
    return { segments, index: endpoint.index, indexAt: segments.indexOf(named) };
  })
  .filter(({ index, indexAt }) => index === 'body' || index === 'list' || indexAt > 0);

/**
 * Decides by the path alone, because `access()` must not read a body. `uri` is Kong's
 * `upstream_uri`: what Elasticsearch would receive, normalised, reserved characters still escaped,
 * with the Service's path in front and without the query string.
 *
 * Ours is every path whose first segment names a served index (what the gateway does not know of it
 * is refused there: a whitelisted name is never half answered by Elasticsearch), an endpoint whose
 * index stands elsewhere in the path and is served, one whose path has an id of ours, and an endpoint whose body names the indexes.
 * `/_bulk` and `/_mget` are in no table and pass: ingest does not travel through the answer process.
 */
export function decideRoute(
  uri: string,
  servicePrefix: string,
  served: ServedIndexes,
): RouteDecision {
  const segments = withoutPrefix(pathSegments(uri), servicePrefix);
  const [first] = segments;
  if (first === undefined) return PASS;
  const decision = decideByExpression(first, served);
  if (decision.kind === 'ours') return decision;
  const template = TEMPLATES.find((one) => isFitting(one, segments));
  if (!template) return PASS;
  if (template.index === 'body') return OURS;
  const segment = segments[template.indexAt] ?? '';
  if (template.index === 'id') return isAsyncSearchId(decodeSegment(segment) ?? '') ? OURS : PASS;
  return template.index === 'list'
    ? decideList(template.indexAt < 0 ? '_all' : segment, served)
    : decideByExpression(segment, served);
}

function decideList(segment: string, served: ServedIndexes): RouteDecision {
  const expression = decodeSegment(segment);
  if (expression === undefined) return decideByExpression(segment, served);
  return listedIndexes(expression, served).size > 0 ? OURS : PASS;
}

const isFitting = (template: Template, segments: readonly string[]): boolean =>
  template.segments.length === segments.length &&
  template.segments.every((part, i) => part.startsWith('{') || isLiteral(part, segments[i]));

function decideByExpression(segment: string, served: ServedIndexes): RouteDecision {
  const expression = decodeSegment(segment);
  if (expression === undefined)
    return { kind: 'ours', refusal: `malformed percent-escape in path [${segment}]` };
  if (isPlainName(expression)) return served.has(expression) ? OURS : PASS;
  return namedIndexes(expression, served).size > 0 ? OURS : PASS;
}

const isLiteral = (literal: string, segment = ''): boolean =>
  segment === literal || (segment.includes('%') && decodeSegment(segment) === literal);

/**
 * Takes the Service's path off, compared decoded: Kong normalises it in `upstream_uri` but not in the
 * Service. A path that does not start with it (another plugin rewrote it) stays whole.
 */
function withoutPrefix(segments: readonly string[], prefix: string): readonly string[] {
  if (prefix === '') return segments;
  const parts = pathSegments(prefix);
  const isPrefixed = parts.every(
    (part, i) => part === segments[i] || isLiteral(decodeSegment(part) ?? part, segments[i]),
  );
  return isPrefixed ? segments.slice(parts.length) : segments;
}
