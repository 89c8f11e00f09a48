import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import {
  filtered,
  of,
  range,
  type Seen,
  showsAsyncHits,
  showsBuckets,
  showsHits,
  type Step,
  tokens,
  type Walk,
} from './walk';

// Written after what these versions send; the recorded requests themselves are replayed by test/corpus.

const day = range('2024-01-01T00:00:00.000Z', '2024-01-01T23:59:59.999Z');
const week = range('2024-01-01T00:00:00.000Z', '2024-01-08T00:00:00.000Z');

const histogram = (interval: JsonObject): JsonObject => ({
  date_histogram: {
    field: '@timestamp',
    ...interval,
    time_zone: 'Europe/Warsaw',
    min_doc_count: 1,
  },
});

const fieldCaps: Step = {
  name: 'data view: fields',
  request: () => ({
    path: '/logs/_field_caps?fields=*&ignore_unavailable=true&allow_no_indices=false',
  }),
};

const wizardOfOld: Step = {
  name: 'data view: names',
  request: () => ({
    path: '/logs/_search?ignore_unavailable=true',
    body: { size: 0, aggs: { indices: { terms: { field: '_index', size: 200 } } } },
  }),
  shows: showsBuckets('aggregations', 'indices'),
};

const wizard: Step = {
  name: 'data view: names',
  request: () => ({ path: '/_resolve/index/logs' }),
};

/** The newest documents and their histogram, as one search. */
const discoverOfOld = (version: '6.8' | '7.10'): Step => {
  const body: JsonObject = {
    version: true,
    size: 50,
    sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'boolean' } }],
    _source: { excludes: [] },
    aggs: { 2: histogram(version === '6.8' ? { interval: '30m' } : { fixed_interval: '30m' }) },
    stored_fields: ['*'],
    script_fields: {},
    docvalue_fields: [{ field: '@timestamp', format: 'date_time' }],
    query: filtered(day),
    ...(version === '7.10' && { track_total_hits: true }),
  };
  return version === '6.8'
    ? {
        name: 'discover',
        request: () => ({
          path: '/_msearch?rest_total_hits_as_int=true&ignore_throttled=true',
          lines: [{ index: 'logs', ignore_unavailable: true, preference: 1700000000000 }, body],
        }),
        shows: (answer) =>
          showsHits((answer as { readonly responses: readonly JsonValue[] }).responses[0] ?? null),
      }
    : {
        name: 'discover',
        request: () => ({
          path: '/logs/_search?ignore_unavailable=true&ignore_throttled=true&preference=1',
          body,
        }),
        shows: showsHits,
      };
};

const newest = (fields: JsonObject): JsonObject => ({
  sort: [
    {
      '@timestamp': {
        order: 'desc',
        format: 'strict_date_optional_time',
        unmapped_type: 'boolean',
      },
    },
    { _doc: { order: 'desc', unmapped_type: 'boolean' } },
  ],
  version: true,
  script_fields: {},
  stored_fields: ['*'],
  runtime_mappings: {},
  ...fields,
});

const allFields: JsonObject = {
  fields: [
    { field: '*', include_unmapped: 'true' },
    { field: '@timestamp', format: 'strict_date_optional_time' },
  ],
  _source: false,
};

const asyncPath =
  '/logs/_async_search?batched_reduce_size=64&ccs_minimize_roundtrips=true&wait_for_completion_timeout=200ms&keep_on_completion=false&keep_alive=60000ms&ignore_unavailable=true&preference=1';

const discover: Step = {
  name: 'discover',
  request: () => ({
    path: asyncPath,
    body: { ...newest(allFields), size: 50, query: filtered(day), track_total_hits: false },
  }),
  shows: showsAsyncHits,
};

const chart: Step = {
  name: 'discover: chart',
  request: () => ({
    path: asyncPath,
    body: {
      size: 0,
      track_total_hits: true,
      query: filtered(day),
      aggs: { 0: histogram({ fixed_interval: '30m' }) },
    },
  }),
  shows: showsBuckets('response', 'aggregations', '0'),
};

const more: Step = {
  name: 'discover: more',
  request: (seen) => ({
    path: asyncPath,
    body: {
      ...newest(allFields),
      size: 50,
      query: filtered(day),
      track_total_hits: false,
      search_after: of(seen, 'discover', 'response', 'hits', 'hits', -1, 'sort'),
    },
  }),
  shows: showsAsyncHits,
};

