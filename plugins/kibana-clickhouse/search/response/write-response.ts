import type { JsonObject } from '../../common/json/json';
import { writeJson } from '../../common/json/write-json';
import type { HitsTotal, SearchResponse } from './search-response';

/** Text before and after the answer's own keys: what `_msearch` and `_async_search` add. */
export interface Envelope {
  /** Stands before the answer: `{"is_partial":false,…,"response":`. */
  readonly before?: string;
  /** Keys added at the answer's end: `{status: 200}` of an `_msearch` item. A function is called when the hits are read. */
  readonly extra?: JsonObject | (() => JsonObject);
  /** Stands behind the answer: `}`. */
  readonly after?: string;
}

/**
 * An answer as pieces of JSON text, in Elasticsearch's order of keys; `sampling` and `cache`, which the
 * specification adds, stand behind them, where Elasticsearch's clients skip what they do not know. Large answers come in as many
 * pieces as ClickHouse sends batches, so that none is ever held whole.
 */
export async function* writeResponse(
  response: SearchResponse,
  { before = '', extra = {}, after = '' }: Envelope = {},
): AsyncGenerator<string, void, undefined> {
  let piece = before + head(response);
  let separator = '';
  for await (const batch of response.hits) {
    if (batch.length === 0) continue;
    yield piece + separator + batch.join(',');
    piece = '';
    separator = ',';
  }
  yield piece + tail(response, typeof extra === 'function' ? extra() : extra) + after;
}

/** An answer as one string: for small ones. */
export async function responseText(response: SearchResponse, envelope?: Envelope): Promise<string> {
  let text = '';
  for await (const piece of writeResponse(response, envelope)) text += piece;
  return text;
}

function head({ tookMs, terminatedEarly, start = {}, ...response }: SearchResponse): string {
  const early =
    terminatedEarly === undefined ? '' : `,"terminated_early":${String(terminatedEarly)}`;
  const total = totalText(response.total, response.totalAsInteger);
  const shards = String(response.shards ?? 1);
  return (
    `{${membersText(start)}"took":${String(tookMs)},"timed_out":false${early},` +
    `"_shards":{"total":${shards},"successful":${shards},"skipped":0,"failed":0},` +
    `"hits":{${total}"max_score":${response.maxScore},"hits":[`
  );
}

const membersText = (members: JsonObject): string =>
  Object.entries(members)
    .map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value)},`)
    .join('');

function totalText(total: HitsTotal | undefined, asInteger: boolean): string {
  if (asInteger) return `"total":${String(total?.value ?? -1)},`;
  if (total === undefined) return '';
  return `"total":{"value":${String(total.value)},"relation":"${total.relation}"},`;
}

function tail({ aggregations, sampling, cache }: SearchResponse, extra: JsonObject): string {
  const answered = aggregations === undefined ? '' : `,"aggregations":${writeJson(aggregations)}`;
  const added = Object.entries({ sampling, cache, ...extra }).map(
    ([key, value]) => `,${JSON.stringify(key)}:${writeJson(value)}`,
  );
  return `]}${answered}${added.join('')}}`;
}
