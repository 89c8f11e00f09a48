import { createServer } from 'node:net';

/**
 * Whether a TCP port of 127.0.0.1 can be bound now; port 0 asks for any. Gives the port number.
 * Throws Node's own error (`EADDRINUSE`, `EACCES`) when it cannot.
 */
export function bindablePort(port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => {
        resolve(bound);
      });
    });
  });
}
