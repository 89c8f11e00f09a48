import { LRUCache } from 'lru-cache';
import { ElasticsearchError } from '../common/errors/elasticsearch-error';
import { isJsonArray, isJsonObject, type JsonValue } from '../common/json/json';
import { parseJson } from '../common/json/parse-json';
import { callerKey, type Caller } from './caller';
import { bodyOf, type Elasticsearch } from './forward';
import { filterHeaders } from './headers';

interface Remembered {
  readonly names: readonly string[];
  /** Epoch ms. */
  readonly at: number;
}

/** An answer is good for this time, in ms. */
const FRESH_MS = 10_000;
const PROBE_TIMEOUT_MS = 10_000;
/** Expressions that are remembered. */
const MAX_ENTRIES = 1_000;

/** Headers of the caller's body, which the question does not have. */
const OF_THE_BODY: ReadonlySet<string> = new Set([
  'accept-encoding',
  'content-encoding',
  'content-type',
]);

/**
 * What an index expression names in Elasticsearch, as the caller sees it: `GET /_resolve/index/{expression}` with the
 * caller's own headers (Elasticsearch 7.9 and later, OpenSearch). Answers are kept for 10 s per caller. When Elasticsearch
 * cannot be reached it is the last answer, else nothing; an expression that it refuses names nothing.
 */
export class NamesElsewhere {
  readonly #elasticsearch: Elasticsearch;
  readonly #now: () => number;
  readonly #remembered = new LRUCache<string, Remembered>({ max: MAX_ENTRIES });

  constructor(elasticsearch: Elasticsearch, now: () => number = Date.now) {
    this.#elasticsearch = elasticsearch;
    this.#now = now;
  }

  /** Names of indexes, aliases and data streams, sorted. */
  async named(expression: string, caller: Caller): Promise<readonly string[]> {
    const key = callerKey(expression, caller);
    const remembered = this.#remembered.get(key);
    if (remembered && this.#now() - remembered.at < FRESH_MS) return remembered.names;
    try {
      const names = await this.#ask(expression, caller);
      this.#remembered.set(key, { names, at: this.#now() });
      return names;
    } catch (error) {
      if (error instanceof ElasticsearchError) return remembered?.names ?? [];
      throw error;
    }
  }

  /** Not bound to one request's signal: the answer serves others, too. */
  async #ask(expression: string, { headers, prefix }: Caller): Promise<readonly string[]> {
    const response = await this.#elasticsearch.send({
      method: 'GET',
      target: `/_resolve/index/${expression.split(',').map(encodeURIComponent).join(',')}`,
      prefix,
      headers: filterHeaders(headers, (name) => !OF_THE_BODY.has(name)),
      body: Buffer.alloc(0),
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    const body = await bodyOf(response);
    return response.status === 200 ? namesIn(parseJson(body)) : [];
  }
}

function namesIn(answer: JsonValue): readonly string[] {
  if (!isJsonObject(answer)) return [];
  const names = ['indices', 'aliases', 'data_streams'].flatMap((list) => {
    const entries = answer[list];
    return isJsonArray(entries) ? entries.map(nameOf) : [];
  });
  return [...new Set(names.filter((name) => name !== ''))].sort();
}

const nameOf = (entry: JsonValue): string =>
  isJsonObject(entry) && typeof entry['name'] === 'string' ? entry['name'] : '';
