import { aggregationTypes } from '../../plugins/kibana-clickhouse/search/aggregations/registry';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';

/*
 * Every aggregation under every other: one request for each bucket aggregation with all others side by side below it, and
 * some with three levels. The documents are those of the dataset `orders`.
 */

/** The fields that a sample of an aggregation names: of the orders, or of their items. */
interface Fields {
  readonly word: string;
  readonly words: string;
  readonly number: string;
  readonly amount: string;
  readonly date: string;
}

const ofOrders: Fields = {
  word: 'shop',
  words: 'labels',
  number: 'n',
  amount: 'total',
  date: 'at',
};

const ofItems: Fields = {
  word: 'items.sku',
  words: 'items.colours',
  number: 'items.qty',
  amount: 'items.price',
  date: 'items.sent',
};

type Sample = (fields: Fields) => JsonObject;

/** Bucket aggregations that can stand below others and above others. */
const buckets: Readonly<Record<string, Sample>> = {
  auto_date_histogram: ({ date }) => ({ field: date, buckets: 4 }),
  date_histogram: ({ date }) => ({ field: date, calendar_interval: 'day' }),
  date_range: ({ date }) => ({
    field: date,
    ranges: [{ to: '2024-02-28' }, { from: '2024-02-28', to: '2024-03-01' }],
  }),
  filter: ({ number }) => ({ range: { [number]: { gte: 2 } } }),
  filters: ({ number, words }) => ({
    filters: { a: { range: { [number]: { lt: 3 } } }, b: { exists: { field: words } } },
    other_bucket_key: 'c',
  }),
  histogram: ({ amount }) => ({ field: amount, interval: 40, min_doc_count: 1 }),
  missing: ({ amount }) => ({ field: amount }),
  range: ({ number }) => ({ field: number, ranges: [{ to: 3 }, { from: 1 }] }),
  rare_terms: ({ number }) => ({ field: number, max_doc_count: 2 }),
  sampler: () => ({ shard_size: 1000 }),
  terms: ({ words }) => ({ field: words }),
};

/** Bucket aggregations on fields that only the orders have. */
const bucketsOfOrders: Readonly<Record<string, Sample>> = {
  geo_distance: () => ({
    field: 'place',
    origin: '10,10',
    unit: 'km',
    ranges: [{ to: 5000 }, { from: 5000 }],
  }),
  geohash_grid: () => ({ field: 'place', precision: 1, size: 3 }),
  geotile_grid: () => ({ field: 'place', precision: 1 }),
  ip_prefix: () => ({ field: 'client', prefix_length: 24 }),
  ip_range: () => ({ field: 'client', ranges: [{ mask: '10.0.0.0/24' }, { from: '10.0.1.3' }] }),
  multi_terms: ({ word, words }) => ({ terms: [{ field: word }, { field: words }], size: 3 }),
  nested: () => ({ path: 'items' }),
  random_sampler: () => ({ probability: 1 }),
  // Elasticsearch counts nested documents in the background, too, unless it has a condition
  significant_terms: ({ word }) => ({
    field: word,
    min_doc_count: 1,
    size: 1,
    background_filter: { exists: { field: 'shop' } },
  }),
};

const metrics: Readonly<Record<string, Sample>> = {
  ...Object.fromEntries(
    [
      'avg',
      'cardinality',
      'extended_stats',
      'max',
      'median_absolute_deviation',
      'min',
      'percentiles',
      'stats',
      'sum',
      'value_count',
    ].map((name): [string, Sample] => [name, ({ amount }) => ({ field: amount })]),
  ),
  percentile_ranks: ({ number }) => ({ field: number, values: [1, 30] }),
  weighted_avg: ({ amount, number }) => ({
    value: { field: amount },
    weight: { field: number },
  }),
};

const metricsOfOrders: Readonly<Record<string, Sample>> = {
  geo_bounds: () => ({ field: 'place' }),
  geo_centroid: () => ({ field: 'place' }),
  top_hits: () => ({ size: 1, sort: [{ n: 'desc' }], _source: ['n'] }),
  top_metrics: () => ({ metrics: { field: 'total' }, sort: { n: 'desc' } }),
};

/** What stands at the top or below few others: asked for by itself. */
const alone: Readonly<Record<string, Sample>> = {
  composite: ({ word }) => ({ sources: [{ k: { terms: { field: word } } }] }),
  global: () => ({}),
  reverse_nested: () => ({}),
};

const pipelines: readonly string[] = [...aggregationTypes.keys()].filter((name) =>
  /_bucket$|^bucket_|^(?:cumulative_sum|derivative|moving_fn|normalize|serial_diff)$/.test(name),
);

/** Aggregations that have no sample here; `rate` stands below date histograms alone. */
export const unsampled = (): readonly string[] => {
  const sampled = [buckets, bucketsOfOrders, metrics, metricsOfOrders, alone].flatMap(Object.keys);
  return [...aggregationTypes.keys()].filter(
    (name) => ![...sampled, ...pipelines, 'rate'].includes(name),
  );
};

