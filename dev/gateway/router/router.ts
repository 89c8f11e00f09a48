import type { Route } from '../configuration';
import { normalizePath } from './uri';
import { upstreamPath } from './upstream-path';

/** What of a request decides its Route. */
export interface RoutedRequest {
  readonly method: string;
  /** The raw path: no query, not decoded. */
  readonly path: string;
  readonly host: string;
}

/** The Route that a request takes and what follows from it. */
export interface RouteMatch {
  readonly route: Route;
  /** The normalised path of the request, latin1. */
  readonly path: string;
  /** The path that the Service gets, without query; latin1 and not yet escaped. */
  readonly upstreamPath: string;
  /** What strip_path took away; undefined where it took nothing. */
  readonly prefix?: string;
}

type PathMatcher = (
  path: string,
) => { readonly prefix: string; readonly postfix: string } | undefined;

/** One Route with at most one of its paths, as Kong's traditional router splits them. */
interface Candidate {
  readonly route: Route;
  readonly path?: PathMatcher;
  readonly weight: number;
  readonly rules: number;
  readonly isRegex: boolean;
  readonly plainHosts: boolean;
  readonly length: number;
}

const HOST_RULE = 0x40;
const PATH_RULE = 0x10;
const METHOD_RULE = 0x08;

/** Kong takes dots at the start of what follows the matched part away, so that none leads upward. */
function sanitized(postfix: string): string {
  if (postfix === '.' || postfix === '..') return '';
  if (postfix.startsWith('./')) return postfix.slice(2);
  return postfix.startsWith('../') ? postfix.slice(3) : postfix;
}

function pathMatcher(given: string): PathMatcher {
  if (given.startsWith('~')) {
    // Sticky at 0 is PCRE's anchored matching: it holds for every alternative of the expression.
    const regex = new RegExp(`${given.slice(1)}(?<uri_postfix>[^\\n]*)`, 'y');
    return (path) => {
      regex.lastIndex = 0;
      const postfix = regex.exec(path)?.groups?.['uri_postfix'];
      if (postfix === undefined) return undefined;
      const prefix = path.slice(0, path.length - postfix.length);
      return { prefix, postfix: sanitized(postfix) };
    };
  }
  const prefix = normalizePath(given);
  return (path) =>
    path.startsWith(prefix) ? { prefix, postfix: sanitized(path.slice(prefix.length)) } : undefined;
}

function candidate(route: Route, path: string | undefined): Candidate {
  const { hosts = [], methods = [] } = route;
  const rules = [
    hosts.length > 0 ? HOST_RULE : 0,
    path === undefined ? 0 : PATH_RULE,
    methods.length > 0 ? METHOD_RULE : 0,
  ];
  return {
    route,
    ...(path === undefined ? {} : { path: pathMatcher(path) }),
    weight: rules.filter((rule) => rule > 0).length,
    rules: rules.reduce((sum, rule) => sum + rule),
    isRegex: path?.startsWith('~') === true,
    plainHosts: hosts.length > 0 && !hosts.some((host) => host.includes('*')),
    length: path === undefined || path.startsWith('~') ? 0 : path.length,
  };
}

/**
 * Kong's order (3.9, traditional router): more kinds of rules first, whatever the path's length; then
 * plain hosts before wildcards, regex paths before prefixes, regex_priority, longer prefixes.
 */
function precedence(one: Candidate, other: Candidate): number {
  const submatch = (c: Candidate): number => (c.plainHosts ? 2 : 0) + (c.isRegex ? 1 : 0);
  const priority = (c: Candidate): number => (c.isRegex ? c.route.regex_priority : 0);
  return (
    other.weight - one.weight ||
    other.rules - one.rules ||
    submatch(other) - submatch(one) ||
    priority(other) - priority(one) ||
    other.length - one.length
  );
}

function hostMatches(hosts: readonly string[], given: string): boolean {
  const withPort = given.toLowerCase();
  const host = withPort.replace(/:\d+$/, '');
  return hosts.some((wanted) => {
    const lower = wanted.toLowerCase();
    if (!lower.includes('*')) return lower === withPort || lower === host;
    const pattern = lower.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.+');
    return new RegExp(`^${pattern}$`).test(/:\d+$/.test(lower) ? withPort : host);
  });
}

function takes({ route }: Candidate, request: RoutedRequest): boolean {
  if (route.methods !== undefined && route.methods.length > 0) {
    if (!route.methods.includes(request.method)) return false;
  }
  return route.hosts === undefined || route.hosts.length === 0
    ? true
    : hostMatches(route.hosts, request.host);
}

/** Kong's traditional router over the Routes of a kong.yml. */
export class Router {
  readonly #candidates: readonly Candidate[];

  constructor(routes: readonly Route[]) {
    this.#candidates = routes
      .flatMap((route) =>
        route.paths === undefined || route.paths.length === 0
          ? [candidate(route, undefined)]
          : route.paths.map((path) => candidate(route, path)),
      )
      .sort(precedence);
  }

  /** The Route that takes the request; undefined where Kong answers "no Route matched". */
  match(request: RoutedRequest): RouteMatch | undefined {
    const path = normalizePath(request.path);
    for (const candidate of this.#candidates) {
      if (!takes(candidate, request)) continue;
      const matched = candidate.path?.(path);
      if (candidate.path !== undefined && matched === undefined) continue;
      return this.#matched(candidate.route, path, matched);
    }
    return undefined;
  }

  #matched(
    route: Route,
    path: string,
    matched: { readonly prefix: string; readonly postfix: string } | undefined,
  ): RouteMatch {
    const upstream = upstreamPath({
      base: route.service.path ?? '/',
      path,
      postfix: matched?.postfix ?? path.slice(1),
      stripPath: route.strip_path,
    });
    const prefix = route.strip_path ? matched?.prefix : undefined;
    return { route, path, upstreamPath: upstream, ...(prefix === undefined ? {} : { prefix }) };
  }
}
