import http, { type IncomingMessage } from 'node:http';

export interface Asked {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  json(): unknown;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer | string;
}

/** Sends a request with the path exactly as it is given. */
export function opened(
  url: string,
  path: string,
  options: AskOptions = {},
): { readonly request: http.ClientRequest; readonly response: Promise<IncomingMessage> } {
  const { hostname, port } = new URL(url);
  const request = http.request({
    hostname,
    port,
    path,
    agent: false,
    method: options.method ?? 'GET',
    headers: { ...options.headers } as http.OutgoingHttpHeaders,
    maxHeaderSize: 256 * 1024,
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
  });
  return { request, response };
}

export async function bytes(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function ask(url: string, path: string, options: AskOptions = {}): Promise<Asked> {
  const { request, response } = opened(url, path, options);
  request.end(options.body);
  const answer = await response;
  const body = await bytes(answer);
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body,
    json: () => JSON.parse(body.toString()) as unknown,
  };
}

/** Waits for a condition; false when it does not come within 20 s. */
export async function eventually(condition: () => Promise<boolean> | boolean): Promise<boolean> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
