import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { at, showsBuckets, showsHits, type Step, type Walk } from './walk';

const header: JsonObject = {
  search_type: 'query_then_fetch',
  ignore_unavailable: true,
  index: 'logs',
};
const from = Date.UTC(2024, 0, 1);
const to = Date.UTC(2024, 0, 2);
const range: JsonObject = {
  range: { '@timestamp': { gte: from, lte: to, format: 'epoch_millis' } },
};

const search = (name: string, body: JsonObject, shows: (answer: JsonValue) => boolean): Step => ({
  name,
  tolerate: [{ path: 'responses.0.hits.hits.*.sort.1', reason: '_doc: a place in the index' }],
  request: () => ({ path: '/_msearch?max_concurrent_shard_requests=5', lines: [header, body] }),
  shows: (answer) => shows(at(answer, 'responses', 0) ?? null),
});

export const grafanaWalk: Walk = {
  interface: 'Grafana',
  steps: [
    {
      name: 'fields',
      request: () => ({ path: '/logs/_mapping' }),
      tolerate: [
        { path: 'logs.mappings.dynamic', reason: 'how the judge is loaded' },
        { path: 'logs.mappings._meta', reason: 'how the judge is loaded' },
        { path: '**.fields.folded', reason: 'twin of a text field that only the judge has' },
      ],
    },
    search(
      'metric',
      {
        size: 0,
        query: { bool: { filter: [range] } },
        aggs: {
          3: {
            terms: { field: 'service', size: 10, order: { _key: 'desc' }, min_doc_count: 1 },
            aggs: {
              2: {
                date_histogram: {
                  field: '@timestamp',
                  fixed_interval: '10m',
                  min_doc_count: 0,
                  extended_bounds: { min: from, max: to },
                  format: 'epoch_millis',
                },
                aggs: { 1: { avg: { field: 'duration' } } },
              },
            },
          },
        },
      },
      showsBuckets('aggregations', '3'),
    ),
    search(
      'variable',
      {
        size: 0,
        query: { bool: { filter: [range] } },
        aggs: { 1: { terms: { field: 'host.name', size: 500, order: { _key: 'asc' } } } },
      },
      showsBuckets('aggregations', '1'),
    ),
    search(
      'documents',
      {
        size: 500,
        query: { bool: { filter: [range] } },
        sort: {
          '@timestamp': { order: 'desc', unmapped_type: 'boolean' },
          _doc: { order: 'desc' },
        },
        script_fields: {},
      },
      showsHits,
    ),
  ],
};
