import {
  asyncSearchParameters,
  fieldCapsParameters,
  msearchParameters,
  refuseUnsupportedParameters,
  requireKnownParameters,
  searchParameters,
} from '../../../plugins/kibana-clickhouse/search/request/url-parameters';

const parameters = (query: string): ReadonlyMap<string, string> =>
  new Map(new URLSearchParams(query));

test.each([
  // Kibana 8, 7.10 and OpenSearch Dashboards, 6.8, Grafana
  [
    asyncSearchParameters,
    'batched_reduce_size=64&ccs_minimize_roundtrips=true&wait_for_completion_timeout=200ms&keep_on_completion=true&keep_alive=60000ms&ignore_unavailable=true&preference=1700000000000&track_total_hits=true&enable_fields_emulation=true&max_concurrent_shard_requests=5',
  ],
  [
    searchParameters,
    'ignore_unavailable=true&ignore_throttled=false&track_total_hits=true&timeout=30000ms&preference=17&allow_no_indices=true&expand_wildcards=open&pretty=&filter_path=',
  ],
  [
    msearchParameters,
    'rest_total_hits_as_int=true&ignore_throttled=true&max_concurrent_shard_requests=5',
  ],
  [
    fieldCapsParameters,
    'fields=*&ignore_unavailable=true&allow_no_indices=false&types=&include_empty_fields=true&filters=&include_unmapped=true&expand_wildcards=open',
  ],
])('what clients send is known', (accepted, query) => {
  requireKnownParameters('/x/_search', parameters(query), accepted);
  refuseUnsupportedParameters(parameters(query));
});

test('unknown ones are refused in Elasticsearch’s words', () => {
  expect(() => {
    requireKnownParameters('/x/_search', parameters('foo=1'), searchParameters);
  }).toThrow('request [/x/_search] contains unrecognized parameter: [foo]');
  expect(() => {
    requireKnownParameters('/x/_search', parameters('b=1&size=1&a=2'), searchParameters);
  }).toThrow('request [/x/_search] contains unrecognized parameters: [a], [b]');
});

test.each([
  ['typed_keys=true', '[kibana-clickhouse] unsupported: [typed_keys] of a search'],
  ['filter_path=hits.total', '[kibana-clickhouse] unsupported: [filter_path] of a search'],
  ['explain=', '[kibana-clickhouse] unsupported: [explain] of a search'],
  ['search_type=scan', 'No search type for [scan]'],
  [
    'timeout=30',
    'failed to parse setting [timeout] with value [30] as a time value: unit is missing or unrecognized',
  ],
])('%s', (query, message) => {
  expect(() => {
    refuseUnsupportedParameters(parameters(query));
  }).toThrow(expect.objectContaining({ status: 400, message }));
});
