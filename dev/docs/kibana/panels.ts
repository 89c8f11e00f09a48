import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';

/** One aggregation of a visualization, as Kibana's saved objects write it. */
export interface PanelAggregation {
  readonly id: string;
  readonly type: string;
  /** `metric` is measured, all others make buckets, the outermost first. */
  readonly schema: 'metric' | 'segment' | 'group' | 'bucket';
  readonly params: JsonObject;
}

/** One panel of the dashboard over the monitoring records. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly type: 'table' | 'histogram' | 'pie';
  /** KQL; absent: all records. */
  readonly query?: string;
  readonly aggs: readonly PanelAggregation[];
  /** Place in a grid of 48 columns. */
  readonly grid: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

const count: PanelAggregation = { id: '1', type: 'count', schema: 'metric', params: {} };

const metric = (
  id: string,
  type: string,
  field: string,
  customLabel: string,
): PanelAggregation => ({
  ...{ id, type, schema: 'metric' },
  params: { field, customLabel },
});

const terms = (
  id: string,
  field: string,
  {
    schema = 'bucket',
    orderBy = '1',
    size = 20,
    customLabel = field,
  }: {
    readonly schema?: PanelAggregation['schema'];
    /** Id of the metric. */
    readonly orderBy?: string;
    readonly size?: number;
    readonly customLabel?: string;
  } = {},
): PanelAggregation => ({
  ...{ id, type: 'terms', schema },
  params: {
    ...{ field, orderBy, order: 'desc', size, customLabel },
    ...{ otherBucket: false, missingBucket: false },
  },
});

const overTime: PanelAggregation = {
  id: '2',
  type: 'date_histogram',
  schema: 'segment',
  params: {
    ...{ field: 'timestamp', interval: 'auto', min_doc_count: 1, drop_partials: false },
    useNormalizedEsInterval: true,
  },
};

const statement = { customLabel: 'statement' } as const;

/** Slowest, most frequent, errors, cache hits, rows read. */
export const panels: readonly Panel[] = [
  {
    id: 'statements',
    title: 'Statements over time, by index',
    type: 'histogram',
    aggs: [count, overTime, terms('3', 'index', { schema: 'group', size: 10 })],
    grid: { x: 0, y: 0, w: 32, h: 12 },
  },
  {
    id: 'cache-hits',
    title: 'Answered from the cache',
    type: 'pie',
    aggs: [count, terms('2', 'cacheHit', { schema: 'segment', size: 2 })],
    grid: { x: 32, y: 0, w: 16, h: 12 },
  },
  {
    id: 'slowest',
    title: 'Slowest statements',
    type: 'table',
    aggs: [
      metric('1', 'max', 'cost', 'longest, ms'),
      metric('4', 'avg', 'cost', 'mean, ms'),
      metric('5', 'max', 'readRows', 'rows read, at most'),
      terms('2', 'fingerprint', statement),
      terms('3', 'index', { size: 1 }),
    ],
    grid: { x: 0, y: 12, w: 24, h: 16 },
  },
  {
    id: 'most-frequent',
    title: 'Most frequent statements',
    type: 'table',
    aggs: [
      count,
      metric('4', 'sum', 'cost', 'together, ms'),
      terms('2', 'fingerprint', statement),
      terms('3', 'application', { size: 1 }),
    ],
    grid: { x: 24, y: 12, w: 24, h: 16 },
  },
  {
    id: 'rows-read',
    title: 'Rows read over time, by index',
    type: 'histogram',
    aggs: [
      metric('1', 'sum', 'readRows', 'rows'),
      overTime,
      terms('3', 'index', { schema: 'group', size: 10 }),
    ],
    grid: { x: 0, y: 28, w: 24, h: 12 },
  },
  {
    id: 'dashboards',
    title: 'Rows read, by dashboard and panel',
    type: 'table',
    aggs: [
      metric('1', 'sum', 'readRows', 'rows'),
      metric('4', 'percentiles', 'cost', 'ms'),
      terms('2', 'dashboard'),
      terms('3', 'panel', { size: 5 }),
    ],
    grid: { x: 24, y: 28, w: 24, h: 12 },
  },
  {
    id: 'errors',
    title: 'Errors',
    type: 'table',
    query: 'error.type : *',
    aggs: [
      count,
      terms('2', 'error.type'),
      terms('3', 'index', { size: 5 }),
      terms('4', 'consumer', { size: 5 }),
    ],
    grid: { x: 0, y: 40, w: 48, h: 12 },
  },
];
