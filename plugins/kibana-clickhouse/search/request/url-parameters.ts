import { parseTimeValue } from '../../common/time/time-value';
import { illegalArgument, unsupported } from '../../common/errors/catalogue';
import { booleanParameter } from './coerce';

/** What every endpoint takes (Elasticsearch 7.17, `RestHandler.responseParams` and common options). */
export const commonParameters: readonly string[] = [
  'error_trace',
  'filter_path',
  'format',
  'human',
  'pretty',
  'project_routing',
];

/** Which indexes an expression may name: settled before a search is parsed. */
export const indicesParameters: readonly string[] = [
  'allow_no_indices',
  'expand_wildcards',
  'ignore_throttled',
  'ignore_unavailable',
];

/** How Elasticsearch distributes its work: without effect on the answer of one table. */
const executionParameters: readonly string[] = [
  'allow_partial_search_results',
  'batched_reduce_size',
  'ccs_minimize_roundtrips',
  'enable_fields_emulation',
  'force_synthetic_source',
  'include_named_queries_score',
  'max_concurrent_shard_requests',
  'min_compatible_shard_node',
  'pre_filter_shard_size',
  'preference',
  'request_cache',
  'routing',
];

/** What the search itself is made of; `parse-search-request.ts` reads these. */
const requestParameters: readonly string[] = [
  '_source',
  '_source_exclude',
  '_source_excludes',
  '_source_include',
  '_source_includes',
  'analyze_wildcard',
  'analyzer',
  'default_operator',
  'df',
  'docvalue_fields',
  'explain',
  'from',
  'lenient',
  'q',
  'rest_total_hits_as_int',
  'scroll',
  'search_type',
  'seq_no_primary_term',
  'size',
  'sort',
  'stats',
  'stored_fields',
  'suggest_field',
  'suggest_mode',
  'suggest_size',
  'suggest_text',
  'terminate_after',
  'timeout',
  'track_scores',
  'track_total_hits',
  'typed_keys',
  'version',
];

/** Parameters of `_search`. */
export const searchParameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  ...executionParameters,
  ...requestParameters,
];

/** Parameters of `_async_search`: a search's and its own. */
export const asyncSearchParameters: readonly string[] = [
  ...searchParameters,
  'keep_alive',
  'keep_on_completion',
  'return_intermediate_results',
  'wait_for_completion_timeout',
];

/** Parameters of the answer of an `_async_search`. */
export const asyncSearchResultParameters: readonly string[] = [
  ...commonParameters,
  'keep_alive',
  'return_intermediate_results',
  'typed_keys',
  'wait_for_completion_timeout',
];

/** Parameters of `_msearch`; the first four hold for each of its searches. */
export const msearchParameters: readonly string[] = [
  'rest_total_hits_as_int',
  'typed_keys',
  'search_type',
  'max_concurrent_searches',
  ...commonParameters,
  ...indicesParameters,
  ...executionParameters,
];

/** Parameters of `_field_caps`. */
export const fieldCapsParameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  'fields',
  'filters',
  'include_empty_fields',
  'include_unmapped',
  'types',
];

/**
 * Throws Elasticsearch's 400 when the query string has a parameter that the endpoint does not take.
 * `path` is the request's path as it came.
 */
export function requireKnownParameters(
  path: string,
  parameters: ReadonlyMap<string, string>,
  accepted: readonly string[],
): void {
  const unknown = [...parameters.keys()].filter((name) => !accepted.includes(name)).sort();
  if (unknown.length === 0) {
    requireJson(parameters);
    return;
  }
  const plural = unknown.length > 1 ? 's' : '';
  throw illegalArgument(
    `request [${path}] contains unrecognized parameter${plural}: ${unknown.map((name) => `[${name}]`).join(', ')}`,
  );
}

/** Elasticsearch also writes yaml, cbor and smile. */
function requireJson(parameters: ReadonlyMap<string, string>): void {
  const format = parameters.get('format') ?? '';
  if (format !== '' && format !== 'json') throw unsupported('[format] other than json');
}

const searchTypes: readonly string[] = ['query_then_fetch', 'dfs_query_then_fetch'];

/** Parameters with an effect that the gateway does not have, and their values without effect. */
const refused: Readonly<Record<string, (text: string) => boolean>> = {
  explain: (text) => !booleanParameter(text),
  filter_path: (text) => text === '',
  suggest_field: () => false,
  suggest_text: () => false,
  typed_keys: (text) => !booleanParameter(text),
};

/** Refuses parameters that would change the answer in a way that the gateway cannot. */
export function refuseUnsupportedParameters(parameters: ReadonlyMap<string, string>): void {
  for (const [name, isHarmless] of Object.entries(refused)) {
    const text = parameters.get(name);
    if (text !== undefined && !isHarmless(text)) throw unsupported(`[${name}] of a search`);
  }
  const type = parameters.get('search_type');
  if (type !== undefined && !searchTypes.includes(type))
    throw illegalArgument(`No search type for [${type}]`);
  const timeout = parameters.get('timeout');
  if (timeout !== undefined) parseTimeValue(timeout, 'timeout');
}
