import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange, Exit } from '../exchange';
import type { Log } from '../log';
import { isAddress } from '../pdk/service';
import { errorExit } from './answers';
import { attempt, type AttemptFailure, type UpstreamConnections } from './attempt';
import { clientHeaders, upstreamHeaders } from './forwarded-headers';
import { RequestBody } from './request-body';

/** How much of a request's body is kept for a repetition; bytes. Larger requests are sent once. */
const REPEATABLE_BYTES = 16 * 1024 * 1024;

/** nginx never repeats these once they were sent (proxy_next_upstream without non_idempotent). */
const NOT_IDEMPOTENT = new Set(['POST', 'LOCK', 'PATCH']);

const STATUSES = { timeout: 504, name: 503, error: 502 } as const;

const isFailure = (outcome: IncomingMessage | AttemptFailure): outcome is AttemptFailure =>
  'kind' in outcome;

/**
 * Sends requests to their upstream and streams the answer back, byte for byte and in both directions
 * as it comes. Resolves to an answer of Kong's own when the upstream gave none.
 */
export class Proxy {
  readonly #connections: UpstreamConnections;
  readonly #log: Log;

  constructor(connections: UpstreamConnections, log: Log) {
    this.#connections = connections;
    this.#log = log;
  }

  /** Undefined when the upstream has answered or the client has gone. */
  async forward(exchange: Exchange, response: ServerResponse): Promise<Exit | undefined> {
    const { upstream, match } = exchange;
    if (isAddress(match.route.service.host) && !isAddress(upstream.host)) {
      // Kong asks DNS only where the Service's host is a name; a name as peer then raises.
      this.#log.line('error', `bad IPv4 or IPv6 address: ${upstream.host}`);
      return errorExit(500, exchange.id);
    }
    const outcome = await this.#tried(exchange, response);
    if (!isFailure(outcome)) {
      this.#answer(exchange, response, outcome);
      return undefined;
    }
    return response.destroyed ? undefined : errorExit(STATUSES[outcome.kind], exchange.id);
  }

  /** As many attempts as the Service's retries allow and nginx would make. */
  async #tried(
    exchange: Exchange,
    response: ServerResponse,
  ): Promise<IncomingMessage | AttemptFailure> {
    const { upstream } = exchange;
    const repeats = upstream.retries > 0 && !NOT_IDEMPOTENT.has(upstream.method);
    const body = new RequestBody(exchange.request, repeats ? REPEATABLE_BYTES : -1);
    for (let left = upstream.retries; ; left -= 1) {
      const outcome = await this.#once(exchange, response, body);
      if (!isFailure(outcome) || response.destroyed) return outcome;
      this.#log.line('error', `${upstream.host}:${String(upstream.port)}: ${outcome.reason}`);
      const mayRepeat = !outcome.sent || (repeats && body.isRepeatable);
      if (left <= 0 || outcome.kind === 'name' || !mayRepeat) return outcome;
    }
  }

  async #once(
    exchange: Exchange,
    response: ServerResponse,
    body: RequestBody,
  ): Promise<IncomingMessage | AttemptFailure> {
    const { upstream, match } = exchange;
    const agent = this.#connections.agent(upstream.scheme, match.route.service.tls_verify === true);
    const headers = upstreamHeaders(exchange).toRaw();
    const running = attempt({ upstream, headers, agent, body });
    const gone = (): void => {
      if (!response.writableFinished) running.abort();
    };
    response.once('close', gone);
    const outcome = await running.outcome;
    if (isFailure(outcome)) response.off('close', gone);
    return outcome;
  }

  #answer(exchange: Exchange, response: ServerResponse, upstream: IncomingMessage): void {
    if (response.destroyed) {
      upstream.destroy();
      return;
    }
    response.sendDate = false;
    const headers = clientHeaders(upstream.rawHeaders, exchange).toRaw();
    response.writeHead(upstream.statusCode ?? 502, upstream.statusMessage, headers);
    // The client sees status and headers as soon as they are there, not with the first byte of the body.
    response.flushHeaders();
    const broken = (): void => {
      // Half an answer must not look like a whole one: the connection ends without the last chunk.
      if (!response.writableFinished) response.destroy();
    };
    upstream.on('error', broken);
    upstream.on('close', () => {
      if (!upstream.complete) broken();
    });
    this.#watchSilence(exchange, response, upstream);
    upstream.pipe(response);
  }

  #watchSilence(exchange: Exchange, response: ServerResponse, upstream: IncomingMessage): void {
    upstream.setTimeout(exchange.upstream.readTimeout, () => {
      // A client that reads slowly holds the upstream back: then the silence is not the upstream's.
      if (!response.writableNeedDrain) upstream.destroy();
    });
  }
}
