import { illegalArgument, parsingError, validationError } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import { parseTimeValue } from '../../common/time/time-value';
import type { JsonObject, JsonValue } from '../../common/json/json';
import { parseAggregations } from '../aggregations/registry';
import { parseQuery } from '../queries/registry';
import type { QueryNode } from '../queries/definition';
import { parseRuntimeMappings } from '../runtime-fields/parse-runtime-mappings';
import { checkedBody } from './body-keys';
import { booleanParameter, integerParameter, toBoolean, toInteger, tokenName } from './coerce';
import { parseDocvalueFields, parseFields } from './field-selectors';
import { parseHighlight } from './highlight';
import type { SearchInput, SearchRequest } from './search-request';
import { checkBesidePointInTime, parsePointInTime } from './point-in-time';
import { checkKeepAlive, checkScroll } from './scroll';
import { parseSearchAfter } from './search-after';
import { isShardDoc, parseSort, parseSortParameter, withTiebreaker } from './sort';
import { hasScriptFields, parseScriptFields } from './script-fields';
import { parseSourceFilter } from './source-filter';
import { storedFields } from './stored-fields';
import { parseTrackTotalHits } from './track-total-hits';
import { refuseUnsupportedParameters } from './url-parameters';

type Parameters = SearchInput['parameters'];

const defaultSize = 10;

/**
 * Reads a search: its JSON body and its query-string parameters, which stand before the body's.
 * Nothing that was asked for is left out silently: unknown keys get Elasticsearch's error, known ones
 * without an implementation an error of our own. Throws `ElasticsearchError` only.
 */
export function parseSearchRequest(input: SearchInput): SearchRequest {
  const { parameters } = input;
  const body = checkedBody(input.body);
  const request = readRequest(body, parameters);
  checkPlace(request, input);
  const scroll = parameters.get('scroll');
  if (scroll === undefined) return request;
  checkKeepAlive(scroll, 'scroll');
  checkScroll(request, parameters);
  return { ...request, scrolls: true };
}

/** Throws where a search is not made the way that its index is named. */
function checkPlace({ sort, pointInTime }: SearchRequest, input: SearchInput): void {
  if (pointInTime !== undefined) {
    if (!input.parameters.has('scroll'))
      checkBesidePointInTime(input.parameters, input.isWithoutIndex === true);
  } else if (sort.some(isShardDoc))
    throw validationError(['[_shard_doc] sort field cannot be used without [point in time]']);
}

function readRequest(body: JsonObject, parameters: Parameters): SearchRequest {
  refuseUnsupportedParameters(parameters);
  const highlight = parseHighlight(body['highlight'], parseQuery);
  const timeout = parseTimeout(body['timeout'], parameters.get('timeout'));
  const aggregations = body['aggregations'] ?? body['aggs'];
  const asInteger = switchParameter(parameters, 'rest_total_hits_as_int') ?? false;
  const totalHits = (): SearchRequest['totalHits'] =>
    parseTrackTotalHits(
      parameters.get('track_total_hits'),
      body['track_total_hits'],
      asInteger,
      parameters.has('scroll'),
    );
  return {
    query: searchQuery(body['query'], parameters),
    ...(body['post_filter'] !== undefined && { postFilter: parseQuery(body['post_filter']) }),
    aggregations: behind(totalHits, () => parseAggregations(aggregations)),
    ...parseOrder(body, parameters),
    from: parseFrom(integer(body, parameters, 'from')),
    size: parseSize(body, parameters),
    ...parseFetch(body, parameters),
    totalHits: totalHits(),
    totalAsInteger: asInteger,
    highlight,
    version: boolean(body, parameters, 'version'),
    seqNoPrimaryTerm: boolean(body, parameters, 'seq_no_primary_term'),
    trackScores: boolean(body, parameters, 'track_scores'),
    ...parseTerminateAfter(integer(body, parameters, 'terminate_after')),
    ...timeout,
    scriptFields: parseScriptFields(body['script_fields'], parseSize(body, parameters)),
    runtimeFields: parseRuntimeMappings(body['runtime_mappings']),
  };
}

type Order = Pick<SearchRequest, 'pointInTime' | 'searchAfter' | 'sort'>;

