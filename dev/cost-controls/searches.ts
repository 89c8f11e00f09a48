import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import type { TimeRounding } from '../../plugins/kibana-clickhouse/search/time-rounding';

/** What a control is switched by. */
export interface Switches {
  readonly trim?: 'off';
  readonly sampling?: { readonly threshold: number };
  readonly rounding?: TimeRounding;
  readonly cache?: true;
}

/** A search that shows what a control is good for, asked with and without it. */
export interface MeasuredSearch {
  readonly control: 'trim' | 'sampling' | 'rounding and cache';
  readonly name: string;
  /** Of tables with a hash to sample by. */
  readonly sampled: boolean;
  /** `now` in epoch ms: the search is over the 30 days before. */
  readonly body: (now: number) => JsonObject;
  readonly without: Switches;
  readonly with: Switches;
  /** ms by which `now` goes on from one run to the next. */
  readonly step: number;
}

const days = 30;

const over = (now: number, ...others: readonly JsonObject[]): JsonObject => ({
  bool: {
    filter: [
      { range: { ts: { gte: now - days * 86_400_000, lte: now, format: 'epoch_millis' } } },
      ...others,
    ],
  },
});

const errors: JsonObject = { term: { status: 503 } };
const newest: JsonObject = { size: 500, sort: [{ ts: 'desc' }] };
const histogram: JsonObject = { '2': { date_histogram: { field: 'ts', fixed_interval: '12h' } } };

/** A control that is on without being asked for: what stands for `without` switches it off. */
const trimmed = (name: string, body: MeasuredSearch['body']): MeasuredSearch => ({
  control: 'trim',
  name,
  sampled: false,
  body,
  without: { trim: 'off' },
  with: {},
  step: 60_000,
});

const dashboard = (now: number): JsonObject => ({
  size: 0,
  query: over(now),
  aggs: { hosts: { terms: { field: 'host' }, aggs: { mean: { avg: { field: 'latency_ms' } } } } },
});

export const measuredSearches: readonly MeasuredSearch[] = [
  trimmed('newest 500, histogram, total', (now) => ({
    ...newest,
    query: over(now),
    aggs: histogram,
    track_total_hits: true,
  })),
  trimmed('the same of status 503', (now) => ({
    ...newest,
    query: over(now, errors),
    aggs: histogram,
    track_total_hits: true,
  })),
  trimmed('newest 500, total of status 503', (now) => ({
    ...newest,
    query: over(now, errors),
    track_total_hits: true,
  })),
  trimmed('newest 500', (now) => ({ ...newest, query: over(now), track_total_hits: false })),
  trimmed('newest 500, ties by _doc', (now) => ({
    ...newest,
    sort: [{ ts: 'desc' }, { _doc: 'desc' }],
    query: over(now),
    track_total_hits: false,
  })),
  trimmed('newest 500 of status 503', (now) => ({
    ...newest,
    query: over(now, errors),
    track_total_hits: false,
  })),
  trimmed('newest 500 of one host', (now) => ({
    ...newest,
    query: over(now, { term: { host: 'web-042' } }),
    track_total_hits: false,
  })),
  trimmed('newest 500 of a rare path', (now) => ({
    ...newest,
    query: over(now, { term: { 'path.keyword': '/p/77' } }),
    track_total_hits: false,
  })),
  {
    control: 'sampling',
    name: 'hosts with a mean, threshold 500,000',
    sampled: true,
    body: dashboard,
    without: {},
    with: { sampling: { threshold: 500_000 } },
    step: 60_000,
  },
  {
    control: 'rounding and cache',
    name: 'hosts with a mean, again after 5 s',
    sampled: false,
    body: dashboard,
    without: {},
    with: { rounding: { stepMs: 20_000, minPeriodMs: 120_000 }, cache: true },
    step: 5_000,
  },
];
