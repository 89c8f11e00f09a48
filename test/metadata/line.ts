import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** How a line to a server fares: as it is, cut, or without an answer. */
export type Quality = 'good' | 'cut' | 'silent';

/** A line to a real server that can be made bad: everything goes through as it came. */
export class Line {
  readonly url: string;
  /** Requests so far, as `POST /_bulk`. */
  readonly requests: string[] = [];
  quality: Quality = 'good';
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  }

  static async to(target: string): Promise<Line> {
    const server = createServer((incoming, outgoing) => {
      line.requests.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`);
      if (line.quality === 'cut') incoming.socket.destroy();
      if (line.quality === 'good') pass(target, incoming, outgoing);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const line = new Line(server);
    return line;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers, url = '' } = incoming;
  const sent = request(`${target}${url}`, { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  sent.on('error', () => outgoing.destroy());
  incoming.pipe(sent);
}
