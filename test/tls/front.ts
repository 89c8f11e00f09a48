import { type IncomingMessage, request } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Authority } from './authority';

/** TLS in front of a server that has none, such as the embedded ClickHouse. */
export interface Front {
  readonly url: string;
  /** Headers of the requests that came. */
  readonly seen: readonly IncomingMessage['headers'][];
  close(): void;
}

/** `behind`: `http://127.0.0.1:port`. */
export async function startFront(
  behind: string,
  { server: { key, cert }, ca }: Authority,
  options: ServerOptions = {},
): Promise<Front> {
  const seen: IncomingMessage['headers'][] = [];
  const { port: behindPort } = new URL(behind);
  const server = createServer({ key, cert, ca, ...options }, (incoming, answer) => {
    seen.push(incoming.headers);
    const { method, url: path, headers } = incoming;
    const sent = request({ port: behindPort, method, path, headers }, (back) => {
      answer.writeHead(back.statusCode ?? 502, back.headers);
      back.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${String(port)}`,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
