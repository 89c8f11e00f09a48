import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { EntryKind } from './entry-kind';

/** What a supported entry does not do as Elasticsearch does. */
export interface Difference {
  readonly kind: EntryKind;
  readonly name: string;
  /** Follows "what differs" in the table: a clause of a sentence, without a full stop. */
  readonly text: string;
  /**
   * A search body that shows the refusal; absent where the difference is an answer. A test parses it, so that the line
   * goes when the refusal goes.
   */
  readonly refused?: JsonObject;
}

/** A clause on a text field for `textSearch: contains`, which is the default. */
const onText = (name: string, text: string, refused?: JsonObject): readonly Difference[] => [
  { kind: 'query', name, text, ...(refused && { refused: { query: refused } }) },
];

/**
 * The differences that no registry tells. Options of aggregations and keys of a search body that are refused by name are
 * found in the registries and need no line here.
 */
export const differences: readonly Difference[] = [
  {
    kind: 'endpoint',
    name: 'POST /{index}/_pit',
    text: 'nothing is frozen: each search sees the documents of its time, and an id does not expire',
  },
  {
    kind: 'endpoint',
    name: 'POST /{index}/_search/point_in_time',
    text: 'nothing is frozen: each search sees the documents of its time, and an id does not expire',
  },
  {
    kind: 'endpoint',
    name: 'GET, POST, DELETE /_search/scroll',
    text: 'nothing is kept: an id does not expire, and may be used and ended again; scrolls over several indexes are refused',
  },
  {
    kind: 'search key',
    name: 'runtime_mappings',
    text: 'scripts that emit one value of type `boolean`, `date`, `double`, `keyword` or `long`, in the part of painless that the query `script` has; others are refused; where a document has not what the script reads, the field has no value',
    refused: { runtime_mappings: { a: { type: 'ip', script: 'emit("::1")' } } },
  },
  {
    kind: 'search key',
    name: 'script_fields',
    text: 'the part of painless that the query `script` has; where a document has not what the script reads, the value is null',
    refused: { script_fields: { a: { script: { source: '1', lang: 'expression' } } } },
  },
  {
    kind: 'search key',
    name: 'search_after',
    text: 'null for a number, and `from` beside it, are errors of status 400, of Elasticsearch 500',
  },
  {
    kind: 'endpoint',
    name: 'POST /{index}/_async_search',
    text: 'shows no part of an answer while it runs; an answer of more than 10 MB is not kept, and comes without an id',
  },
  {
    kind: 'endpoint',
    name: 'GET, POST /_msearch',
    text: 'a search that is malformed or refused fails alone, in its place',
  },
  {
    kind: 'endpoint',
    name: 'GET, POST /{index}/_msearch',
    text: 'a search that is malformed or refused fails alone, in its place',
  },
  {
    kind: 'endpoint',
    name: 'GET, POST /{index}/_field_caps',
    text: '`index_filter` leaves out tables without a row in its time range, Elasticsearch those whose first and last times are outside of it',
  },
  {
    kind: 'endpoint',
    name: 'GET, POST /{index}/_count',
    text: '`min_score` above 0 is refused',
  },
  {
    kind: 'endpoint',
    name: 'GET, POST /{index}/_terms_enum',
    text: '`index_filter` chooses documents, not only indexes; a time limit is an error',
  },
  {
    kind: 'endpoint',
    name: 'GET, HEAD /{index}/_doc/{id}',
    text: 'every document has version 1 and sequence number 0',
  },
  {
    kind: 'endpoint',
    name: 'GET, POST /{index}/_mget',
    text: 'every document has version 1 and sequence number 0; documents in Elasticsearch are refused beside ours',
  },
  {
    kind: 'endpoint',
    name: 'GET /{index}/_mapping/field/{fields}',
    text: '`include_defaults` is refused',
  },
  {
    kind: 'endpoint',
    name: 'GET /{index}/_settings',
    text: 'one shard, no replica, and with `include_defaults` the limits of a page',
  },
  {
    kind: 'endpoint',
    name: 'GET /{index}/_settings/{name}',
    text: 'one shard, no replica, and with `include_defaults` the limits of a page',
  },
  {
    kind: 'endpoint',
    name: 'GET /{index}/_stats',
    text: 'documents and bytes; other metrics and `level=shards` are refused',
  },
  {
    kind: 'endpoint',
    name: 'GET /{index}/_stats/{metric}',
    text: 'documents and bytes; other metrics and `level=shards` are refused',
  },
  {
    kind: 'endpoint',
    name: 'GET, POST /{index}/_validate/query',
    text: 'explains by SQL; what the gateway does not do is refused, not called invalid',
  },
  {
    kind: 'endpoint',
    name: 'GET /_cat/indices',
    text: 'the columns of health, names, shards, documents, dates and sizes; `help` is refused',
  },
  {
    kind: 'endpoint',
    name: 'GET /_cat/indices/{index}',
    text: 'the columns of health, names, shards, documents, dates and sizes; `help` is refused',
  },
  {
    kind: 'endpoint',
    name: 'GET /_cat/count/{index}',
    text: '`help` is refused',
  },
  {
    kind: 'query',
    name: 'terms',
    text: 'a terms lookup is refused, and more than 4,000 values of a text, or of spans of dates and addresses',
    refused: { query: { terms: { host: { index: 'hosts', id: '1', path: 'names' } } } },
  },
  {
    kind: 'query',
    name: 'term',
    text: 'on a bare text field it searches the whole value for a substring, whatever its case; `.keyword` is exact',
  },
  {
    kind: 'query',
    name: 'range',
    text: 'times before 1970 and after 2262 are answered on `date_nanos`, too, where Elasticsearch refuses them',
  },
  ...onText(
    'query_string',
    'words and phrases are substrings of a text, and patterns see its whole value; `analyzer` and `rewrite` to the best terms are refused; an error of the syntax comes before one of a value',
    {
      query_string: { query: 'a', analyzer: 'simple' },
    },
  ),
  ...onText(
    'simple_query_string',
    'words and phrases are substrings of a text, and patterns see its whole value; `analyzer` is refused',
    {
      simple_query_string: { query: 'a', analyzer: 'simple' },
    },
  ),
  ...onText(
    'match',
    'a text has the words as substrings; `analyzer` and fuzziness on it are refused',
    {
      match: { message: { query: 'a', analyzer: 'simple' } },
    },
  ),
  ...onText('match_bool_prefix', 'a text has the words as substrings; `analyzer` is refused', {
    match_bool_prefix: { message: { query: 'a', analyzer: 'simple' } },
  }),
  ...onText(
    'match_phrase',
    'a text has the phrase as a substring, or with `slop` its words near each other; `analyzer` is refused',
    {
      match_phrase: { message: { query: 'a', analyzer: 'simple' } },
    },
  ),
  ...onText(
    'match_phrase_prefix',
    'a text has the phrase as a substring, whatever `max_expansions` says; `analyzer` is refused',
    { match_phrase_prefix: { message: { query: 'a', analyzer: 'simple' } } },
  ),
  ...onText(
    'multi_match',
    'a text has the words or the phrase as substrings; `analyzer` is refused',
    {
      multi_match: { query: 'a', analyzer: 'simple' },
    },
  ),
  ...onText('function_score', 'answers its query; `min_score` is refused', {
    function_score: { min_score: 1 },
  }),
  ...onText('script_score', 'answers its query, the script is not run; `min_score` is refused', {
    script_score: { query: { match_all: {} }, script: { source: '1' }, min_score: 1 },
  }),
  ...onText(
    'script',
    'the filters that Kibana writes for scripted fields, and painless of comparisons, arithmetic, conditions, parts of dates, degrees of points, methods of texts and `Math`; all else is refused by name, so are stored scripts and the language `expression`; a document without a value that the script reads does not match, where Elasticsearch fails the search',
    { script: { script: { id: 'stored' } } },
  ),
  ...onText('geo_distance', '`distance_type: plane` is refused', {
    geo_distance: { distance: '1km', location: [1, 2], distance_type: 'plane' },
  }),
  ...onText(
    'geo_shape',
    'points in polygons, envelopes and circles; other shapes, WKT and `indexed_shape` are refused',
    { geo_shape: { location: { shape: { type: 'point', coordinates: [0, 0] } } } },
  ),
  ...onText(
    'nested',
    'Array(Tuple) and Nested columns; `inner_hits` and a path within a path are refused',
    {
      nested: { path: 'items', query: { match_all: {} }, inner_hits: {} },
    },
  ),
  ...onText('prefix', 'of a text it is the start of the whole value, whatever its case'),
  ...onText('wildcard', 'a text is matched as a whole, whatever its case'),
  ...onText(
    'fuzzy',
    'a text is compared as a whole; all words that are near count, not `max_expansions`',
  ),
  ...onText(
    'regexp',
    'a text is matched as a whole; `~`, `&`, `<1-5>`, `\\d`, `\\w`, `\\s` and over 1,000 repetitions are refused',
  ),
  {
    kind: 'search key',
    name: 'sort',
    text: 'sorts by script, by distance and by nested documents are refused; a text field sorts by its keyword',
    refused: { sort: [{ _geo_distance: { location: [21, 52] } }] },
  },
  {
    kind: 'search key',
    name: 'highlight',
    text: 'the highlighter `unified`; other values of `type`, `no_match_size`, `matched_fields`, `tags_schema` `styled` are refused; with `textSearch: contains` the substrings are marked',
    refused: { highlight: { fields: { message: { no_match_size: 10 } } } },
  },
  {
    kind: 'aggregation',
    name: 'terms',
    text: 'counts are exact, however many shards: `doc_count_error_upper_bound` is what one shard says, 0 or -1; a text field counts by its keyword',
  },
  {
    kind: 'aggregation',
    name: 'date_histogram',
    text: 'numbers that are no time are refused as its field',
  },
  {
    kind: 'aggregation',
    name: 'terms',
    text: 'which partition of `include` a term is in differs; each is in one of them; `min_doc_count` 0 below `nested` is refused on a field outside of it',
  },
  {
    kind: 'aggregation',
    name: 'composite',
    text: 'a document counts once in a bucket, also where equal numbers in it count more often in Elasticsearch; sources `geotile_grid` are refused',
  },
  {
    kind: 'aggregation',
    name: 'top_hits',
    text: '`script_fields` and `explain` are refused',
  },
  {
    kind: 'aggregation',
    name: 'sampler',
    text: 'takes all documents, not the best of each shard: the figures are exact',
  },
  {
    kind: 'aggregation',
    name: 'random_sampler',
    text: 'takes all documents: the figures are exact',
  },
  {
    kind: 'aggregation',
    name: 'cardinality',
    text: 'exact up to 4,000 values, within 1 % beyond, whatever `precision_threshold` says',
  },
  {
    kind: 'aggregation',
    name: 'percentiles',
    text: 'exact up to 1,000 values, of more the nearest by rank within 0.1 %: Elasticsearch estimates from some hundred values on',
  },
  {
    kind: 'aggregation',
    name: 'percentile_ranks',
    text: 'exact, where Elasticsearch estimates from some hundred values on',
  },
];
