/** Kong's Service as `kong.router.getService` gives it (only what the plugin reads). */
export interface KongService {
  readonly protocol?: string;
  readonly host?: string;
  readonly port?: number;
  /** `null` or absent when kong.yml names none; `/` for a url that ends with a slash. */
  readonly path?: string | null;
  /** ms */
  readonly read_timeout?: number | null;
}

/** Kong's Consumer as `kong.client.getConsumer` gives it. */
export interface KongConsumer {
  readonly id?: string;
  readonly username?: string | null;
  readonly custom_id?: string | null;
}

/**
 * The part of Kong's PDK that the plugin uses; each call is one round trip to Kong. kong-pdk's own
 * typings are wrong in places (the body of `exit`), so the plugin has its own. A call that fails in
 * Lua with `nil, error` gives null or undefined here; one that raises never returns, and Kong answers
 * 500.
 */
export interface Pdk {
  readonly nginx: {
    getVar(name: string): Promise<unknown>;
  };
  readonly router: {
    getService(): Promise<KongService | null | undefined>;
  };
  readonly client: {
    getConsumer(): Promise<KongConsumer | null | undefined>;
  };
  readonly service: {
    /** IP address, or a name where the Service's own host is a name. */
    setTarget(host: string, port: number): Promise<unknown>;
    readonly request: {
      setHeaders(headers: Readonly<Record<string, string>>): Promise<unknown>;
      setScheme(scheme: 'http' | 'https'): Promise<unknown>;
    };
  };
  readonly response: {
    /** Ends the request: no PDK call may follow it. A string body would be re-encoded. */
    exit(status: number, body: Buffer, headers: Readonly<Record<string, string>>): Promise<unknown>;
  };
}