/** Where the documents of a step stand in its answer. */
type Place = readonly (string | number)[];

const document = (path: string, place: Place, isAsync = false): Step => ({
  name: 'document',
  request: (seen) => ({
    path,
    body: {
      query: { ids: { values: [of(seen, 'discover', ...place, 3, '_id')] } },
      stored_fields: ['*'],
      script_fields: {},
      version: true,
      ...(isAsync ? { ...allFields, runtime_mappings: {} } : { _source: true }),
    },
  }),
  shows: isAsync ? showsAsyncHits : showsHits,
});

const documentOfPattern: Step = {
  name: 'document',
  request: (seen) => {
    const hit = (name: string): JsonValue =>
      of(seen, 'discover', 'response', 'hits', 'hits', 3, name);
    return {
      path: asyncPath,
      body: {
        query: {
          bool: {
            filter: [{ ids: { values: [hit('_id')] } }, { term: { _index: hit('_index') } }],
          },
        },
        stored_fields: ['*'],
        script_fields: {},
        version: true,
        ...allFields,
        runtime_mappings: {},
      },
    };
  },
  shows: showsAsyncHits,
};

/** The document again, and those around it: the newer ones in ascending order, the older ones in descending order. */
function surrounding(place: Place, { format }: { readonly format?: string } = {}): readonly Step[] {
  const id = (seen: Seen): JsonValue => of(seen, 'discover', ...place, 3, '_id');
  const sorted = (order: string): JsonObject => ({
    sort: [
      { '@timestamp': { order, ...(format !== undefined && { format }) } },
      { _doc: { order } },
    ],
    version: true,
    ...(format === undefined ? { _source: true } : allFields),
    track_total_hits: false,
  });
  const anchor: Step = {
    name: 'surrounding: anchor',
    request: (seen) => ({
      path: '/logs/_search',
      body: {
        ...sorted('desc'),
        size: 1,
        query: {
          bool: { must: [{ constant_score: { filter: { ids: { values: [id(seen)] } } } }] },
        },
      },
    }),
    shows: showsHits,
  };
  const around = (name: string, order: string): Step => ({
    name: `surrounding: ${name}`,
    request: (seen) => ({
      path: '/logs/_search',
      body: {
        ...sorted(order),
        size: 5,
        search_after: of(seen, 'surrounding: anchor', 'hits', 'hits', 0, 'sort'),
        query: {
          bool: {
            must: { constant_score: { filter: week } },
            must_not: { ids: { values: [id(seen)] } },
          },
        },
      },
    }),
    shows: showsHits,
  });
  return [anchor, around('newer', 'asc'), around('older', 'desc')];
}

const exported: JsonObject = {
  sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'boolean' } }],
  query: filtered(week),
};

/** Pages of a CSV by scroll, as up to 7.17. */
const csvByScroll: readonly Step[] = [
  {
    name: 'csv: first page',
    request: () => ({
      path: '/logs/_search?scroll=30s&size=500&ignore_unavailable=true',
      body: { ...exported, _source: ['@timestamp', 'level', 'service'] },
    }),
    tolerate: tokens,
    shows: showsHits,
  },
  {
    name: 'csv: next page',
    request: (seen) => ({
      method: 'POST',
      path: '/_search/scroll',
      body: { scroll: '30s', scroll_id: of(seen, 'csv: first page', '_scroll_id') },
    }),
    tolerate: tokens,
    shows: showsHits,
  },
  {
    name: 'csv: end',
    request: (seen) => ({
      method: 'DELETE',
      path: '/_search/scroll',
      body: { scroll_id: [of(seen, 'csv: next page', '_scroll_id')] },
    }),
  },
];

