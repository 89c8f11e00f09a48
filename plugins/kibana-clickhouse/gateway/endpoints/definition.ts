import type { Readable } from 'node:stream';
import type { JsonObject, JsonValue } from '../../common/json/json';
import type { Runtime } from '../runtime';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
export type Role = 'proxy' | 'admin';

/** A request as the answer process got it. The body is read whole before a handler is called. */
export interface GatewayRequest {
  readonly method: string;
  /** Path without the Service's path, still percent-encoded, and without the query string. */
  readonly path: string;
  /** The Service's path in front of `path`: `''` or `/es/v1`. Needed to send a request on. */
  readonly prefix: string;
  /** Query string as it came, without `?`; `''` when there is none. */
  readonly rawQuery: string;
  /** Decoded query-string parameters; of a repeated one the last value, as in Elasticsearch. */
  readonly query: ReadonlyMap<string, string>;
  /** Lower-case names; several lines of one header are joined by `, `. */
  readonly headers: ReadonlyMap<string, string>;
  /** Header lines as they came, without the hand-over: what a forwarded request carries. */
  readonly rawHeaders: readonly string[];
  /** Values of the path template's `{…}` parts, decoded once. */
  readonly params: Readonly<Record<string, string>>;
  /** The whole body, decompressed; empty when the request has none. */
  readonly body: Buffer;
  /** The body as it came: what a request carries that is sent on unchanged. */
  readonly rawBody: Buffer;
  /** Kong's authenticated consumer (username, else custom id, else id). */
  readonly consumer: string | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** `x-opaque-id`, else an id made for this request: for logs and ClickHouse's log_comment. */
  readonly id: string;
}

/**
 * What a handler answers. `json` is written by the gateway (which adds the product header, content
 * type and x-opaque-id); `stream` is JSON text in pieces; `raw` is an Elasticsearch answer sent on.
 */
export type GatewayResponse =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: JsonValue;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'stream';
      readonly status: number;
      readonly body: Readable;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'raw';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly body: Readable;
    };

export interface EndpointHandler {
  handle(request: GatewayRequest, runtime: Runtime): Promise<GatewayResponse>;
}

/**
 * One line of the endpoint table. It decides twice: in `access()`, by path alone, whether a request
 * is ours, and in the answer process which handler answers.
 */
export interface Endpoint {
  readonly name: string;
  readonly role: Role;
  readonly methods: readonly Method[];
  /** Path template: `/{index}/_search`, `/_resolve/index/{index}`. */
  readonly path: string;
  /**
   * Where the index names stand. `path`: ours when the path names a whitelisted index; `list`: likewise, and what names
   * everything (`*`, or no index in the path) names ours, because both sides' indexes are listed together. `id`: ours when `{id}`
   * is an id of ours. `body`: always handed over, because only the body tells; what is not ours is sent on from there. `none`: no
   * index at all (admin endpoints).
   */
  readonly index: 'path' | 'list' | 'id' | 'body' | 'none';
  /** The handler refuses what is ours; absent: it answers. */
  readonly refuses?: true;
  /** Loads the handler: the plugin server reads this table but never loads a handler. */
  readonly load: () => Promise<EndpointHandler>;
}

/** Helper for handlers that answer plain JSON. */
export const json = (body: JsonObject, status = 200): GatewayResponse => ({
  kind: 'json',
  status,
  body,
});
