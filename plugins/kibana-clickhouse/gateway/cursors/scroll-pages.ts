import { Readable } from 'node:stream';
import { searchContextMissing } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';
import { writeJson } from '../../common/json/write-json';
import type { SearchResponse } from '../../search/response/search-response';
import { writeResponse } from '../../search/response/write-response';
import type { GatewayRequest, GatewayResponse } from '../endpoints/definition';
import type { Runtime } from '../runtime';
import { optionalJson, searchIndex } from '../search-index';
import { searchedIndex } from '../searched-index';
import { denied } from '../send-on';
import { type Scroll, scrollId } from './scroll-id';

type Unread = Omit<Scroll, 'position' | 'total'>;

/** The first page of a scroll, with all that its search asks for. */
export async function firstPage(
  index: string,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<GatewayResponse> {
  const { body, query: parameters } = request;
  const now = Date.now();
  const outcome = await searchIndex({ index, body, parameters, now }, request, runtime);
  if (outcome.kind === 'denied') return denied(outcome, request);
  const { response } = outcome;
  const scroll = { index, body: withoutAggregations(body), parameters, now };
  return page(response, (position) =>
    scrollId({ ...scroll, position, total: response.total ?? { value: 0, relation: 'eq' } }),
  );
}

function withoutAggregations(body: Buffer): JsonObject {
  const search = optionalJson(body);
  const members = Object.entries(isJsonObject(search) ? search : {});
  return Object.fromEntries(members.filter(([key]) => key !== 'aggs' && key !== 'aggregations'));
}

/** What a client asks of a page behind the first. */
export interface PageOptions {
  /** Whether there are more to come. */
  readonly goesOn: boolean;
  /** `hits.total` as a number. */
  readonly totalAsInteger: boolean;
}

/** The page behind the one that an id was made with; empty behind the last. */
export async function nextPage(
  scroll: Scroll,
  { goesOn, totalAsInteger }: PageOptions,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<GatewayResponse> {
  const { index, body, parameters, now, total, position } = scroll;
  if (searchedIndex(index, runtime.served) === undefined) throw searchContextMissing();
  const after = isJsonArray(position) ? position : undefined;
  const search = {
    ...{ index, now, parameters: ofPage(parameters), body: Buffer.from(writeJson(body)) },
    // behind the last page there is nothing
    ...(after
      ? { after }
      : { body: Buffer.from(writeJson({ ...body, query: { match_none: {} } })) }),
  };
  const outcome = await searchIndex(search, request, runtime);
  if (outcome.kind === 'denied') return denied(outcome, request);
  const response = { ...outcome.response, total, totalAsInteger };
  return page(
    response,
    goesOn ? (next) => scrollId({ ...scroll, position: next ?? position }) : undefined,
  );
}

/** How the total is written is said anew for every page. */
const ofPage = (parameters: Unread['parameters']): Unread['parameters'] =>
  new Map([...parameters].filter(([name]) => name !== 'rest_total_hits_as_int'));

/** An answer with the id of the next page behind it, which is known when the last hit is. */
function page(
  response: SearchResponse,
  idAfter: ((position: Scroll['position']) => string) | undefined,
): GatewayResponse {
  const extra = (): JsonObject => {
    const position = response.position?.();
    return idAfter
      ? { _scroll_id: idAfter(position === undefined ? null : parseJson(position)) }
      : {};
  };
  return { kind: 'stream', status: 200, body: Readable.from(writeResponse(response, { extra })) };
}
