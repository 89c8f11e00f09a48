import { Readable } from 'node:stream';
import { ElasticsearchError } from '../common/errors/elasticsearch-error';
import type { JsonValue } from '../common/json/json';
import { parseJson } from '../common/json/parse-json';
import { bodyOf, type ForwardedResponse } from '../metadata/forward';
import { filterHeaders } from '../metadata/headers';
import type { GatewayRequest, GatewayResponse } from './endpoints/definition';
import { listedIndexes } from './index-expression';
import { readableNames } from './named-indexes';
import type { Runtime } from './runtime';

/** A question for a list of indexes. */
export interface ListQuestion {
  /** Which indexes: `_all` for everything. */
  readonly expression: string;
  /** Path and query string by which Elasticsearch is asked for its part; `indexes` is percent-encoded. */
  readonly target: (indexes: string) => string;
}

/** The indexes of both sides. */
export type Listed =
  | {
      readonly kind: 'lists';
      /** Ours that the caller may read and that have a table. */
      readonly own: readonly string[];
      /** What Elasticsearch answers; undefined where it is not asked, or cannot be reached. */
      readonly elsewhere: JsonValue | undefined;
    }
  /** Elasticsearch's own refusal of the request. */
  | { readonly kind: 'refusal'; readonly response: GatewayResponse };

/** Asks both sides at once. An unreachable Elasticsearch leaves ours. */
export async function listIndexes(
  { expression, target }: ListQuestion,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<Listed> {
  const named = [...listedIndexes(expression, runtime.served)].sort();
  const rest = expression.split(',').filter((part) => !runtime.served.has(part));
  const [own, elsewhere] = await Promise.all([
    readableNames(named, request, runtime),
    rest.length === 0
      ? nothing
      : askElsewhere(target(rest.map(encodeURIComponent).join(',')), request, runtime),
  ]);
  return elsewhere.kind === 'refusal'
    ? elsewhere
    : { kind: 'lists', own, elsewhere: elsewhere.answer };
}

type Elsewhere =
  | { readonly kind: 'answer'; readonly answer: JsonValue | undefined }
  | { readonly kind: 'refusal'; readonly response: GatewayResponse };

const nothing: Elsewhere = { kind: 'answer', answer: undefined };

async function askElsewhere(
  target: string,
  { prefix, rawHeaders, signal }: GatewayRequest,
  { elasticsearch }: Runtime,
): Promise<Elsewhere> {
  if (!elasticsearch) return nothing;
  // Its answer is read here, and a GET of names has no body.
  const headers = filterHeaders(rawHeaders, (name) => !notSent.includes(name));
  const body = Buffer.alloc(0);
  try {
    const sent = { method: 'GET', target, prefix, headers, body, signal };
    return await readAnswer(await elasticsearch.send(sent));
  } catch (error) {
    if (error instanceof ElasticsearchError) return nothing;
    throw error;
  }
}

const notSent: readonly string[] = [
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-type',
];

async function readAnswer(response: ForwardedResponse): Promise<Elsewhere> {
  const body = await bodyOf(response);
  const { status } = response;
  if (status >= 500) return nothing;
  if (status === 200) return { kind: 'answer', answer: parseJson(body) };
  return { kind: 'refusal', response: { kind: 'raw', ...response, body: Readable.from([body]) } };
}