/** Pages of a CSV by a point in time, as from 8.0. */
const csvByPointInTime = (isAsync: boolean): readonly Step[] => [
  {
    name: 'csv: open',
    request: () => ({
      method: 'POST',
      path: '/logs/_pit?keep_alive=30s&ignore_unavailable=true',
    }),
    tolerate: tokens,
  },
  ...['first', 'second'].map((page): Step => ({
    name: `csv: ${page} page`,
    request: (seen) => ({
      path: isAsync ? '/_async_search' : '/_search',
      body: {
        ...exported,
        fields: ['@timestamp', 'level', 'service'],
        _source: false,
        size: 500,
        track_total_hits: true,
        pit: { id: of(seen, 'csv: open', 'id'), keep_alive: '30s' },
        ...(page === 'second' && {
          search_after: of(
            seen,
            'csv: first page',
            ...(isAsync ? ['response'] : []),
            ...['hits', 'hits', -1, 'sort'],
          ),
        }),
      },
    }),
    tolerate: [
      ...tokens,
      { path: 'hits.hits.*.sort.1', reason: '_shard_doc: a place in the index' },
    ],
    shows: isAsync ? showsAsyncHits : showsHits,
  })),
  {
    name: 'csv: end',
    request: (seen) => ({
      method: 'DELETE',
      path: '/_pit',
      body: { id: of(seen, 'csv: open', 'id') },
    }),
  },
];

/** Panels of a dashboard: a table by service and level, and the levels over time with all others beside them. */
const panels: readonly JsonObject[] = [
  {
    size: 0,
    track_total_hits: true,
    query: filtered(week),
    aggs: {
      2: {
        terms: { field: 'service', order: { 1: 'desc' }, size: 5 },
        aggs: {
          1: { avg: { field: 'duration' } },
          3: { terms: { field: 'level', order: { _count: 'desc' }, size: 3 } },
        },
      },
    },
  },
  {
    size: 0,
    query: filtered(week, { match_phrase: { level: 'error' } }),
    aggs: {
      2: {
        ...histogram({ fixed_interval: '3h' }),
        aggs: { 3: { terms: { field: 'service', size: 3 } } },
      },
    },
  },
];

const dashboard = (path: string, isAsync: boolean): readonly Step[] =>
  panels.map((body, i) => ({
    name: `dashboard: panel ${String(i + 1)}`,
    request: () => ({ path, body }),
    shows: showsBuckets(...(isAsync ? ['response'] : []), 'aggregations', '2'),
  }));

const suggestions: Step = {
  name: 'suggestions',
  request: () => ({
    path: '/logs/_terms_enum',
    body: { field: 'service', string: 'a', size: 10, timeout: '1s' },
  }),
};

const sync = ['hits', 'hits'] as const;
const async = ['response', 'hits', 'hits'] as const;

export const kibanaWalks: readonly Walk[] = [
  {
    interface: 'Kibana 6.8',
    steps: [
      ...[wizardOfOld, fieldCaps, discoverOfOld('6.8')],
      document('/logs/_search', ['responses', 0, ...sync]),
      ...surrounding(['responses', 0, ...sync]),
      ...csvByScroll,
      ...dashboard('/logs/_search', false),
    ],
  },
  {
    interface: 'Kibana 7.10',
    steps: [
      ...[wizard, fieldCaps, discoverOfOld('7.10')],
      document('/logs/_search', sync),
      ...surrounding(sync),
      ...csvByScroll,
      ...dashboard(asyncPath, true),
    ],
  },
  {
    interface: 'Kibana 7.17',
    steps: [
      ...[wizard, fieldCaps, discover, chart],
      document('/logs/_async_search', async, true),
      ...surrounding(async),
      ...csvByScroll,
      ...[suggestions, ...dashboard(asyncPath, true)],
    ],
  },
  {
    interface: 'Kibana 8.12',
    steps: [
      ...[wizard, fieldCaps, discover, chart, more, documentOfPattern],
      ...surrounding(async, { format: 'strict_date_optional_time' }),
      ...csvByPointInTime(false),
      ...[suggestions, ...dashboard(asyncPath, true)],
    ],
  },
  {
    interface: 'Kibana 9',
    steps: [
      ...[wizard, fieldCaps, discover, chart, more, documentOfPattern],
      ...surrounding(async, { format: 'strict_date_optional_time' }),
      ...csvByPointInTime(true),
      ...dashboard(asyncPath, true),
    ],
  },
  {
    interface: 'OpenSearch Dashboards 2',
    steps: [
      ...[wizard, fieldCaps, discoverOfOld('7.10')],
      document('/logs/_search', sync),
      ...surrounding(sync),
      ...dashboard('/logs/_search', false),
    ],
  },
];
