import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as a JSON object; throws when it is none. */
  json(): Readonly<Record<string, unknown>>;
}

interface Ask {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer | object;
  readonly signal?: AbortSignal;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Closes the client's idle connections. */
export const closeClient = (): void => {
  agent.destroy();
};

/**
 * Sends one request with the path exactly as given (fetch would normalise it). An object as body is
 * sent as JSON.
 */
export function ask(url: string, path: string, options: Ask = {}): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const { method = 'GET', headers = {}, body, signal } = options;
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const payload = isJson ? JSON.stringify(body) : body;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        path,
        method,
        agent,
        maxHeaderSize: 262_144,
        headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
        ...(signal && { signal }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            text,
            json: () => JSON.parse(text) as Readonly<Record<string, unknown>>,
          });
        });
      },
    );
    outgoing.on('error', reject);
    if (payload !== undefined && headers['transfer-encoding'] === undefined)
      outgoing.setHeader('content-length', Buffer.byteLength(payload));
    outgoing.end(payload);
  });
}
