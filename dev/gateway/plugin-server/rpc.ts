import { decodeMultiStream, Encoder } from '@msgpack/msgpack';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';

/** A value as MessagePack carries it; strings of bytes arrive as Uint8Array. */
export type Packed =
  | string
  | number
  | boolean
  | null
  | undefined
  | Uint8Array
  | readonly Packed[]
  | { readonly [key: string]: Packed };

/** A remote call that did not answer, or answered with an error: the text that Kong would log. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
}

interface Connection {
  readonly socket: Socket;
  readonly replies: AsyncIterator<unknown>;
}

const REQUEST = 0;

/**
 * MessagePack-RPC to the plugin server as Kong speaks it (`rpc/mp_rpc.lua`): `[0, id, method, args]`,
 * answered by `[1, id, error, result]`; pooled connections, one call at a time on each.
 */
export class PluginServerRpc {
  readonly #path: string;
  readonly #timeout: number;
  readonly #encoder = new Encoder();
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Socket>();
  #lastId = 0;

  /** `timeout` (ms) is nginx's lua_socket_read_timeout: how long one call may be silent. */
  constructor(path: string, timeout: number) {
    this.#path = path;
    this.#timeout = timeout;
  }

  /** Calls `plugin.METHOD`; rejects with RpcError, "no data" when the answer never came. */
  async call(method: string, argument: Packed): Promise<Packed> {
    const connection = this.#idle.pop() ?? (await this.#connect());
    const id = ++this.#lastId;
    try {
      connection.socket.write(this.#encoder.encode([REQUEST, id, `plugin.${method}`, [argument]]));
      const [, answered, error, result] = await this.#reply(connection);
      if (answered !== id) throw new RpcError('unexpected RPC response ID from the plugin server');
      this.#release(connection);
      if (error !== null && error !== undefined) throw new RpcError(text(error));
      return result;
    } catch (error) {
      if (!this.#idle.includes(connection)) connection.socket.destroy();
      throw error;
    }
  }

  /** Closes every connection; calls under way reject with "no data". */
  close(): void {
    for (const socket of this.#all) socket.destroy();
  }

  #release(connection: Connection): void {
    if (!connection.socket.destroyed) this.#idle.push(connection);
  }

  async #reply(connection: Connection): Promise<readonly Packed[]> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new RpcError('no data'));
      }, this.#timeout);
    });
    try {
      const next = await Promise.race([connection.replies.next(), silence]);
      if (next.done === true) throw new RpcError('no data');
      return next.value as readonly Packed[];
    } catch (error) {
      throw error instanceof RpcError ? error : new RpcError('no data');
    } finally {
      clearTimeout(timer);
    }
  }

  #connect(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#path);
      this.#all.add(socket);
      socket.once('connect', () => {
        // Through a second stream the socket keeps flowing, so its end is noticed while it is idle.
        const received = socket.pipe(new PassThrough());
        socket.once('close', () => received.destroy());
        resolve({ socket, replies: decodeMultiStream(received)[Symbol.asyncIterator]() });
      });
      socket.on('error', (error) => {
        reject(new RpcError(`trying to connect: ${error.message}`));
      });
      socket.once('close', () => {
        this.#all.delete(socket);
        const place = this.#idle.findIndex((connection) => connection.socket === socket);
        if (place !== -1) this.#idle.splice(place, 1);
      });
    });
  }
}

function text(value: Packed): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
