import type { Exchange } from '../exchange';
import type { Packed } from '../plugin-server/rpc';
import { normalizePath, splitTarget } from '../router/uri';
import type { PdkTable } from './function';
import { stringArgument } from './lua-value';

type MultiMap = Readonly<Record<string, readonly string[]>>;

const target = ({ request }: Exchange): { readonly path: string; readonly query?: string } =>
  splitTarget(request.url ?? '/');

const unescaped = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
};

/** Arguments by name; one without `=` is an empty list, as the MessagePack bridge gives a Lua `true`. */
function queryArguments(exchange: Exchange): MultiMap {
  const found: Record<string, string[]> = {};
  for (const pair of (target(exchange).query ?? '').split('&')) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=');
    const values = (found[unescaped(name)] ??= []);
    if (pair.includes('=')) values.push(unescaped(rest.join('=')));
  }
  return found;
}

/** Headers by name in lower case, every line kept. */
function headerMap({ headers }: Exchange): MultiMap {
  const found: Record<string, string[]> = {};
  for (const [name, value] of headers.lines) (found[name.toLowerCase()] ??= []).push(value);
  return found;
}

const first = (map: MultiMap, name: Packed, argument: string): Packed => {
  const values = map[stringArgument(name, argument)];
  return values === undefined ? null : (values[0] ?? true);
};

/** `kong.request`: the request as the client sent it. The body is not offered: it streams. */
export const requestFunctions: PdkTable = {
  'kong.request.get_scheme': () => 'http',
  'kong.request.get_host': ({ exchange }) => exchange.host,
  'kong.request.get_port': ({ exchange }) => exchange.serverPort,
  'kong.request.get_forwarded_scheme': () => 'http',
  'kong.request.get_forwarded_host': ({ exchange }) => exchange.host,
  'kong.request.get_forwarded_port': ({ exchange }) => exchange.serverPort,
  'kong.request.get_forwarded_path': ({ exchange }) => target(exchange).path,
  'kong.request.get_forwarded_prefix': ({ exchange }) => exchange.match.prefix ?? null,
  'kong.request.get_http_version': ({ exchange }) => Number(exchange.request.httpVersion),
  'kong.request.get_method': ({ exchange }) => exchange.upstream.method,
  'kong.request.get_path': ({ exchange }) => normalizePath(target(exchange).path),
  'kong.request.get_raw_path': ({ exchange }) => target(exchange).path,
  'kong.request.get_path_with_query': ({ exchange }) => exchange.request.url,
  'kong.request.get_raw_query': ({ exchange }) => target(exchange).query ?? '',
  'kong.request.get_query': ({ exchange }) => queryArguments(exchange),
  'kong.request.get_query_arg': ({ exchange }, [name]) =>
    first(queryArguments(exchange), name, 'query argument name'),
  'kong.request.get_headers': ({ exchange }) => headerMap(exchange),
  'kong.request.get_header': ({ exchange }, [name]) =>
    exchange.headers.first(stringArgument(name, 'header name')) ?? null,
};
