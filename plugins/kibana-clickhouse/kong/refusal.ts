/**
 * Why a request cannot be handed over or sent on. The reason reaches the client: it names what an
 * operator can do and holds no secret.
 */
export class Refusal extends Error {
  /** 502 where there is nobody to send the request on to, else 503. */
  readonly status: 502 | 503;

  constructor(reason: string, options?: ErrorOptions & { readonly status?: 502 | 503 }) {
    super(`[kibana-clickhouse] ${reason}`, options);
    this.name = 'Refusal';
    this.status = options?.status ?? 503;
  }
}

/** The reason of a failure as the client may read it; an unforeseen one stays in the log. */
export const reasonOf = (error: unknown): string =>
  error instanceof Refusal
    ? error.message
    : '[kibana-clickhouse] the request could not be routed; the log of the plugin server says why';
