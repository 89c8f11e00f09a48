import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { Problems } from './check';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * A Service with Kong's shorthand `url` written out as protocol, host, port and path. As in Kong,
 * `http://es/` has the path `/` and `http://es` has none.
 */
export function withUrl(service: JsonObject, at: string, problems: Problems): JsonObject {
  const { url, ...rest } = service;
  if (url === undefined || url === null) return service;
  const parts = typeof url === 'string' ? urlParts(url) : undefined;
  if (parts === undefined) {
    problems.add(`${at}.url`, 'expected a url: protocol://host[:port][/path]');
    return { ...rest, host: 'unknown' };
  }
  for (const key of Object.keys(parts)) {
    if (rest[key] !== undefined)
      problems.add(`${at}.${key}`, `stands beside 'url', which says it too`);
  }
  return { ...rest, ...parts };
}

function urlParts(url: string): Record<string, JsonValue> | undefined {
  const match = /^([a-z]+):\/\/(\[[0-9a-fA-F:.]+\]|[^/:?#@\s]+)(?::(\d+))?(\/[^?#\s]*)?$/.exec(url);
  const [, protocol, host, port, path] = match ?? [];
  if (protocol === undefined || host === undefined) return undefined;
  return {
    protocol,
    host,
    port: port === undefined ? (DEFAULT_PORTS[protocol] ?? 80) : Number(port),
    ...(path === undefined ? {} : { path }),
  };
}
