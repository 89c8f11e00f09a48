import type { Exchange } from '../exchange';
import { splitTarget } from '../router/uri';
import { SERVER_NAME } from './answers';
import { HeaderList } from './header-list';

/** Headers of one connection, not of the request (RFC 9110, 7.6.1), and what nginx answers itself. */
const HOP_BY_HOP = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'],
  ...['proxy', 'proxy-authorization'],
];

/** Of the answer: headers of the connection, and those that nginx keeps for itself. */
const NOT_FOR_CLIENTS = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-connection', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'x-pad', 'x-accel-buffering', 'x-accel-charset'],
  ...['x-accel-expires', 'x-accel-limit-rate', 'x-accel-redirect'],
]);

const listed = (headers: HeaderList): readonly string[] =>
  headers.all('connection').flatMap((value) => value.split(',').map((name) => name.trim()));

const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/** Kong's Host for the upstream: the Service's, with the port where the scheme does not imply it. */
function hostHeader({ upstream }: Exchange): string {
  const { hostHeader: set, host, port, scheme } = upstream;
  if (set !== undefined && set !== '') return set;
  return port === DEFAULT_PORTS[scheme] ? host : `${host}:${String(port)}`;
}

function withForwarded(headers: HeaderList, exchange: Exchange): void {
  const before = headers.all('x-forwarded-for');
  headers.set('X-Forwarded-For', [...before, exchange.clientIp].join(', '));
  headers.set('X-Forwarded-Proto', 'http');
  headers.set('X-Forwarded-Host', exchange.host);
  headers.set('X-Forwarded-Port', String(exchange.serverPort));
  headers.set('X-Forwarded-Path', splitTarget(exchange.request.url ?? '/').path);
  headers.delete('X-Forwarded-Prefix');
  const { prefix } = exchange.match;
  if (prefix !== undefined && prefix !== '/') headers.set('X-Forwarded-Prefix', prefix);
  headers.set('X-Real-IP', exchange.clientIp);
  headers.set('X-Kong-Request-Id', exchange.id);
}

/**
 * The headers that the upstream gets, as Kong 3.9 sends them: the client's without hop-by-hop ones,
 * Host, and the X-Forwarded-* ones, which no client can set (there are no trusted addresses).
 */
export function upstreamHeaders(exchange: Exchange): HeaderList {
  const headers = new HeaderList();
  headers.add('Host', hostHeader(exchange));
  headers.add('Connection', 'keep-alive');
  const dropped = new Set([
    'host',
    ...HOP_BY_HOP,
    ...listed(exchange.headers).map((name) => name.toLowerCase()),
  ]);
  for (const [name, value] of exchange.headers.lines) {
    if (!dropped.has(name.toLowerCase())) headers.add(name, value);
  }
  withForwarded(headers, exchange);
  if (needsLength(exchange, headers)) headers.add('Content-Length', '0');
  return headers;
}

/** Without a length Node would announce a chunked body for methods that usually have one. */
function needsLength({ upstream }: Exchange, headers: HeaderList): boolean {
  const bodiless = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'].includes(
    upstream.method,
  );
  const announced = ['content-length', 'transfer-encoding'].some(
    (name) => headers.first(name) !== undefined,
  );
  return !bodiless && !announced;
}

/** The headers that the client gets: the upstream's own, those of plugins, Kong's `Via`. */
export function clientHeaders(rawHeaders: readonly string[], exchange: Exchange): HeaderList {
  const given = HeaderList.fromRaw(rawHeaders);
  const dropped = new Set(listed(given).map((name) => name.toLowerCase()));
  const headers = new HeaderList();
  for (const [name, value] of given.lines) {
    const lower = name.toLowerCase();
    if (!dropped.has(lower) && !NOT_FOR_CLIENTS.has(lower)) headers.add(name, value);
  }
  for (const [name] of exchange.responseHeaders.lines) headers.delete(name);
  for (const [name, value] of exchange.responseHeaders.lines) headers.add(name, value);
  headers.add('Via', `1.1 ${SERVER_NAME}`);
  headers.set('X-Kong-Request-Id', exchange.id);
  return headers;
}
