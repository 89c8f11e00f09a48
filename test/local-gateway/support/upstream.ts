import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What an upstream saw of a request. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A real HTTP server that stands where Elasticsearch would. */
export interface TestUpstream {
  readonly port: number;
  readonly seen: Seen[];
  /** How the next requests are answered; by default with what was seen, as JSON. */
  answer: (request: IncomingMessage, response: ServerResponse, seen: Seen) => void;
  /** Gets each piece of a request's body as it comes. */
  arrived: (chunk: Buffer) => void;
  close(): Promise<void>;
}

const echo = (_request: IncomingMessage, response: ServerResponse, seen: Seen): void => {
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-elastic-product', 'Elasticsearch');
  response.end(JSON.stringify({ ...seen, body: seen.body.toString() }));
};

function certificate(): { readonly key: Buffer; readonly cert: Buffer } {
  const directory = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const request = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=localhost',
  ];
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const read = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(directory, { recursive: true });
  return read;
}

export async function startUpstream(scheme: 'http' | 'https' = 'http'): Promise<TestUpstream> {
  const seen: Seen[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      upstream.arrived(chunk);
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks) };
      seen.push(one);
      upstream.answer(request, response, one);
    });
    request.on('error', () => undefined);
  };
  const options = { maxHeaderSize: 256 * 1024 };
  const server =
    scheme === 'http'
      ? http.createServer(options, listener)
      : https.createServer({ ...options, ...certificate() }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: TestUpstream = {
    port: (server.address() as AddressInfo).port,
    seen,
    answer: echo,
    arrived: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return upstream;
}

/** Lets an upstream answer with what it saw again, and forget. */
export function reset(upstream: TestUpstream): void {
  upstream.answer = echo;
  upstream.arrived = () => undefined;
  upstream.seen.length = 0;
}
