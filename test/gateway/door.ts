import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A port in front of a server, which can be shut: then connections are refused, and open ones break. */
export interface Door {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** A door to `target` (`http://127.0.0.1:port`), which is the real server behind it. */
export async function doorTo(target: string): Promise<Door> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  let server: Server | undefined;
  const listen = async (port: number): Promise<number> => {
    const next = createServer((client) => {
      const behind = keep(connect(Number(targetPort), hostname));
      keep(client).pipe(behind).pipe(client);
      client.once('close', () => behind.destroy());
      behind.once('close', () => client.destroy());
    });
    await new Promise<void>((done, fail) => {
      next.once('error', fail);
      next.listen(port, '127.0.0.1', done);
    });
    server = next;
    return (next.address() as AddressInfo).port;
  };
  const shut = async (): Promise<void> => {
    const closing = server;
    server = undefined;
    if (!closing) return;
    const closed = new Promise((done) => closing.close(done));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${String(port)}`,
    shut,
    open: async () => {
      if (!server) await listen(port);
    },
    close: shut,
  };
}
