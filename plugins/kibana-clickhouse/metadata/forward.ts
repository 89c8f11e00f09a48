import type { Readable } from 'node:stream';
import { Agent, request as send } from 'undici';
import { internalError, storeUnavailable } from '../common/errors/catalogue';
import type { ElasticsearchError } from '../common/errors/elasticsearch-error';
import { parseAddress, type ElasticsearchAddress } from './address';
import { endToEndHeaders, forwardedHeaders, type HeaderLines } from './headers';

/** A caller's request as it is sent on to Elasticsearch. */
export interface ForwardedRequest {
  readonly method: string;
  /** Path and query string, percent-encoded, without the Service's path. */
  readonly target: string;
  /** The Service's path; an address of `metadata_config.hosts` that has a path of its own wins. */
  readonly prefix: string;
  /** The caller's header lines; hop-by-hop ones are left out here. */
  readonly headers: HeaderLines;
  /** Empty: no body. */
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

/** Elasticsearch's answer: the bytes as they came, without the headers of the connection. */
export interface ForwardedResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Readable;
}

/** No connection was made, so nothing was executed: the next host may be asked. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const CONNECT_TIMEOUT_MS = 3_000;
const MAX_CONNECTIONS = 256;

/**
 * Sends callers' requests on to Elasticsearch: with their own headers, to the first reachable host,
 * without redirects and without a second try after the request was sent. `metadata_config.headers`
 * never go with them: they are the plugin's own rights.
 */
export class Elasticsearch {
  readonly #addresses: readonly ElasticsearchAddress[];
  readonly #agent: Agent;
  /** Position of the host that answered last. */
  #preferred = 0;

  /**
   * Opens no connection. `ca`: certificates of authorities in PEM, in place of those that Node trusts. Throws an
   * `ElasticsearchError` (500) that names an address it cannot read.
   */
  constructor(hosts: readonly string[], ca?: string) {
    this.#addresses = hosts.map((host, i) => {
      const address = parseAddress(host);
      if (address) return address;
      throw internalError(
        `[kibana-clickhouse] metadata_config.hosts[${String(i)}] is no address: expected host:port or http(s)://host:port`,
      );
    });
    this.#agent = new Agent({
      connections: MAX_CONNECTIONS,
      connect: { timeout: CONNECT_TIMEOUT_MS, ...(ca !== undefined && { ca }) },
    });
  }

  /** 503 `no_shard_available_action_exception` when no host can be reached or the connection breaks. */
  async send(request: ForwardedRequest): Promise<ForwardedResponse> {
    let failure: unknown;
    for (let tried = 0; tried < this.#addresses.length; tried++) {
      const position = (this.#preferred + tried) % this.#addresses.length;
      const address = this.#addresses[position];
      if (!address) break;
      try {
        const response = await this.#sendTo(address, request);
        this.#preferred = position;
        return response;
      } catch (error) {
        failure = error;
        if (!isNotConnected(error)) break;
      }
    }
    throw unreachable(failure);
  }

  /** Ends the connections; requests under way are cut off. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #sendTo(
    { origin, path }: ElasticsearchAddress,
    request: ForwardedRequest,
  ): Promise<ForwardedResponse> {
    const { statusCode, headers, body } = await send(
      `${origin}${path === '' ? request.prefix : path}${request.target}`,
      {
        method: request.method as 'GET',
        headers: forwardedHeaders(request.headers),
        body: request.body.length === 0 ? null : request.body,
        signal: request.signal,
        dispatcher: this.#agent,
      },
    );
    return { status: statusCode, headers: endToEndHeaders(defined(headers)), body };
  }
}

/** The whole body of an answer. 503 when the connection breaks before its end. */
export async function bodyOf({ body }: ForwardedResponse): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk as Buffer);
  } catch (error) {
    throw unreachable(error);
  }
  return Buffer.concat(chunks);
}

const unreachable = (cause: unknown): ElasticsearchError =>
  storeUnavailable('[kibana-clickhouse] Elasticsearch cannot be reached', cause);

function isNotConnected(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // Several addresses of one name were tried (Node's "happy eyeballs").
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.every(isNotConnected);
  return 'code' in error && typeof error.code === 'string' && NOT_CONNECTED.has(error.code);
}

const defined = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | readonly string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
