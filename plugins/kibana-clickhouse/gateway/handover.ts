import type { Role } from './endpoints/definition';

/**
 * What `access()` tells the answer process about a request, in one header. The secret proves that the
 * request came through the plugin server; the answer process takes nothing else on trust.
 */
export interface Handover {
  readonly secret: string;
  /** Which configuration: the id under which it was sent to the answer process. */
  readonly runtime: string;
  readonly role: Role;
  /** The Service's path, `''` when it has none. */
  readonly prefix: string;
  readonly consumer?: string;
  /** The Service's `read_timeout`, in ms. */
  readonly readTimeoutMs?: number;
  /** Address of the Elasticsearch behind Kong, where the configuration names none: `http://es:9200`. */
  readonly elasticsearch?: string;
  /** Why `access()` could not decide: the answer process then only refuses, with this reason. */
  readonly refusal?: string;
  /**
   * HTTP status of the refusal: 400 for a fault of the request, 502 where there is no Elasticsearch
   * to send it to, else 503. Only with `refusal`.
   */
  readonly refusalStatus?: 400 | 502 | 503;
}

export const HANDOVER_HEADER = 'x-kibana-clickhouse';

/** Header value of a hand-over: base64url JSON, so that any consumer name fits. */
export const encodeHandover = (handover: Handover): string =>
  Buffer.from(JSON.stringify(handover)).toString('base64url');

/** Reads a header value back; undefined when it is none of ours. The caller compares the secret. */
export function decodeHandover(value: string): Handover | undefined {
  try {
    return JSON.parse(Buffer.from(value, 'base64url').toString()) as Handover;
  } catch {
    return undefined;
  }
}
