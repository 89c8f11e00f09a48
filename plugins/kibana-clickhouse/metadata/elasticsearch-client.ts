import { Client, ClusterConnectionPool, Transport, errors } from '@elastic/elasticsearch';
import { internalError } from '../common/errors/catalogue';
import { parseAddress } from './address';

/** The client of the plugin's own requests; its calls throw what `elasticsearchProblem` explains. */
export type ElasticsearchClient = Client;

export interface ElasticsearchClientOptions {
  /** As in `metadata_config.hosts`; at least one. */
  readonly hosts: readonly string[];
  /** Headers of every request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Certificates of authorities in PEM, in place of those that Node trusts. */
  readonly ca?: string;
  /** For one request, in ms; default 10,000. */
  readonly requestTimeoutMs?: number;
  /**
   * Whether the next host is asked, too, when one has not answered in time: only where a request that
   * is made twice does no harm. Default: no.
   */
  readonly retryOnTimeout?: boolean;
}

const REQUEST_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;
const MAX_CONNECTIONS = 8;

/**
 * Elasticsearch 7.10 to 9 and OpenSearch: the product check of the client would refuse OpenSearch, and
 * its media types (`application/vnd.elasticsearch+json; compatible-with=8`) OpenSearch and
 * Elasticsearch 7 do not know. Both are settings of the transport alone.
 */
class AnyStoreTransport extends Transport {
  constructor(options: ConstructorParameters<typeof Transport>[0]) {
    const unchecked = { ...options };
    delete unchecked.productCheck;
    super({
      ...unchecked,
      vendoredHeaders: {
        accept: 'application/json',
        jsonContentType: 'application/json',
        ndjsonContentType: 'application/x-ndjson',
      },
    });
  }
}

/** Asks the next host also when one has not answered in time; the client has no option for it. */
class PatientTransport extends AnyStoreTransport {
  constructor(options: ConstructorParameters<typeof Transport>[0]) {
    super({ ...options, retryOnTimeout: true });
  }
}

/**
 * A client for what the plugin itself keeps in Elasticsearch: settings, monitoring records, the query
 * blacklist. Callers' requests do not go through it (`forward.ts`). It opens no connection yet; a host
 * that cannot be reached is left for the next one, each is asked at most once. Errors hold no headers.
 * User and password in a host's address count where `headers` has no `Authorization`. Throws an
 * `ElasticsearchError` (500) that names an address it cannot read.
 */
export function createElasticsearchClient(
  options: ElasticsearchClientOptions,
): ElasticsearchClient {
  const {
    hosts,
    headers = {},
    ca,
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
    retryOnTimeout = false,
  } = options;
  return new Client({
    nodes: hosts.map((host, i) => nodeOf(host, i, headers)),
    headers: { ...headers },
    Transport: retryOnTimeout ? PatientTransport : AnyStoreTransport,
    // The pool that is used otherwise may choose a host again that has just failed.
    ConnectionPool: ClusterConnectionPool,
    resurrectStrategy: 'optimistic',
    requestTimeout: requestTimeoutMs,
    maxRetries: hosts.length - 1,
    enableMetaHeader: false,
    redaction: { type: 'remove' },
    agent: { connections: MAX_CONNECTIONS },
    // handed to the connector of undici, which takes its time limit from there, also for plain HTTP
    tls: { timeout: CONNECT_TIMEOUT_MS, ...(ca !== undefined && { ca }) },
  });
}

function nodeOf(
  host: string,
  position: number,
  headers: Readonly<Record<string, string>>,
): { readonly url: URL; readonly headers: Record<string, string> } {
  const address = parseAddress(host);
  if (!address)
    throw internalError(
      `[kibana-clickhouse] address ${String(position + 1)} of Elasticsearch cannot be read: expected host:port or http(s)://host:port`,
    );
  const isAuthorized = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  const authorization = isAuthorized ? undefined : basicAuthorization(host);
  return {
    url: new URL(`${address.origin}${address.path}`),
    headers: authorization === undefined ? {} : { authorization },
  };
}

function basicAuthorization(host: string): string | undefined {
  const { username, password } = new URL(/^https?:\/\//i.test(host) ? host : `http://${host}`);
  if (username === '') return undefined;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** What went wrong with a request of the client. */
export interface ElasticsearchProblem {
  /** HTTP status of Elasticsearch's answer; absent where none came. */
  readonly status?: number;
  /** Elasticsearch's exception, such as `cluster_block_exception`. */
  readonly type?: string;
  /** A sentence for people that holds neither address nor header nor document. */
  readonly reason: string;
}

/** Explains what a call of the client threw. */
export function elasticsearchProblem(error: unknown): ElasticsearchProblem {
  if (error instanceof errors.ResponseError) return responseProblem(error);
  if (error instanceof errors.TimeoutError)
    return { reason: 'Elasticsearch did not answer in time' };
  if (error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError)
    return { reason: 'Elasticsearch cannot be reached' };
  if (error instanceof errors.DeserializationError)
    return { reason: 'the answer of Elasticsearch is no JSON' };
  return { reason: 'the request to Elasticsearch failed' };
}

function responseProblem({ statusCode, body }: errors.ResponseError): ElasticsearchProblem {
  const type = typeOf(body);
  const what = type === undefined ? '' : ` [${type}]`;
  return {
    reason: `Elasticsearch answered with status ${String(statusCode ?? 0)}${what}`,
    ...(statusCode !== undefined && { status: statusCode }),
    ...(type !== undefined && { type }),
  };
}

/** The name of the exception in an Elasticsearch error body. */
function typeOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const { error } = body;
  if (typeof error !== 'object' || error === null || !('type' in error)) return undefined;
  const { type } = error;
  return typeof type === 'string' && /^[a-z_]+$/.test(type) ? type : undefined;
}
