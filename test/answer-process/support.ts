import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { FromAnswerProcess } from '../../plugins/kibana-clickhouse/gateway/answer-process/messages';
import {
  HANDOVER_HEADER,
  encodeHandover,
  type Handover,
} from '../../plugins/kibana-clickhouse/gateway/handover';
import type { PluginConfig } from '../../schema/plugin-config';

const MAIN = join(__dirname, '../../plugins/kibana-clickhouse/gateway/answer-process/main.ts');

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Buffer | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly handover?: Partial<Handover>;
  /** Sends the body in pieces, without a length. */
  readonly chunked?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  readonly json: () => Record<string, unknown>;
}

/** The real answer process, forked as the plugin server forks it. */
export class AnswerProcessUnderTest {
  readonly child: ChildProcess;
  readonly port: number;
  readonly secret: string;
  readonly #stderr: () => string;

  private constructor(
    child: ChildProcess,
    { port, secret }: { readonly port: number; readonly secret: string },
    stderr: () => string,
  ) {
    this.child = child;
    this.port = port;
    this.secret = secret;
    this.#stderr = stderr;
  }

  static async start(): Promise<AnswerProcessUnderTest> {
    const child = fork(MAIN, [], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ready = await Promise.race([
      message(child, 'ready'),
      once(child, 'exit').then(() => {
        throw new Error(`the answer process ended: ${stderr}`);
      }),
    ]);
    return new AnswerProcessUnderTest(child, ready, () => stderr);
  }

  /** All that it logged so far. */
  get log(): string {
    return this.#stderr();
  }

  async configure(runtime: string, config: Partial<PluginConfig>): Promise<void> {
    const configured = message(this.child, 'configured');
    const full = { role: 'proxy', failure_mode: 'drop-in', log_level: 'debug', ...config };
    this.child.send({ kind: 'configure', runtime, config: full });
    await configured;
  }

  /** Calls it as Kong would, with a valid hand-over unless parts of it are given. */
  async call(call: Call): Promise<Answer> {
    const request = this.open(call);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      bytes,
      text: bytes.toString(),
      json: () => JSON.parse(bytes.toString()) as Record<string, unknown>,
    };
  }

  /** The request, sent; its answer is the caller's to read. */
  open({
    method,
    path,
    body,
    headers = {},
    handover = {},
    chunked = false,
  }: Call): ReturnType<typeof httpRequest> {
    const own = { secret: this.secret, runtime: 'r', role: 'proxy', prefix: '', ...handover };
    const framing = chunked
      ? { 'transfer-encoding': 'chunked' }
      : { 'content-length': String(Buffer.byteLength(body ?? '')) };
    const request = httpRequest({
      host: '127.0.0.1',
      port: this.port,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      path,
      agent: false,
      headers: {
        [HANDOVER_HEADER]: encodeHandover(own as Handover),
        ...(body !== undefined && { 'content-type': 'application/json', ...framing }),
        ...headers,
      },
    });
    if (chunked && body !== undefined) {
      const bytes = Buffer.from(body);
      for (let at = 0; at < bytes.length; at += 65_536)
        request.write(bytes.subarray(at, at + 65_536));
      request.end();
    } else request.end(body);
    return request;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
  }
}

function message<K extends FromAnswerProcess['kind']>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<FromAnswerProcess, { kind: K }>> {
  return new Promise((resolve) => {
    const take = (received: FromAnswerProcess): void => {
      if (received.kind !== kind) return;
      child.off('message', take);
      resolve(received as Extract<FromAnswerProcess, { kind: K }>);
    };
    child.on('message', take);
  });
}
