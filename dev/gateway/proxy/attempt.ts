import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Upstream } from '../exchange';
import type { RequestBody } from './request-body';

/** Connections to upstreams, kept alive like Kong's pool: idle ones close after 60 s. */
export class UpstreamConnections {
  readonly #http = new http.Agent({ keepAlive: true, timeout: 60_000 });
  readonly #https = {
    verified: new https.Agent({ keepAlive: true, timeout: 60_000 }),
    // Kong's Services do not verify certificates unless tls_verify says so.
    unverified: new https.Agent({ keepAlive: true, timeout: 60_000, rejectUnauthorized: false }),
  };

  agent(scheme: 'http' | 'https', verifies: boolean): http.Agent {
    if (scheme === 'http') return this.#http;
    return verifies ? this.#https.verified : this.#https.unverified;
  }

  close(): void {
    this.#http.destroy();
    this.#https.verified.destroy();
    this.#https.unverified.destroy();
  }
}

/** Why an attempt gave no answer, and whether the upstream may have seen the request. */
export interface AttemptFailure {
  readonly kind: 'timeout' | 'name' | 'error';
  readonly sent: boolean;
  readonly reason: string;
}

/** One attempt to get an answer from the upstream. */
export interface Attempt {
  readonly outcome: Promise<IncomingMessage | AttemptFailure>;
  /** Drops the connection, whatever the upstream is doing. */
  abort(): void;
}

interface AttemptInput {
  readonly upstream: Upstream;
  readonly headers: readonly string[];
  readonly agent: http.Agent;
  readonly body: RequestBody;
}

/** Beyond this an answer's headers are refused, as nginx does with its proxy buffers; bytes. */
const MAX_HEADERS = 256 * 1024;

function opened({ upstream, headers, agent }: AttemptInput): ClientRequest {
  const { scheme, host, port, path, query, method } = upstream;
  const named = upstream.hostHeader?.replace(/:\d+$/, '') ?? host;
  const options = {
    agent,
    method,
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port,
    path: query === undefined ? path : `${path}?${query}`,
    headers,
    maxHeaderSize: MAX_HEADERS,
    ...(scheme === 'https' ? { servername: isIP(named) === 0 ? named : '' } : {}),
  };
  return (scheme === 'https' ? https : http).request(options);
}

function failed(error: NodeJS.ErrnoException, sent: boolean): AttemptFailure {
  const unresolved = error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN';
  return { kind: unresolved ? 'name' : 'error', sent, reason: error.message };
}

/** Runs when the request has a connection that can be written to; TLS included. */
function whenConnected(request: ClientRequest, then: () => void): void {
  request.once('socket', (socket) => {
    const tls = socket as Partial<TLSSocket> & { readonly secureConnecting?: boolean };
    if (tls.secureConnecting === true) socket.once('secureConnect', then);
    else if (socket.connecting) socket.once('connect', then);
    else then();
  });
}

/**
 * Sends the request once. The body follows only when there is a connection, so that a refused one can
 * be tried again. `connectTimeout` and `readTimeout` (ms, silence of the upstream) end it.
 */
export function attempt(input: AttemptInput): Attempt {
  const request = opened(input);
  const { upstream, body } = input;
  let sent = false;
  const outcome = new Promise<IncomingMessage | AttemptFailure>((resolve) => {
    const give = (result: IncomingMessage | AttemptFailure): void => {
      clearTimeout(connecting);
      resolve(result);
    };
    const timedOut = (reason: string): void => {
      body.detach();
      give({ kind: 'timeout', sent, reason });
      request.destroy();
    };
    const connecting = setTimeout(() => {
      timedOut('connecting took too long');
    }, upstream.connectTimeout);
    whenConnected(request, () => {
      clearTimeout(connecting);
      sent = true;
      body.sendTo(request);
      request.setTimeout(upstream.readTimeout, () => {
        // While the client is still sending, the silence is not the upstream's.
        if (body.isComplete) timedOut('the upstream was silent for too long');
      });
    });
    request.once('response', give);
    request.on('error', (error) => {
      body.detach();
      give(failed(error, sent));
    });
  });
  return {
    outcome,
    abort: () => request.destroy(),
  };
}
