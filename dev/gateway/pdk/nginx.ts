import type { Exchange } from '../exchange';
import { splitTarget } from '../router/uri';
import type { PdkTable } from './function';
import { stringArgument } from './lua-value';

type Variable = (exchange: Exchange) => string | undefined;

const query = ({ request }: Exchange): string | undefined => splitTarget(request.url ?? '/').query;

const VARIABLES: Readonly<Record<string, Variable>> = {
  args: (exchange) => query(exchange) ?? '',
  content_length: ({ headers }) => headers.first('content-length'),
  content_type: ({ headers }) => headers.first('content-type'),
  host: ({ host }) => host,
  is_args: (exchange) => ((query(exchange) ?? '') === '' ? '' : '?'),
  query_string: (exchange) => query(exchange) ?? '',
  remote_addr: ({ clientIp }) => clientIp,
  remote_port: ({ request }) => String(request.socket.remotePort ?? ''),
  request: ({ request }) =>
    `${request.method ?? ''} ${request.url ?? ''} HTTP/${request.httpVersion}`,
  request_id: ({ id }) => id,
  request_method: ({ upstream }) => upstream.method,
  request_uri: ({ request }) => request.url,
  scheme: () => 'http',
  server_addr: ({ request }) => request.socket.localAddress,
  server_port: ({ serverPort }) => String(serverPort),
  server_protocol: ({ request }) => `HTTP/${request.httpVersion}`,
  upstream_host: ({ upstream }) => upstream.hostHeader ?? '',
  upstream_scheme: ({ upstream }) => upstream.scheme,
  upstream_uri: ({ upstream }) => upstream.path,
  // nginx decodes every escape here, reserved ones too.
  uri: ({ match }) =>
    match.path.replace(/%[0-9A-F]{2}/g, (escape) =>
      String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
    ),
};

/** `$http_NAME` and `$arg_NAME`. */
function prefixed(exchange: Exchange, name: string): string | undefined {
  if (name.startsWith('http_')) {
    const values = exchange.headers.all(name.slice(5).replaceAll('_', '-'));
    return values.length === 0 ? undefined : values.join(', ');
  }
  if (!name.startsWith('arg_')) return undefined;
  const pair = (query(exchange) ?? '')
    .split('&')
    .find((one) => one.split('=')[0]?.toLowerCase() === name.slice(4).toLowerCase());
  return pair?.includes('=') === true ? pair.slice(pair.indexOf('=') + 1) : undefined;
}

/** `kong.nginx`: variables of nginx and the request's context. */
export const nginxFunctions: PdkTable = {
  'kong.nginx.get_var': ({ exchange }, [name]) => {
    const wanted = stringArgument(name, 'name');
    return VARIABLES[wanted]?.(exchange) ?? prefixed(exchange, wanted) ?? null;
  },
  'kong.nginx.get_subsystem': () => 'http',
  'kong.nginx.req_start_time': ({ exchange }) => exchange.startedAt / 1000,
  'kong.nginx.get_ctx': ({ exchange }, [key]) =>
    exchange.context.get(stringArgument(key, 'key')) ?? null,
  'kong.nginx.set_ctx': ({ exchange }, [key, value]) => {
    exchange.context.set(stringArgument(key, 'key'), value);
    return null;
  },
  'kong.ctx.shared.get': ({ exchange }, [key]) =>
    exchange.shared.get(stringArgument(key, 'key')) ?? null,
  'kong.ctx.shared.set': ({ exchange }, [key, value]) => {
    exchange.shared.set(stringArgument(key, 'key'), value);
    return null;
  },
};
