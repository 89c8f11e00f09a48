import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayConfiguration, PluginUse } from './configuration';
import { Exchange, type Exit } from './exchange';
import type { Log } from './log';
import { ExitSignal } from './pdk/function';
import { LuaError } from './pdk/lua-value';
import { callPdk } from './pdk/pdk';
import { type PluginInstances, StartInstanceError } from './plugin-server/instances';
import { bundledPlugins } from './plugins/bundled';
import { errorExit, sendExit } from './proxy/answers';
import { HeaderList } from './proxy/header-list';
import type { Proxy } from './proxy/proxy';
import { type RouteMatch, Router } from './router/router';
import { isAcceptablePath, splitTarget } from './router/uri';

/** nginx's large_client_header_buffers hold a request line of at most this many bytes. */
const MAX_REQUEST_LINE = 8192;

const bundled = new Map(bundledPlugins.map((plugin) => [plugin.name, plugin]));

const randomId = (): string => randomBytes(16).toString('hex');

/** What Kong tells a client of plain HTTP on a Route for HTTPS alone: it listens on HTTP only here. */
function httpsOnly({ route }: RouteMatch, request: IncomingMessage, id: string): Exit {
  const status = route.https_redirect_status_code;
  if (status === 426) {
    const exit = errorExit(426, id);
    exit.headers.set('Connection', 'Upgrade');
    exit.headers.set('Upgrade', 'TLS/1.2, HTTP/1.1');
    return exit;
  }
  const headers = new HeaderList();
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  headers.set('Location', `https://${host}${request.url ?? '/'}`);
  return { status, headers, body: Buffer.alloc(0) };
}

/** A kong.yml's way with requests: nginx's checks, the Route, the access phase, the upstream. */
export class Handler {
  readonly #configuration: GatewayConfiguration;
  readonly #router: Router;
  readonly #instances: PluginInstances;
  readonly #proxy: Proxy;
  readonly #log: Log;

  constructor(
    configuration: GatewayConfiguration,
    { instances, proxy, log }: { instances: PluginInstances; proxy: Proxy; log: Log },
  ) {
    this.#configuration = configuration;
    this.#router = new Router(configuration.routes);
    this.#instances = instances;
    this.#proxy = proxy;
    this.#log = log;
  }

  /** Answers one request; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const match = this.#routed(request);
    if ('status' in match) {
      sendExit(response, match, new HeaderList(), match.id);
      return;
    }
    const exchange = new Exchange(request, match);
    try {
      const exit = (await this.#access(exchange)) ?? (await this.#forward(exchange, response));
      if (exit !== undefined) sendExit(response, exit, exchange.responseHeaders, exchange.id);
    } catch (error) {
      this.#log.line(
        'error',
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
      sendExit(response, errorExit(500, exchange.id), exchange.responseHeaders, exchange.id);
    }
  }

  #routed(request: IncomingMessage): RouteMatch | (Exit & { readonly id: string }) {
    const id = randomId();
    const target = request.url ?? '/';
    const method = request.method ?? 'GET';
    if (`${method} ${target} HTTP/1.1\r\n`.length > MAX_REQUEST_LINE) {
      return { ...errorExit(414, id), id };
    }
    const { path } = splitTarget(target);
    if (!isAcceptablePath(path)) return { ...errorExit(400, id), id };
    const match = this.#router.match({ method, path, host: request.headers.host ?? '' });
    if (match === undefined) return { ...errorExit(404, id), id };
    return match.route.protocols.includes('http')
      ? match
      : { ...httpsOnly(match, request, id), id };
  }

  async #forward(exchange: Exchange, response: ServerResponse): Promise<Exit | undefined> {
    return response.destroyed ? undefined : this.#proxy.forward(exchange, response);
  }

  async #access(exchange: Exchange): Promise<Exit | undefined> {
    for (const use of exchange.match.route.plugins) {
      exchange.plugin = use;
      const own = bundled.get(use.name);
      const exit =
        own === undefined
          ? await this.#served(exchange, use)
          : own.access(exchange, use.config, this.#configuration.keys);
      if (exit !== undefined) return exit;
    }
    return undefined;
  }

  /** The plugin server's plugin. What raises in Lua is 500; what the plugin itself throws is not seen. */
  async #served(exchange: Exchange, use: PluginUse): Promise<Exit | undefined> {
    const scope = { exchange, log: this.#log };
    try {
      await this.#instances.handle(use, 'access', (name, args) => callPdk(scope, name, args));
      return undefined;
    } catch (error) {
      if (error instanceof ExitSignal) return error.exit;
      if (!(error instanceof LuaError || error instanceof StartInstanceError)) throw error;
      this.#log.line('error', `[${use.name}] ${error.message}`);
      return errorExit(500, exchange.id);
    }
  }
}
