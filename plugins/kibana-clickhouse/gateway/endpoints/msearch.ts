import { Readable } from 'node:stream';
import { mapLimited } from '../../common/async/map-limited';
import {
  illegalArgument,
  parseError,
  parsingError,
  validationError,
} from '../../common/errors/catalogue';
import { writeJson } from '../../common/json/write-json';
import {
  msearchParameters,
  refuseUnsupportedParameters,
  requireKnownParameters,
} from '../../search/request/url-parameters';
import { responseText } from '../../search/response/write-response';
import { contentTypeRefusal } from '../answer-process/content-type';
import { errorBody } from '../error-response';
import type { ServedIndexes } from '../index-expression';
import { refusalText, searchElsewhere } from '../msearch/elsewhere';
import { readMsearch, type Msearch, type MsearchItem } from '../msearch/read-msearch';
import type { Runtime } from '../runtime';
import { searchIndex } from '../search-index';
import { searchedIndex } from '../searched-index';
import { sendOn } from '../send-on';
import type { EndpointHandler, GatewayRequest } from './definition';

/** Whose one search is. */
type Place =
  | { readonly kind: 'ours'; readonly index: string }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'elsewhere' };

interface PlacedItem {
  readonly item: MsearchItem;
  readonly place: Place;
}

/** The request that the searches belong to, and the `now` of all of them (epoch ms). */
interface Batch {
  readonly request: GatewayRequest;
  readonly now: number;
}

/** Searches of one request that run at the same time, unless `max_concurrent_searches` says less. */
const DEFAULT_CONCURRENCY = 10;

/**
 * `GET|POST [/{index}]/_msearch`: several searches, answered in their order, each with its own status.
 * Those of other indexes are asked of Elasticsearch in one request; a request without any of ours goes
 * on as it came. A search that cannot be parsed fails alone (Elasticsearch refuses the whole request);
 * lines and headers that cannot be read refuse the whole, as in Elasticsearch.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const startedAt = Date.now();
    const pathIndex = request.params['index'];
    const msearch = readMsearch(request.body, pathIndex);
    const placed = msearch.items.map((item) => ({ item, place: placeOf(item, runtime.served) }));
    const isPathOurs = placeOfExpression(pathIndex, runtime.served).kind !== 'elsewhere';
    if (!isPathOurs && placed.every(({ place }) => place.kind === 'elsewhere'))
      return sendOn(request, runtime);
    const refusal = contentTypeRefusal(request, 'json-or-lines');
    if (refusal) return refusal;
    checkWhole(request, msearch);
    const texts = await answerAll(placed, { request, now: startedAt }, runtime);
    const took = Date.now() - startedAt;
    const pieces = [`{"took":${String(took)},"responses":[`, texts.join(','), ']}'];
    return { kind: 'stream', status: 200, body: Readable.from(pieces) };
  },
};

function checkWhole({ path, query, body }: GatewayRequest, { items, problem }: Msearch): void {
  requireKnownParameters(path, query, msearchParameters);
  refuseUnsupportedParameters(query);
  if (body.length === 0) throw parseError('request body or source parameter is required');
  if (problem) throw problem;
  if (items.length === 0) throw validationError(['no requests added']);
}

const placeOf = ({ expression }: MsearchItem, served: ServedIndexes): Place =>
  placeOfExpression(expression, served);

function placeOfExpression(expression: string | undefined, served: ServedIndexes): Place {
  if (expression === undefined) return { kind: 'elsewhere' };
  try {
    const index = searchedIndex(expression, served);
    return index === undefined ? { kind: 'elsewhere' } : { kind: 'ours', index };
  } catch (error) {
    return { kind: 'refused', error };
  }
}

/** One JSON text for each search, in their order. */
async function answerAll(
  placed: readonly PlacedItem[],
  batch: Batch,
  runtime: Runtime,
): Promise<readonly string[]> {
  const { request } = batch;
  const foreign = placed.filter(({ place }) => place.kind === 'elsewhere');
  const [own, elsewhere] = await Promise.all([
    mapLimited(placed, concurrencyOf(request), (one) => ownText(one, batch, runtime)),
    foreignTexts(foreign, request, runtime),
  ]);
  const waiting = elsewhere.values();
  return own.map((text) => text ?? waiting.next().value ?? '');
}

function concurrencyOf({ query }: GatewayRequest): number {
  const text = query.get('max_concurrent_searches');
  if (text === undefined) return DEFAULT_CONCURRENCY;
  const asked = /^\d+$/.test(text) ? Number(text) : 0;
  if (asked < 1) throw illegalArgument('maxConcurrentSearchRequests must be positive');
  return Math.min(asked, DEFAULT_CONCURRENCY);
}

/** Undefined where the search is not ours. An error is the text of its own item. */
async function ownText(
  { item, place }: PlacedItem,
  { request, now }: Batch,
  runtime: Runtime,
): Promise<string | undefined> {
  if (place.kind === 'elsewhere') return undefined;
  if (place.kind === 'refused') return failureText(place.error, request, runtime);
  const { index } = place;
  try {
    if (item.body.toString().trim() === '')
      throw parsingError('Expected [START_OBJECT] but found [null]');
    const parameters = parametersOf(item, request);
    const options = new Map([...request.query, ...item.options]);
    const search = { index, body: item.body, parameters, now, pool: 'msearch', options } as const;
    const outcome = await searchIndex(search, request, runtime);
    return outcome.kind === 'denied'
      ? refusalText(outcome.status, outcome.body)
      : await responseText(outcome.response, { extra: { status: 200 } });
  } catch (error) {
    // Nobody is there to read the others either.
    if (request.signal.aborted) throw error;
    return failureText(error, request, runtime, index);
  }
}

/** What holds for each search: the request's own options, and the type its header names. */
function parametersOf({ searchType }: MsearchItem, { query }: GatewayRequest): Map<string, string> {
  const asInteger = query.get('rest_total_hits_as_int');
  const parameters = new Map<string, string>();
  if (asInteger !== undefined) parameters.set('rest_total_hits_as_int', asInteger);
  if (searchType !== undefined) parameters.set('search_type', searchType);
  return parameters;
}

async function foreignTexts(
  foreign: readonly PlacedItem[],
  request: GatewayRequest,
  runtime: Runtime,
): Promise<readonly string[]> {
  if (foreign.length === 0) return [];
  try {
    const pairs = foreign.map(({ item }) => item.pair);
    return await searchElsewhere(pairs, request, runtime);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return foreign.map(() => failureText(error, request, runtime));
  }
}

const failureText = (
  error: unknown,
  { id }: GatewayRequest,
  { log }: Runtime,
  index?: string,
): string => writeJson(errorBody(error, { log, id, index }).body);
