import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as some upstream got it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An HTTP server that keeps what it gets and answers what it is told: for claims about bytes sent. */
export class Upstream {
  readonly received: Received[] = [];
  reply: (request: Received) => Reply = () => ({ body: '{}' });
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Upstream> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const received = { method, url, headers, body: Buffer.concat(chunks).toString('latin1') };
        upstream.received.push(received);
        const { status = 200, headers: own = {}, body = '' } = upstream.reply(received);
        response.writeHead(status, { 'content-type': 'application/json', ...own }).end(body);
      });
    });
    const upstream = new Upstream(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return upstream;
  }

  get host(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
