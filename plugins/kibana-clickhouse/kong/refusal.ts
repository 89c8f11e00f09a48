/**
 * Why a request cannot be handed over or sent on. The reason reaches the client: it names what an
 * operator can do and holds no secret.
 */
export class Refusal extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`[kibana-clickhouse] ${reason}`, options);
    this.name = 'Refusal';
  }
}

/** The reason of a failure as the client may read it; an unforeseen one stays in the log. */
export const reasonOf = (error: unknown): string =>
  error instanceof Refusal
    ? error.message
    : '[kibana-clickhouse] the request could not be routed; the log of the plugin server says why';
