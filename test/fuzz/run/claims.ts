import { aggregationTypes } from '../../../plugins/kibana-clickhouse/search/aggregations/registry';
import { queryClauses } from '../../../plugins/kibana-clickhouse/search/queries/registry';

const under = (prefix: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `${prefix}.${name}`);

/** Clauses whose text rules have scenarios of their own. */
const textClauses: readonly string[] = [];

/**
 * What the product claims to answer, in the words of `featuresOf`: every clause and aggregation of its registries with its
 * options, and the keys of a search. Each must stand in an answer with documents.
 */
export const claims: readonly string[] = [
  ...queryClauses
    .filter(({ name }) => !textClauses.includes(name))
    .map(({ name }) => `query.${name}`),
  ...[...aggregationTypes.keys()].map((name) => `aggregation.${name}`),
  ...under(
    'query.bool',
    'must filter should must_not minimum_should_match adjust_pure_negative boost _name',
  ),
  ...under(
    'query.range',
    'gte gt lte lt from to include_lower include_upper format time_zone relation boost _name',
  ),
  ...under('query.term', 'value case_insensitive boost _name'),
  ...under('query.terms', 'boost _name'),
  ...under('query.exists', 'field boost _name'),
  ...under('query.constant_score', 'filter boost _name'),
  ...under('query.match_all', 'boost _name'),
  ...under(
    'aggregation.date_histogram',
    'field fixed_interval calendar_interval interval time_zone offset min_doc_count extended_bounds format keyed order',
  ),
  ...under(
    'aggregation.terms',
    'field size order min_doc_count format show_term_doc_count_error shard_size',
  ),
  ...under('aggregation.avg', 'field format'),
  ...['aggregation.meta', 'aggregation depth 1', 'aggregation depth 2', 'aggregation depth 3'],
  ...[
    'sort',
    ...under('sort', 'order mode unmapped_type format numeric_type missing _score _doc'),
    'sort.missing (a value)',
  ],
  ...under(
    'body',
    'query aggs sort from size _source fields docvalue_fields track_total_hits version track_scores stored_fields timeout',
  ),
  ...under('body._source', 'includes excludes'),
  ...under('fields', 'field format include_unmapped'),
  ...under('docvalue_fields', 'field format'),
  ...[
    'size',
    'from',
    'sort',
    '_source',
    'track_total_hits',
    'rest_total_hits_as_int',
    'ignore_unavailable',
    'preference',
  ].map((name) => `parameter ${name}`),
];
