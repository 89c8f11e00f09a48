import { LRUCache } from 'lru-cache';
import { forbidden, storeUnavailable } from '../common/errors/catalogue';
import { writeJson } from '../common/json/write-json';
import { callerKey, type Caller } from './caller';
import { bodyOf, type Elasticsearch, type ForwardedResponse } from './forward';
import { filterHeaders } from './headers';

/** Whether a caller may read an index. A refusal is Elasticsearch's own answer, to be passed on. */
export type Verdict = { readonly kind: 'allowed' } | Denial;

export interface Denial {
  readonly kind: 'denied';
  readonly status: number;
  /** Only what holds for every request that gets this verdict. */
  readonly headers: ForwardedResponse['headers'];
  readonly body: Buffer;
}

interface Remembered {
  readonly verdict: Verdict;
  /** Epoch ms. */
  readonly at: number;
}

/** A verdict is good for this time, in ms. */
const FRESH_MS = 60_000;
/** With Elasticsearch unreachable, for this time, in ms. */
const STALE_MS = 120_000;
const PROBE_TIMEOUT_MS = 10_000;
/** Bytes of all verdicts together. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes of a verdict beside Elasticsearch's body. */
const ENTRY_BYTES = 512;

/** Headers of the caller's body, which the probe does not have. */
const OF_THE_BODY: ReadonlySet<string> = new Set([
  'accept-encoding',
  'content-encoding',
  'content-type',
]);

/**
 * Asks Elasticsearch whether a caller may read an index, by `POST /{index}/_search?size=0` with the
 * caller's own headers: 2xx and 404 mean yes (the index need not exist there), and so does the 400 of a
 * closed index, which Elasticsearch answers only to those who may read it. `HEAD /{index}` would
 * refuse rightful readers (seen on a secured OpenSearch). Verdicts are kept for 60 s; when Elasticsearch
 * cannot be asked then, for 60 s more.
 */
export class Authorization {
  readonly #elasticsearch: Elasticsearch;
  readonly #now: () => number;
  readonly #remembered = new LRUCache<string, Remembered>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ verdict }) =>
      verdict.kind === 'denied' ? ENTRY_BYTES + verdict.body.length : ENTRY_BYTES,
  });
  readonly #asked = new Map<string, Promise<Verdict>>();

  constructor(elasticsearch: Elasticsearch, now: () => number = Date.now) {
    this.#elasticsearch = elasticsearch;
    this.#now = now;
  }

  /** 503 when Elasticsearch cannot tell and did not tell within the last two minutes. */
  async verdict(index: string, caller: Caller): Promise<Verdict> {
    const key = callerKey(index, caller);
    const remembered = this.#remembered.get(key);
    if (remembered && this.#now() - remembered.at < FRESH_MS) return remembered.verdict;
    try {
      return await this.#askOnce(key, index, caller);
    } catch (error) {
      if (remembered && this.#now() - remembered.at < STALE_MS) return remembered.verdict;
      throw error;
    }
  }

  #askOnce(key: string, index: string, caller: Caller): Promise<Verdict> {
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const asking = this.#ask(index, caller)
      .then((verdict) => {
        this.#remembered.set(key, { verdict, at: this.#now() });
        return verdict;
      })
      .finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return asking;
  }

  /** Not bound to one request's signal: others may wait for the same answer. */
  async #ask(index: string, { headers, prefix }: Caller): Promise<Verdict> {
    const response = await this.#elasticsearch.send({
      method: 'POST',
      target: `/${encodeURIComponent(index)}/_search?size=0`,
      prefix,
      headers: filterHeaders(headers, (name) => !OF_THE_BODY.has(name)),
      body: Buffer.alloc(0),
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return readVerdict(index, response, await bodyOf(response));
  }
}

function readVerdict(index: string, { status, headers }: ForwardedResponse, body: Buffer): Verdict {
  if (status === 200 && searchedNothing(body)) return deniedInSilence(index);
  if ((status >= 200 && status < 300) || status === 404 || isClosedIndex(status, body))
    return { kind: 'allowed' };
  if (status >= 400 && status < 500 && status !== 408 && status !== 429)
    return { kind: 'denied', status, headers: lasting(headers), body };
  throw storeUnavailable(
    `[kibana-clickhouse] Elasticsearch could not say whether the caller may read the index: it answered with status ${String(status)}`,
  );
}

/**
 * A search of an index that exists asks one shard at least. OpenSearch with
 * `do_not_fail_on_forbidden_empty` answers a forbidden one with 200, no shards and no documents.
 */
const searchedNothing = (body: Buffer): boolean =>
  /"_shards"\s*:\s*\{\s*"total"\s*:\s*0\s*,/.test(body.toString());

function deniedInSilence(index: string): Denial {
  const error = forbidden(
    `[kibana-clickhouse] the caller may not read [${index}]: Elasticsearch searches none of it`,
  );
  return {
    kind: 'denied',
    status: error.status,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: Buffer.from(writeJson(error.toBody())),
  };
}

const isClosedIndex = (status: number, body: Buffer): boolean =>
  status === 400 && body.includes('"type":"index_closed_exception"');

/** Headers of a denial that are not of one request only, as `x-opaque-id` and `set-cookie` are. */
const LASTING: ReadonlySet<string> = new Set([
  'content-type',
  'retry-after',
  'www-authenticate',
  'x-elastic-product',
]);

const lasting = (headers: ForwardedResponse['headers']): ForwardedResponse['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => LASTING.has(name)));
