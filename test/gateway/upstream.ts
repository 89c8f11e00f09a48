import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** One request as the upstream received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Upstream {
  readonly port: number;
  /** Without what the plugin asks for itself. */
  readonly received: readonly Received[];
  /** Replaces what is answered; default: 200 and `{"upstream":true}`. */
  answer(how: (request: Received, response: ServerResponse) => void): void;
  /** Forgets what was received and answers the default again. */
  reset(): void;
  close(): Promise<void>;
}

interface TlsFiles {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** What the plugin itself asks for: no callers' requests, and there is nothing. */
const isOwn = (url: string): boolean => /^\/(?:[^/]+\/)*proxy-(?:settings|black-list)/.test(url);

const plainAnswer = (_request: Received, response: ServerResponse): void => {
  response.setHeader('content-type', 'application/json');
  response.end('{"upstream":true}');
};

/** A server in Elasticsearch's place, for claims about bytes that pass: it knows nothing of searches. */
export async function startUpstream(tls?: TlsFiles): Promise<Upstream> {
  const received: Received[] = [];
  let how = plainAnswer;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const entry = { method, url, headers, body: Buffer.concat(chunks) };
      if (isOwn(url)) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"found":false}');
        return;
      }
      received.push(entry);
      how(entry, response);
    });
  };
  const options = { maxHeaderSize: 262_144 };
  const server = tls
    ? createTlsServer({ ...options, ...tls }, listener)
    : createServer(options, listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    answer: (next) => {
      how = next;
    },
    reset: () => {
      received.length = 0;
      how = plainAnswer;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
