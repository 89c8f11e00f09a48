import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import type { Problems } from './check';

// What Kong's own migration from format 2.1 takes for a plain path (migrate_path_280_300.lua).
const PLAIN_BEFORE_3 = /^\/[a-zA-Z0-9.\-_~/%]*$/;
const PLAIN = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@%/]*$/;

/** A Route of the formats 1.1 and 2.1: paths that look like a regular expression get their `~`. */
export function migratedPath(route: JsonValue): JsonValue {
  if (!isJsonObject(route) || !isJsonArray(route['paths'])) return route;
  const paths = route['paths'].map((path) =>
    typeof path !== 'string' || path.startsWith('~') || PLAIN_BEFORE_3.test(path)
      ? path
      : `~${path}`,
  );
  return { ...route, paths };
}

function problemOf(path: string): string | undefined {
  if (path.startsWith('~')) {
    if (!path.startsWith('~/') && !path.startsWith('~^/'))
      return 'a regex path should start with ~/';
    try {
      new RegExp(path.slice(1), 'y');
      return undefined;
    } catch {
      return `invalid regex: '${path}'`;
    }
  }
  if (!path.startsWith('/')) return 'should start with: / (fixed path) or ~/ (regex path)';
  if (path.includes('//')) return 'must not have empty segments';
  if (!PLAIN.test(path)) return `invalid path: '${path}' (a regex path starts with ~)`;
  return /%(?![0-9A-Fa-f]{2})/.test(path) ? `invalid url-encoded value: '${path}'` : undefined;
}

/** What Kong 3.9 refuses in a Route's paths (`typedefs.router_paths`). */
export function checkPaths(paths: JsonValue | undefined, at: string, problems: Problems): void {
  if (!isJsonArray(paths)) return;
  for (const [index, path] of paths.entries()) {
    const problem = typeof path === 'string' ? problemOf(path) : undefined;
    if (problem !== undefined) problems.add(`${at}[${String(index)}]`, problem);
  }
}
