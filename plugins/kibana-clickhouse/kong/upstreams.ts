import { connect } from 'node:net';

/** One Elasticsearch address, as `kong.service.setTarget` and `setScheme` take it. */
export interface Upstream {
  /** Undefined where the configuration names none: then the Service's own scheme holds. */
  readonly scheme: 'http' | 'https' | undefined;
  /** Name, IPv4 address, or IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORTS = { http: 80, https: 443, none: 9200 } as const;

/**
 * Reads `http://es:9200`, `https://es` or `es:9200`. A path, user and password in it are left out:
 * the path prefix of Elasticsearch stands in Kong's Service. Undefined when it is no address.
 */
export function parseUpstream(address: string): Upstream | undefined {
  const match = /^(?:(https?):\/\/)?(.*)$/i.exec(address.trim());
  const scheme = schemeOf(match?.[1]);
  const rest = match?.[2] ?? '';
  if (rest.includes('://') || !URL.canParse(`http://${rest}`)) return undefined;
  const { hostname } = new URL(`http://${rest}`);
  // Not URL.port: it is empty for 80, whether the address names that port or none.
  const port = /^(?:[^/?#]*@)?(?:\[[^\]]*\]|[^:/?#]*):(\d+)/.exec(rest)?.[1];
  if (hostname === '') return undefined;
  return {
    scheme,
    host: hostname,
    port: port === undefined ? DEFAULT_PORTS[scheme ?? 'none'] : Number(port),
  };
}

const schemeOf = (text: string | undefined): Upstream['scheme'] => {
  const lower = text?.toLowerCase();
  return lower === 'http' || lower === 'https' ? lower : undefined;
};

interface ProbeTimes {
  /** From one look to the next, in ms. */
  readonly intervalMs?: number;
  /** How long a connection may take, in ms. */
  readonly connectMs?: number;
  /** Looking ends after this time without a request, in ms. */
  readonly idleMs?: number;
}

/**
 * The Elasticsearch addresses of one configuration. With one address it is always that one. With
 * several, TCP connections are tried as long as requests come, and the first address that accepts one
 * is chosen; when none does, the first, so that Kong answers 502.
 */
export class Upstreams {
  readonly #all: readonly Upstream[];
  readonly #times: Required<ProbeTimes>;
  #healthy: Upstream | undefined;
  #look: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #usedAt = 0;

  /** Opens nothing. Addresses that cannot be read are left out. */
  constructor(hosts: readonly string[], times: ProbeTimes = {}) {
    this.#all = hosts.flatMap((host) => parseUpstream(host) ?? []);
    this.#times = { intervalMs: 2_000, connectMs: 1_000, idleMs: 60_000, ...times };
  }

  /** Where to send a request; undefined when there is no address at all. */
  async choose(): Promise<Upstream | undefined> {
    const [first] = this.#all;
    if (this.#all.length < 2) return first;
    this.#usedAt = Date.now();
    if (!this.#timer) this.#start();
    if (!this.#healthy) await this.#look;
    return this.#healthy ?? first;
  }

  /** Stops looking; the next request starts it again. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#healthy = undefined;
  }

  #start(): void {
    this.#look = this.#lookAtAll();
    this.#timer = setInterval(() => {
      if (Date.now() - this.#usedAt > this.#times.idleMs) this.close();
      else this.#look = this.#lookAtAll();
    }, this.#times.intervalMs).unref();
  }

  async #lookAtAll(): Promise<void> {
    const accepts = await Promise.all(
      this.#all.map((upstream) => acceptsConnections(upstream, this.#times.connectMs)),
    );
    if (this.#timer) this.#healthy = this.#all.find((_upstream, i) => accepts[i]);
  }
}

function acceptsConnections({ host, port }: Upstream, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port, timeout: limitMs }).unref();
    const end = (accepted: boolean) => (): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
  });
}
