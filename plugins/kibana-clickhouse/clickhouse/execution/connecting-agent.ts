import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';

/** What a ClickHouse behind TLS is trusted by, and trusts us by; texts in PEM. */
export interface TlsOptions {
  /** Certificates of authorities, in place of those that Node trusts. */
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** A server that has not accepted a connection in this time, in ms, is not reachable. */
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * Connections to one server, kept open. One that does not come about within 3 s fails with `ETIMEDOUT`: Node itself waits as
 * long as the system does, two minutes on Linux.
 */
export function connectingAgent(
  url: string,
  { maxConnections, tls = {} }: { readonly maxConnections: number; readonly tls?: TlsOptions },
): Agent {
  const options = { keepAlive: true, maxSockets: maxConnections };
  if (!url.startsWith('https:')) return new LimitedAgent(options);
  const { ca, certificate, key } = tls;
  return new LimitedSecureAgent({
    ...options,
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { cert: certificate }),
    ...(key !== undefined && { key }),
  });
}

class LimitedAgent extends Agent {
  override createConnection(
    ...given: Parameters<Agent['createConnection']>
  ): ReturnType<Agent['createConnection']> {
    const socket = super.createConnection(...given);
    limitConnecting(socket, 'connect');
    return socket;
  }
}

class LimitedSecureAgent extends SecureAgent {
  override createConnection(
    ...given: Parameters<SecureAgent['createConnection']>
  ): ReturnType<SecureAgent['createConnection']> {
    const socket = super.createConnection(...given);
    limitConnecting(socket, 'secureConnect');
    return socket;
  }
}

function limitConnecting(socket: Duplex | null | undefined, connected: string): void {
  const timer = setTimeout(() => {
    socket?.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
  }, CONNECT_TIMEOUT_MS);
  const stop = (): void => {
    clearTimeout(timer);
  };
  socket?.once(connected, stop).once('close', stop);
}
