import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';

/** One request that an interface sends all day, and the best statements for the same answer. */
export interface BenchRequest {
  readonly name: string;
  /** `hits`: documents are read; `panel`: a dashboard's panel; `fields`: which fields there are. */
  readonly kind: 'hits' | 'panel' | 'fields';
  /** Behind the name of the index; default `_search`. */
  readonly endpoint?: string;
  /** Over the time before `now` (epoch ms); undefined for a request without body. */
  readonly body?: (now: number) => JsonObject;
  /** What an expert writes for it by hand. Several are sent at once. */
  readonly byHand: (table: string, now: number) => readonly string[];
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const range = (now: number, length: number): JsonObject => ({
  range: { ts: { gte: now - length, lte: now, format: 'epoch_millis' } },
});

const within = (now: number, length: number): string =>
  `ts >= fromUnixTimestamp64Milli(${String(now - length)}, 'UTC') AND ts <= fromUnixTimestamp64Milli(${String(now)}, 'UTC')`;

interface Panel {
  readonly name: string;
  readonly aggs: JsonObject;
  /** Of the rows within the week: everything but the condition on the time. */
  readonly sql: (from: string) => string;
}

const panelOf = ({ name, aggs, sql }: Panel): BenchRequest => ({
  name,
  kind: 'panel',
  body: (now) => ({
    size: 0,
    track_total_hits: true,
    query: { bool: { filter: [range(now, 7 * day)] } },
    aggs,
  }),
  byHand: (table, now) => [sql(`FROM ${table} WHERE ${within(now, 7 * day)}`)],
});

const mean: JsonObject = { mean: { avg: { field: 'latency_ms' } } };
const hosts: JsonObject = { terms: { field: 'host', size: 10 } };

const panels: readonly Panel[] = [
  {
    name: 'average',
    aggs: mean,
    sql: (from) => `SELECT count(), avg(latency_ms) ${from}`,
  },
  {
    name: 'documents per hour',
    aggs: { time: { date_histogram: { field: 'ts', fixed_interval: '1h' } } },
    sql: (from) => `SELECT toStartOfHour(ts) AS hour, count() ${from} GROUP BY hour ORDER BY hour`,
  },
  {
    name: 'top 10 hosts',
    aggs: { hosts },
    sql: (from) =>
      `SELECT host, count() AS n ${from} GROUP BY host WITH TOTALS ORDER BY n DESC, host LIMIT 10`,
  },
  {
    name: 'top 10 of 50,000 paths by average',
    aggs: {
      paths: { terms: { field: 'path.keyword', size: 10, order: { mean: 'desc' } }, aggs: mean },
    },
    sql: (from) =>
      `SELECT path, count(), avg(latency_ms) AS mean ${from} GROUP BY path WITH TOTALS ORDER BY mean DESC, path LIMIT 10`,
  },
  {
    name: 'top 10 hosts over time',
    aggs: {
      hosts: {
        ...hosts,
        aggs: {
          time: { date_histogram: { field: 'ts', fixed_interval: '3h' }, aggs: mean },
        },
      },
    },
    sql: (from) =>
      `SELECT host, time, n, mean FROM (SELECT host, time, n, mean, sum(n) OVER (PARTITION BY host) AS all
        FROM (SELECT host, toStartOfInterval(ts, INTERVAL 3 HOUR) AS time, count() AS n, avg(latency_ms) AS mean ${from} GROUP BY host, time))
        QUALIFY dense_rank() OVER (ORDER BY all DESC, host) <= 10 ORDER BY all DESC, host, time`,
  },
  {
    name: 'statuses over time',
    aggs: {
      time: {
        date_histogram: { field: 'ts', fixed_interval: '6h' },
        aggs: { statuses: { terms: { field: 'status', size: 5 } } },
      },
    },
    sql: (from) =>
      `SELECT toStartOfInterval(ts, INTERVAL 6 HOUR) AS time, status, count() AS n ${from} GROUP BY time, status ORDER BY time, n DESC, status LIMIT 5 BY time`,
  },
  {
    name: 'agent, status, day',
    aggs: {
      agents: {
        terms: { field: 'agent', size: 5 },
        aggs: {
          statuses: {
            terms: { field: 'status', size: 3 },
            aggs: {
              days: { date_histogram: { field: 'ts', calendar_interval: '1d' }, aggs: mean },
            },
          },
        },
      },
    },
    sql: (from) =>
      `SELECT agent, status, day, n, mean FROM (SELECT *, sum(n) OVER (PARTITION BY agent) AS all, sum(n) OVER (PARTITION BY agent, status) AS some
        FROM (SELECT agent, status, toStartOfDay(ts) AS day, count() AS n, avg(latency_ms) AS mean ${from} GROUP BY agent, status, day))
        QUALIFY dense_rank() OVER (ORDER BY all DESC, agent) <= 5 AND dense_rank() OVER (PARTITION BY agent ORDER BY some DESC, status) <= 3
        ORDER BY all DESC, agent, some DESC, status, day`,
  },
  {
    name: 'percentiles',
    aggs: { latency: { percentiles: { field: 'latency_ms', percents: [50, 95, 99] } } },
    sql: (from) => `SELECT count(), quantilesTDigest(0.5, 0.95, 0.99)(latency_ms) ${from}`,
  },
  {
    name: 'distinct clients',
    aggs: { clients: { cardinality: { field: 'client_ip' } } },
    sql: (from) => `SELECT count(), uniqCombined64(client_ip) ${from}`,
  },
  {
    name: 'three filters',
    aggs: {
      kinds: {
        filters: {
          filters: {
            ok: { term: { status: 200 } },
            missing: { term: { status: 404 } },
            failed: { range: { status: { gte: 500 } } },
          },
        },
      },
    },
    sql: (from) =>
      `SELECT count(), countIf(status = 200), countIf(status = 404), countIf(status >= 500) ${from}`,
  },
  {
    name: 'four ranges with average',
    aggs: {
      sizes: {
        range: {
          field: 'bytes',
          ranges: [
            { to: 100 },
            { from: 100, to: 1000 },
            { from: 1000, to: 10000 },
            { from: 10000 },
          ],
        },
        aggs: mean,
      },
    },
    sql: (from) =>
      `SELECT multiIf(bytes < 100, 0, bytes < 1000, 1, bytes < 10000, 2, 3) AS size, count(), avg(latency_ms) ${from} GROUP BY size ORDER BY size`,
  },
  {
    name: 'table of 50 hosts with five numbers',
    aggs: {
      hosts: {
        terms: { field: 'host', size: 50 },
        aggs: {
          ...mean,
          least: { min: { field: 'latency_ms' } },
          most: { max: { field: 'latency_ms' } },
          sent: { sum: { field: 'bytes' } },
        },
      },
    },
    sql: (from) =>
      `SELECT host, count() AS n, avg(latency_ms), min(latency_ms), max(latency_ms), sum(bytes) ${from} GROUP BY host WITH TOTALS ORDER BY n DESC, host LIMIT 50`,
  },
];

interface Discovered {
  readonly name: string;
  readonly length: number;
  readonly interval: string;
  readonly seconds: number;
  readonly filter?: { readonly query: JsonObject; readonly sql: string };
}

const discoverOf = ({ name, length, interval, seconds, filter }: Discovered): BenchRequest => ({
  name,
  kind: 'hits',
  body: (now) => ({
    size: 500,
    sort: [{ ts: { order: 'desc' } }],
    track_total_hits: true,
    query: { bool: { filter: [range(now, length), ...(filter ? [filter.query] : [])] } },
    aggs: { '2': { date_histogram: { field: 'ts', fixed_interval: interval, min_doc_count: 1 } } },
  }),
  byHand: (table, now) => {
    const from = `FROM ${table} WHERE ${within(now, length)}${filter ? ` AND ${filter.sql}` : ''}`;
    return [
      `SELECT * ${from} ORDER BY ts DESC LIMIT 500`,
      `SELECT toStartOfInterval(ts, INTERVAL ${String(seconds)} SECOND) AS time, count() ${from} GROUP BY time ORDER BY time`,
    ];
  },
});

const discover: readonly BenchRequest[] = [
  discoverOf({ name: 'Discover, 15 minutes', length: 15 * minute, interval: '30s', seconds: 30 }),
  discoverOf({ name: 'Discover, 1 day', length: day, interval: '30m', seconds: 1800 }),
  discoverOf({ name: 'Discover, 30 days', length: 30 * day, interval: '12h', seconds: 43_200 }),
  discoverOf({
    name: 'Discover, 1 day, free text',
    length: day,
    interval: '30m',
    seconds: 1800,
    filter: {
      query: { match_phrase: { message: 'request ABC' } },
      sql: `message ILIKE '%request ABC%'`,
    },
  }),
];

const others: readonly BenchRequest[] = [
  {
    name: '10,000 hits',
    kind: 'hits',
    body: (now) => ({
      size: 10_000,
      sort: [{ ts: { order: 'desc' } }],
      track_total_hits: false,
      query: { bool: { filter: [range(now, 7 * day)] } },
    }),
    byHand: (table, now) => [
      `SELECT * FROM ${table} WHERE ${within(now, 7 * day)} ORDER BY ts DESC LIMIT 10000`,
    ],
  },
  {
    name: '_field_caps',
    kind: 'fields',
    endpoint: '_field_caps?fields=*',
    byHand: (table) => [
      `SELECT name, type, default_kind FROM system.columns WHERE database = currentDatabase() AND table = '${table}'`,
    ],
  },
];

/** All that is measured, in the order of the report. */
export const benchRequests: readonly BenchRequest[] = [
  ...discover,
  ...panels.map(panelOf),
  ...others,
];