/** The order of the hits, and where in it the page begins. */
function parseOrder(body: JsonObject, parameters: Parameters): Order {
  // the URL's keys come behind the body's
  const sort = [...parseSort(body['sort']), ...parseSortParameter(parameters.get('sort') ?? '')];
  const after = parseSearchAfter(body['search_after']);
  const pointInTime = parsePointInTime(body['pit']);
  if (pointInTime === undefined) return { sort, ...after };
  return { sort: withTiebreaker(sort, after.searchAfter), ...after, pointInTime };
}

/** What only a shard finds wrong is told after what is wrong with the request. */
function behind<T>(check: () => unknown, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ElasticsearchError && error.phase !== 'request') check();
    throw error;
  }
}

/** The body's query, or the `q` of the query string; neither: all documents. */
function searchQuery(value: JsonValue | undefined, parameters: Parameters): QueryNode {
  const text = parameters.get('q');
  if (text === undefined) return parseQuery(value ?? { match_all: {} });
  const options: Record<string, JsonValue> = { query: text };
  for (const [parameter, option] of queryStringOptions) {
    const given = parameters.get(parameter);
    if (given !== undefined) options[option] = given;
  }
  return parseQuery({ query_string: options });
}

const queryStringOptions: readonly (readonly [string, string])[] = [
  ['df', 'default_field'],
  ['default_operator', 'default_operator'],
  ['analyzer', 'analyzer'],
  ['analyze_wildcard', 'analyze_wildcard'],
  ['lenient', 'lenient'],
];

type Fetch = Pick<SearchRequest, 'source' | 'fields' | 'docvalueFields' | 'showsId'>;

function parseFetch(body: JsonObject, parameters: Parameters): Fetch {
  const stored = storedFields(body['stored_fields'], parameters.get('stored_fields'));
  const source = parseSourceFilter(
    body,
    parameters,
    hasScriptFields(body) ? (stored ?? []) : stored,
  );
  const showsId = !(stored?.includes('_none_') ?? false);
  if (!showsId && source.enabled)
    throw validationError(['[stored_fields] cannot be disabled if [_source] is requested']);
  return {
    source,
    fields: parseFields(body),
    docvalueFields: parseDocvalueFields(body, parameters),
    showsId,
  };
}

/** The body's own value must be a number even where the query string has another one. */
function integer(body: JsonObject, parameters: Parameters, key: string): number | undefined {
  const value = body[key];
  const own = value === undefined ? undefined : toInteger(value, key);
  const parameter = parameters.get(key);
  return parameter === undefined ? own : integerParameter(key, parameter);
}

function boolean(body: JsonObject, parameters: Parameters, key: string): boolean {
  const value = body[key];
  return switchParameter(parameters, key) ?? (value === undefined ? false : toBoolean(value, key));
}

function switchParameter(parameters: Parameters, key: string): boolean | undefined {
  const text = parameters.get(key);
  return text === undefined ? undefined : booleanParameter(text);
}

/** -1 is as good as nothing. A negative size in the body is an error even where the query string has another one. */
function parseSize(body: JsonObject, parameters: Parameters): number {
  checkSize(integer(body, new Map(), 'size'));
  const size = checkSize(integer(body, parameters, 'size'));
  return size === undefined || size === -1 ? defaultSize : size;
}

function checkSize(size: number | undefined): number | undefined {
  if (size !== undefined && size < -1)
    throw illegalArgument(`[size] parameter cannot be negative, found [${String(size)}]`);
  return size;
}

function parseFrom(from = -1): number {
  if (from === -1) return 0;
  if (from < 0)
    throw illegalArgument(`[from] parameter cannot be negative but was [${String(from)}]`);
  return from;
}

/** 0 means no limit, as if it were absent (Elasticsearch 7.17, `SearchContext`). */
function parseTerminateAfter(limit: number | undefined): { readonly terminateAfter?: number } {
  if (limit === undefined || limit === 0) return {};
  if (limit < 0) throw illegalArgument('terminateAfter must be > 0');
  return { terminateAfter: limit };
}

/** -1 is no limit; 0 is the least there is. The body's own value must be one even where the query string has another. */
function parseTimeout(
  value: JsonValue | undefined,
  parameter: string | undefined,
): { readonly timeoutMs?: number } {
  if (value !== undefined && typeof value !== 'string' && typeof value !== 'number')
    throw parsingError(`[timeout] expects a time value but found ${tokenName(value)}`);
  const own = value === undefined ? -1 : parseTimeValue(String(value), 'timeout');
  const ms = parameter === undefined ? own : parseTimeValue(parameter, 'timeout');
  return ms < 0 ? {} : { timeoutMs: Math.max(1, ms) };
}