/** Aggregations by their names, buckets with a count below: Elasticsearch refuses samplers that hold nothing. */
const made = (
  samples: Readonly<Record<string, Sample>>,
  fields: Fields,
  below: JsonObject,
): JsonObject =>
  Object.fromEntries(
    Object.entries(samples).map(([name, sample]) => [
      name,
      // Elasticsearch 7.17 mixes up what is below rare terms of several buckets
      { [name]: sample(fields), ...(name !== 'rare_terms' && { aggs: below }) },
    ]),
  );

const measured = (samples: Readonly<Record<string, Sample>>, fields: Fields): JsonObject =>
  Object.fromEntries(
    Object.entries(samples).map(([name, sample]) => [name, { [name]: sample(fields) }]),
  );

const counted = (fields: Fields): JsonObject => ({ v: { value_count: { field: fields.words } } });

/** All that can stand below a bucket of orders, and below one of items. */
const belowOrders: JsonObject = {
  ...made({ ...buckets, ...bucketsOfOrders }, ofOrders, counted(ofOrders)),
  ...measured({ ...metrics, ...metricsOfOrders }, ofOrders),
};
const belowItems: JsonObject = {
  ...made(buckets, ofItems, counted(ofItems)),
  ...measured(metrics, ofItems),
  reverse_nested: { reverse_nested: {} },
};

const without = (aggs: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(aggs).filter(([name]) => !names.includes(name)));

/** What one of the two servers refuses to answer below a bucket aggregation of nested documents. */
function answeredBelow(name: string): JsonObject {
  if (name === 'auto_date_histogram') return without(belowItems, 'reverse_nested');
  return name === 'rare_terms' ? without(belowItems, 'sampler') : belowItems;
}

/** A search with only aggregations. */
export interface PairRequest {
  readonly name: string;
  readonly aggs: JsonObject;
}

const nested = (aggs: JsonObject): JsonObject => ({ i: { nested: { path: 'items' }, aggs } });

/** One request for each bucket aggregation with everything below it. */
export function pairRequests(): readonly PairRequest[] {
  const all = { ...buckets, ...bucketsOfOrders };
  const orders = Object.entries(all).map(([name, sample]) => ({
    name: `all below ${name}`,
    aggs: { a: { [name]: sample(ofOrders), aggs: name === 'nested' ? belowItems : belowOrders } },
  }));
  const items = Object.entries(buckets).map(([name, sample]) => ({
    name: `all below ${name} of nested documents`,
    aggs: nested({ a: { [name]: sample(ofItems), aggs: answeredBelow(name) } }),
  }));
  const back = {
    name: 'all below reverse_nested',
    aggs: nested({
      t: {
        terms: { field: 'items.sku' },
        aggs: { r: { reverse_nested: {}, aggs: without(belowOrders, 'top_hits', 'top_metrics') } },
      },
    }),
  };
  return [
    ...orders,
    ...items,
    back,
    { name: 'all below global', aggs: { g: { global: {}, aggs: belowOrders } } },
    {
      name: 'all below composite',
      aggs: {
        c: { composite: { sources: [{ k: { terms: { field: 'shop' } } }] }, aggs: belowOrders },
      },
    },
  ];
}

/** What is legal below few: one request for each pair, which both servers answer or both refuse. */
export function singleRequests(): readonly PairRequest[] {
  const all = { ...buckets, ...bucketsOfOrders };
  return Object.entries(all).flatMap(([name, sample]) =>
    Object.entries(alone).map(([lone, below]) => {
      const fields = name === 'nested' ? ofItems : ofOrders;
      return {
        name: `${lone} below ${name}`,
        aggs: { a: { [name]: sample(ofOrders), aggs: { x: { [lone]: below(fields) } } } },
      };
    }),
  );
}

/** Three levels: every third bucket aggregation below every second one, with some of all at the end. */
export function deepRequests(): readonly PairRequest[] {
  const all = Object.entries({ ...buckets, ...bucketsOfOrders }).filter(
    ([name]) => name !== 'nested',
  );
  const below = Object.entries(belowOrders);
  const leaves = (from: number): JsonObject =>
    Object.fromEntries(
      Array.from({ length: 3 }, (_, i) => below[(from + i * 7) % below.length] ?? ['none', {}]),
    );
  const middles = (shift: number): JsonObject =>
    Object.fromEntries(
      all
        .filter(([name], i) => name !== 'rare_terms' && (shift + i) % 6 === 0)
        .map(([name, sample], i) => [
          name,
          { [name]: sample(ofOrders), aggs: leaves(shift + 3 * i) },
        ]),
    );
  return all
    .map(([name, sample], i) => ({
      name: `three levels below ${name}`,
      aggs: { a: { [name]: sample(ofOrders), aggs: middles(i) } },
    }))
    .filter((_, i) => i % 2 === 0);
}
