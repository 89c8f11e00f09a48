import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Consumer, KeyCredential, PluginUse } from './configuration';
import type { Packed } from './plugin-server/rpc';
import { HeaderList } from './proxy/header-list';
import type { RouteMatch } from './router/router';
import { escapePath, splitTarget } from './router/uri';

/** Where the request goes and how; plugins change it until it is proxied. Timeouts in ms. */
export interface Upstream {
  method: string;
  scheme: 'http' | 'https';
  host: string;
  port: number;
  /** Escaped, with the Service's path, without query. */
  path: string;
  /** Undefined without `?`; the empty string for a bare one, which Kong passes on. */
  query: string | undefined;
  /** The Host header; undefined for the one that follows from host and port. */
  hostHeader: string | undefined;
  retries: number;
  connectTimeout: number;
  readTimeout: number;
}

/** An answer that a plugin gives in the upstream's stead. */
export interface Exit {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

/** One request on its way through the gateway: what nginx and Kong keep about it. */
export class Exchange {
  readonly id = randomBytes(16).toString('hex');
  readonly startedAt = Date.now();
  readonly request: IncomingMessage;
  readonly match: RouteMatch;
  /** Headers for the upstream; plugins see and change these, as ngx.req does. */
  readonly headers: HeaderList;
  /** Headers that plugins add to the answer, whoever gives it. */
  readonly responseHeaders = new HeaderList();
  readonly upstream: Upstream;
  /** `kong.ctx.shared` and ngx.ctx of the request. */
  readonly shared = new Map<string, Packed>();
  readonly context = new Map<string, Packed>();
  credential: KeyCredential | undefined;
  consumer: Consumer | undefined;
  /** The plugin that is running. */
  plugin: PluginUse | undefined;

  constructor(request: IncomingMessage, match: RouteMatch) {
    this.request = request;
    this.match = match;
    this.headers = HeaderList.fromRaw(request.rawHeaders);
    const { service, preserve_host: preserves } = match.route;
    this.upstream = {
      method: request.method ?? 'GET',
      scheme: service.protocol,
      host: service.host,
      port: service.port,
      path: escapePath(match.upstreamPath),
      query: splitTarget(request.url ?? '/').query,
      hostHeader: preserves ? this.headers.first('host') : undefined,
      retries: service.retries,
      connectTimeout: service.connect_timeout,
      readTimeout: service.read_timeout,
    };
  }

  /** The client's address, IPv4 where it is one. */
  get clientIp(): string {
    return (this.request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  }

  /** nginx's $host: the Host header in lower case, without port. */
  get host(): string {
    return (this.request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  }

  get serverPort(): number {
    return this.request.socket.localPort ?? 0;
  }
}
