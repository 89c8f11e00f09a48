import { DateTime } from 'luxon';
import { dateRounding } from '../../../plugins/kibana-clickhouse/search/aggregations/bucket/date-rounding';
import { parseTimeZone } from '../../../plugins/kibana-clickhouse/search/values/time-zone';

/** A document; empty where a field is missing. */
export interface Doc {
  readonly ts: readonly number[];
  readonly seen: readonly number[];
  readonly host: readonly string[];
  readonly level: readonly string[];
  readonly tags: readonly string[];
  readonly n: readonly number[];
  readonly vals: readonly number[];
  readonly ok: readonly boolean[];
}

type Order = Readonly<Record<string, 'asc' | 'desc'>>;

export interface Terms {
  readonly field: 'host' | 'level' | 'tags' | 'n' | 'vals' | 'ok';
  readonly size: number;
  readonly min_doc_count: number;
  readonly order: readonly Order[];
}
export interface DateHistogram {
  readonly field: 'ts' | 'seen';
  readonly fixed_interval: string;
  readonly time_zone: string;
  readonly min_doc_count: number;
  readonly order: readonly Order[];
}
export interface Aggregation {
  readonly terms?: Terms;
  readonly date_histogram?: DateHistogram;
  readonly avg?: { readonly field: 'n' | 'vals' };
  readonly aggs?: Readonly<Record<string, Aggregation>>;
}
export type Aggregations = Readonly<Record<string, Aggregation>>;

type Json = Readonly<Record<string, unknown>>;

/** What Elasticsearch answers, evaluated document by document. */
export const evaluate = (aggs: Aggregations, docs: readonly Doc[]): Json =>
  Object.fromEntries(Object.entries(aggs).map(([name, agg]) => [name, evaluateOne(agg, docs)]));

function evaluateOne(agg: Aggregation, docs: readonly Doc[]): Json {
  if (agg.avg) return { value: mean(docs, agg.avg.field) };
  if (agg.terms) return evaluateTerms(agg.terms, agg.aggs ?? {}, docs);
  if (agg.date_histogram) return evaluateHistogram(agg.date_histogram, agg.aggs ?? {}, docs);
  throw new Error('unknown aggregation');
}

function mean(docs: readonly Doc[], field: 'n' | 'vals'): number | null {
  const values = docs.flatMap((doc) => doc[field]);
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
}

type Key = string | number | boolean;

function group(docs: readonly Doc[], keysOf: (doc: Doc) => readonly Key[]): Map<Key, Doc[]> {
  const groups = new Map<Key, Doc[]>();
  for (const doc of docs) {
    for (const key of new Set(keysOf(doc))) groups.set(key, [...(groups.get(key) ?? []), doc]);
  }
  return groups;
}

type Entry = readonly [Key, readonly Doc[]];

function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'string' && typeof b === 'string')
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

function compareBy(order: readonly Order[], aggs: Aggregations): (a: Entry, b: Entry) => number {
  return (a, b) => {
    for (const item of order) {
      const [path = '', direction] = Object.entries(item)[0] ?? [];
      const sign = direction === 'asc' ? 1 : -1;
      if (path === '_key') return sign * compareKeys(a[0], b[0]);
      const field = aggs[path]?.avg?.field;
      const valueOf = ([, docs]: Entry): number | null => (field ? mean(docs, field) : docs.length);
      const difference = compareValues(valueOf(a), valueOf(b), sign);
      if (difference !== 0) return difference;
    }
    return compareKeys(a[0], b[0]);
  };
}

/** Nothing stands last, whichever way. */
function compareValues(a: number | null, b: number | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * (a - b);
}

function evaluateTerms(params: Terms, aggs: Aggregations, docs: readonly Doc[]): Json {
  const entries: Entry[] = [...group(docs, (doc) => doc[params.field])].filter(
    ([, members]) => members.length >= params.min_doc_count,
  );
  const shown = entries.sort(compareBy(params.order, aggs)).slice(0, params.size);
  const count = (some: readonly Entry[]): number =>
    some.reduce((sum, [, members]) => sum + members.length, 0);
  return {
    doc_count_error_upper_bound: 0,
    sum_other_doc_count: count(entries) - count(shown),
    buckets: shown.map(([key, members]) => ({
      ...(typeof key === 'boolean' ? { key: Number(key), key_as_string: String(key) } : { key }),
      doc_count: members.length,
      ...evaluate(aggs, members),
    })),
  };
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function evaluateHistogram(params: DateHistogram, aggs: Aggregations, docs: readonly Doc[]): Json {
  const { fixed_interval: interval, time_zone: zone } = params;
  const ms = parseInt(interval, 10) * (units[interval.at(-1) ?? ''] ?? 0);
  const { round, next } = dateRounding({ kind: 'fixed', ms }, parseTimeZone(zone));
  const groups = group(docs, (doc) => doc[params.field].map(round));
  const keys = [...groups.keys()].map(Number).sort((a, b) => a - b);
  if (params.min_doc_count === 0) {
    for (let i = 0; i + 1 < keys.length; i += 1) {
      const following = next(keys[i] ?? 0);
      if (following !== keys[i + 1]) keys.splice(i + 1, 0, following);
    }
  }
  const entries = keys
    .map((key): Entry => [key, groups.get(key) ?? []])
    .filter(([, members]) => members.length >= params.min_doc_count);
  return {
    buckets: entries.sort(compareBy(params.order, aggs)).map(([key, members]) => ({
      key_as_string: isoIn(Number(key), zone),
      key,
      doc_count: members.length,
      ...evaluate(aggs, members),
    })),
  };
}

const isoIn = (ms: number, zone: string): string => DateTime.fromMillis(ms, { zone }).toISO() ?? '';
