import { storeUnavailable } from '../../common/errors/catalogue';
import { arrayElements } from '../../common/json/array-elements';
import { bodyOf } from '../../metadata/forward';
import { filterHeaders } from '../../metadata/headers';
import type { GatewayRequest } from '../endpoints/definition';
import type { Runtime } from '../runtime';
import { elasticsearchOf, targetOf } from '../send-on';

/** Headers of the whole body: a part of it goes out uncompressed, and its answer is read here. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(['accept-encoding', 'content-encoding']);

/**
 * Sends the searches that are not ours to Elasticsearch, as one `_msearch` of their original bytes
 * with the caller's own headers. Gives one JSON text for each, in their order: what Elasticsearch
 * wrote, digit by digit; when it refuses the request, its refusal for each of them. Throws a 503 when
 * it cannot be reached or its answer cannot be read.
 */
export async function searchElsewhere(
  pairs: readonly Buffer[],
  request: GatewayRequest,
  runtime: Runtime,
): Promise<readonly string[]> {
  const response = await elasticsearchOf(runtime).send({
    method: request.method,
    target: targetOf(request),
    prefix: request.prefix,
    headers: filterHeaders(request.rawHeaders, (name) => !OF_THE_WHOLE.has(name)),
    body: Buffer.concat(pairs),
    signal: request.signal,
  });
  const body = await bodyOf(response);
  if (response.status !== 200) return pairs.map(() => refusalText(response.status, body));
  const items = arrayElements(body, 'responses');
  if (items?.length === pairs.length) return items.map((item) => item.toString());
  throw storeUnavailable('[kibana-clickhouse] the _msearch answer of Elasticsearch cannot be read');
}

/** An error answer of Elasticsearch with its status, as it would stand in an item. */
export function refusalText(status: number, body: Buffer): string {
  const error = errorIn(body) ?? `Elasticsearch answered with status ${String(status)}`;
  return JSON.stringify({ error, status });
}

function errorIn(body: Buffer): unknown {
  try {
    const answer: unknown = JSON.parse(body.toString());
    return typeof answer === 'object' && answer !== null && 'error' in answer
      ? answer.error
      : undefined;
  } catch {
    return undefined;
  }
}
