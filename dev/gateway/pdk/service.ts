import { isIP } from 'node:net';
import type { HeaderList } from '../proxy/header-list';
import { escapePath } from '../router/uri';
import type { PdkTable } from './function';
import { headerTable, headerValues, integerArgument, LuaError, stringArgument } from './lua-value';
import type { Exchange } from '../exchange';

const PORTS = [0, 65_535] as const;
const RETRIES = [0, 32_767] as const;
const TIMEOUTS = [1, 2 ** 31 - 2] as const;
const METHODS = new Set([
  ...['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'MKCOL', 'COPY', 'MOVE', 'PROPFIND'],
  ...['PROPPATCH', 'LOCK', 'UNLOCK', 'PATCH', 'TRACE'],
]);

/** An address without the brackets of IPv6. */
const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Whether the host is an address, for which Kong asks neither DNS nor its Upstreams. */
export const isAddress = (host: string): boolean => isIP(bare(host)) !== 0;

function set(exchange: Exchange, name: string, values: readonly string[]): void {
  if (name.toLowerCase() === 'host') exchange.upstream.hostHeader = values[0];
  exchange.headers.set(name, values);
}

function add(headers: HeaderList, name: string, values: readonly string[]): void {
  for (const value of values) headers.add(name, value);
}

/** `kong.service` and `kong.service.request`: where the request goes and as what. */
export const serviceFunctions: PdkTable = {
  'kong.service.set_target': ({ exchange }, [host, port]) => {
    const name = stringArgument(host, 'host');
    const number = integerArgument(port, 'port', PORTS);
    const { upstream } = exchange;
    Object.assign(upstream, { host: name, port: number, hostHeader: name });
    return null;
  },
  // There are no Upstreams here: what Kong returns is `nil, "could not find an Upstream …"`.
  'kong.service.set_upstream': (_scope, [host]) => {
    stringArgument(host, 'host');
    return null;
  },
  'kong.service.set_retries': ({ exchange }, [retries]) => {
    exchange.upstream.retries = integerArgument(retries, 'retries', RETRIES);
    return null;
  },
  'kong.service.set_timeouts': ({ exchange }, [connect, write, read]) => {
    integerArgument(write, 'write_timeout', TIMEOUTS);
    exchange.upstream.connectTimeout = integerArgument(connect, 'connect_timeout', TIMEOUTS);
    exchange.upstream.readTimeout = integerArgument(read, 'read_timeout', TIMEOUTS);
    return null;
  },
  'kong.service.request.set_scheme': ({ exchange }, [scheme]) => {
    const text = stringArgument(scheme, 'scheme');
    if (text !== 'http' && text !== 'https') throw new LuaError(`invalid scheme: ${text}`);
    exchange.upstream.scheme = text;
    return null;
  },
  'kong.service.request.set_path': ({ exchange }, [path]) => {
    const text = stringArgument(path, 'path');
    if (!text.startsWith('/')) throw new LuaError('path must start with /');
    exchange.upstream.path = escapePath(Buffer.from(text).toString('latin1'));
    return null;
  },
  'kong.service.request.set_raw_query': ({ exchange }, [query]) => {
    exchange.upstream.query = stringArgument(query, 'query');
    return null;
  },
  'kong.service.request.set_method': ({ exchange }, [method]) => {
    const text = stringArgument(method, 'method');
    if (!METHODS.has(text)) throw new LuaError(`invalid method: ${text}`);
    exchange.upstream.method = text;
    return null;
  },
  'kong.service.request.set_header': ({ exchange }, [name, value]) => {
    const text = stringArgument(name, 'header');
    set(exchange, text, headerValues(value, text));
    return null;
  },
  'kong.service.request.set_headers': ({ exchange }, [headers]) => {
    for (const [name, values] of headerTable(headers)) set(exchange, name, values);
    return null;
  },
  'kong.service.request.add_header': ({ exchange }, [name, value]) => {
    const text = stringArgument(name, 'header');
    add(exchange.headers, text, headerValues(value, text));
    return null;
  },
  'kong.service.request.clear_header': ({ exchange }, [name]) => {
    exchange.headers.delete(stringArgument(name, 'header'));
    return null;
  },
};
