import { type Agent, type OutgoingHttpHeaders, request } from 'node:http';

/** A request with its whole body. */
export interface Sent {
  readonly path: string;
  /** JSON text; without it the method is GET. */
  readonly body?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** Sends a request and reads the answer to its end without keeping it: gives its bytes. Throws for any status but 200. */
export function send(port: number, agent: Agent, { path, body, headers }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
          ...headers,
        },
      },
      (answer) => {
        let bytes = 0;
        let start = '';
        answer.on('data', (chunk: Buffer) => {
          if (answer.statusCode !== 200 && bytes === 0) start = chunk.toString();
          bytes += chunk.length;
        });
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(bytes);
          else reject(new Error(`${path}: status ${String(answer.statusCode)}: ${start}`));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
