/*
 * What random searches prove, in the words of `featuresOf` (run/features.ts): clauses, aggregations and their options, and
 * the keys of a search. In every run each of them must stand in an answer with documents that both servers give alike;
 * one that never does fails the run.
 *
 * Whoever registers a clause or an aggregation adds it here with its options and lets the generator (requests/) make it,
 * or names it in `byScenariosAlone`. A unit test keeps the list complete.
 */

const under = (prefix: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${prefix}.${name}`);

/** A clause or an aggregation with its options; `''` for none. */
const withOptions = (name: string, options: string): readonly string[] => [
  name,
  ...(options === '' ? [] : under(name, options)),
];

const queries: readonly string[] = [
  ...withOptions('query.match_all', 'boost'),
  ...withOptions('query.match_none', ''),
  ...withOptions(
    'query.bool',
    'must filter should must_not minimum_should_match adjust_pure_negative boost',
  ),
  ...withOptions(
    'query.range',
    'gte gt lte lt from to include_lower include_upper format time_zone relation boost',
  ),
  ...withOptions('query.term', 'value case_insensitive boost'),
  ...withOptions('query.terms', 'boost'),
  ...withOptions('query.exists', 'field boost'),
  ...withOptions('query.constant_score', 'filter boost'),
  ...withOptions('query.prefix', 'value case_insensitive boost'),
  ...withOptions('query.wildcard', 'value case_insensitive boost'),
  ...withOptions('query.regexp', 'value case_insensitive boost'),
  ...withOptions('query.match', 'query boost'),
  ...withOptions('query.match_phrase', 'query slop boost'),
  ...withOptions('query.match_bool_prefix', 'query boost'),
  ...withOptions('query.dis_max', ''),
  ...withOptions('query.boosting', ''),
  ...withOptions('query.function_score', ''),
  ...['script_score', 'match_phrase_prefix', 'multi_match', 'fuzzy', 'script'].map(
    (name) => `query.${name}`,
  ),
  ...['geo_bounding_box', 'geo_distance', 'geo_shape'].map((name) => `query.${name}`),
  ...withOptions(
    'query.query_string',
    'query lenient default_operator minimum_should_match analyze_wildcard boost',
  ),
  ...withOptions(
    'query.simple_query_string',
    'query fields lenient default_operator minimum_should_match boost',
  ),
];

const aggregations: readonly string[] = [
  ...withOptions(
    'aggregation.date_histogram',
    'field fixed_interval calendar_interval interval time_zone offset min_doc_count extended_bounds format keyed order',
  ),
  ...withOptions(
    'aggregation.terms',
    'field size order min_doc_count format show_term_doc_count_error shard_size',
  ),
  ...withOptions('aggregation.filter', ''),
  ...withOptions('aggregation.filters', 'filters other_bucket'),
  ...withOptions('aggregation.missing', 'field'),
  ...withOptions('aggregation.range', 'field ranges'),
  ...withOptions('aggregation.histogram', 'field interval offset min_doc_count order'),
  ...withOptions('aggregation.avg', 'field format missing'),
  ...withOptions('aggregation.min', 'field format'),
  ...withOptions('aggregation.max', 'field format'),
  ...['sum', 'stats', 'extended_stats', 'value_count', 'cardinality'].flatMap((name) =>
    withOptions(`aggregation.${name}`, 'field'),
  ),
  ...withOptions('aggregation.percentiles', 'field percents'),
  ...withOptions('aggregation.percentile_ranks', 'field values'),
  ...withOptions('aggregation.median_absolute_deviation', 'field'),
  ...withOptions('aggregation.weighted_avg', 'value weight'),
  ...withOptions(
    'aggregation.auto_date_histogram',
    'field buckets time_zone format minimum_interval',
  ),
  ...withOptions('aggregation.top_hits', 'sort size from _source fields docvalue_fields version'),
  ...withOptions('aggregation.geohash_grid', 'field precision size bounds'),
  ...withOptions('aggregation.geotile_grid', 'field precision size bounds'),
  ...withOptions('aggregation.geo_distance', 'field origin unit ranges'),
  ...withOptions('aggregation.geo_centroid', 'field'),
  ...withOptions('aggregation.rare_terms', 'field max_doc_count'),
  ...['aggregation.meta', 'aggregation depth 1', 'aggregation depth 2', 'aggregation depth 3'],
];

const hits: readonly string[] = [
  ...withOptions('sort', 'order mode unmapped_type format numeric_type missing _score _doc'),
  'sort.missing (a value)',
  ...under(
    'body',
    'query aggs sort from size _source fields docvalue_fields track_total_hits version track_scores stored_fields timeout',
  ),
  ...under('body._source', 'includes excludes'),
  ...under('fields', 'field format include_unmapped'),
  ...under('docvalue_fields', 'field format'),
];

const parameters: readonly string[] =
  'size from sort _source track_total_hits rest_total_hits_as_int ignore_unavailable preference'
    .split(' ')
    .map((name) => `parameter ${name}`);

export const claims: readonly string[] = [...queries, ...aggregations, ...hits, ...parameters];

/** Registered clauses and aggregations, as `query.<name>` and `aggregation.<name>`, that random searches leave to scenarios. */
export const byScenariosAlone: readonly string[] = [
  ...under('query', 'ids nested geo_polygon terms_set wrapper'),
  ...under(
    'aggregation',
    'top_metrics global date_range ip_range significant_terms multi_terms composite sampler diversified_sampler random_sampler nested reverse_nested geo_bounds rate boxplot string_stats matrix_stats adjacency_matrix variable_width_histogram ip_prefix categorize_text',
  ),
  ...under(
    'aggregation',
    'derivative cumulative_sum moving_fn moving_avg bucket_script bucket_selector bucket_sort serial_diff avg_bucket max_bucket min_bucket sum_bucket stats_bucket extended_stats_bucket percentiles_bucket normalize cumulative_cardinality',
  ),
];
