import { Decoder, encode } from '@msgpack/msgpack';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A PDK call that the plugin made, or its end. */
export interface PdkCall {
  readonly Method: string;
  readonly Args: readonly unknown[];
}

interface EventAnswer {
  readonly EventId: number;
  readonly Data: PdkCall | 'ret';
}

/** What Kong answers to PDK calls, by their Lua names: undefined is nil, an Error fails the call. */
export type PdkAnswers = Readonly<Record<string, unknown>>;

/** One of Kong's connections to the plugin server: MessagePack-RPC over the unix socket. */
export class KongSide {
  readonly #socket: Socket;
  readonly #waiting = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >();
  #nextId = 1;

  private constructor(socket: Socket) {
    this.#socket = socket;
    // A plugin server that crashes resets the connection: the calls below are rejected instead.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('connection closed'));
      this.#waiting.clear();
    });
    void this.#read();
  }

  static async connect(path: string): Promise<KongSide> {
    const socket = connect(path);
    await once(socket, 'connect');
    return new KongSide(socket);
  }

  /** An RPC's message and the promise of its result. */
  message(
    method: string,
    ...args: readonly unknown[]
  ): { bytes: Buffer; result: Promise<unknown> } {
    const id = this.#nextId++;
    const result = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    // Whoever only wants to send it need not wait for its end.
    result.catch(() => undefined);
    return { bytes: Buffer.from(encode([0, id, `plugin.${method}`, args])), result };
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  async call(method: string, ...args: readonly unknown[]): Promise<unknown> {
    const { bytes, result } = this.message(method, ...args);
    this.write(bytes);
    return result;
  }

  /** Starts an instance as Kong does: the configuration travels as JSON. */
  async startInstance(config: unknown): Promise<number> {
    const started = await this.call('StartInstance', {
      Name: 'kibana-clickhouse',
      Config: JSON.stringify(config),
    });
    return (started as { readonly Id: number }).Id;
  }

  /** Runs the access phase and gives the PDK calls that it made, in order. */
  async access(instanceId: number, answers: PdkAnswers = {}): Promise<readonly PdkCall[]> {
    const calls: PdkCall[] = [];
    let answer = (await this.call('HandleEvent', {
      InstanceId: instanceId,
      EventName: 'access',
    })) as EventAnswer;
    while (answer.Data !== 'ret') {
      calls.push(answer.Data);
      if (answer.Data.Method === 'kong.response.exit') break;
      const given = answers[answer.Data.Method] ?? null;
      const step = given instanceof Error ? 'StepError' : 'Step';
      const data = given instanceof Error ? given.message : given;
      answer = (await this.call(step, { EventId: answer.EventId, Data: data })) as EventAnswer;
    }
    return calls;
  }

  close(): void {
    this.#socket.destroy();
  }

  async #read(): Promise<void> {
    const decoder = new Decoder();
    try {
      for await (const message of decoder.decodeStream(this.#socket)) {
        const [, id, error, result] = message as [number, number, string | null, unknown];
        const waiting = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (error === null) waiting?.resolve(result);
        else waiting?.reject(new Error(error));
      }
    } catch {
      this.#socket.destroy();
    }
  }
}
