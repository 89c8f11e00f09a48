import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { options, seldom } from './context';

const gapPolicies = fc.constantFrom('skip', 'insert_zeros');

const movingFunctions = fc.constantFrom(
  'MovingFunctions.unweightedAvg(values)',
  'MovingFunctions.max(values)',
  'MovingFunctions.sum(values)',
  'MovingFunctions.linearWeightedAvg(values)',
  'MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))',
);

/** What a bucket has that a pipeline can read: its count, or one of the metrics in it. */
const readable = (metrics: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom('_count', ...metrics, ...metrics.map((name) => `${name}.value`));

/** A pipeline over the buckets of a histogram that gives each a value of its own. */
function ofEach(metrics: readonly string[]): fc.Arbitrary<JsonObject> {
  const path = readable(metrics);
  const made = (
    name: string,
    more: Readonly<Record<string, fc.Arbitrary<JsonValue>>>,
    required: readonly string[] = [],
  ): fc.Arbitrary<JsonObject> =>
    options({ buckets_path: path, ...more }, ['buckets_path', ...required]).map((body) => ({
      [name]: body,
    }));
  return fc.oneof(
    made('derivative', { gap_policy: gapPolicies }),
    made('cumulative_sum', {}),
    made('serial_diff', { lag: fc.integer({ min: 1, max: 3 }), gap_policy: gapPolicies }),
    made(
      'moving_fn',
      {
        window: fc.integer({ min: 1, max: 4 }),
        script: movingFunctions,
        shift: fc.integer({ min: 0, max: 2 }),
      },
      ['window', 'script'],
    ),
    fc.tuple(path, options({ gap_policy: gapPolicies })).map(([value, rest]) => ({
      bucket_script: {
        buckets_path: { a: value, n: '_count' },
        script: 'params.n > 1 ? params.a / params.n : params.a * 2',
        ...rest,
      },
    })),
  );
}

/** One of the pipelines that leave buckets out or put them in another order. */
function ofSome(metrics: readonly string[]): fc.Arbitrary<JsonObject> {
  const sort = fc
    .tuple(fc.constantFrom('_count', '_key', ...metrics), fc.constantFrom('asc', 'desc'))
    .map(([path, order]) => [{ [path]: { order } }, { _key: { order: 'asc' } }]);
  return fc.oneof(
    fc.tuple(readable(metrics), fc.constantFrom('> 1', '<= 3', '!= 0')).map(([path, test]) => ({
      bucket_selector: { buckets_path: { a: path }, script: `params.a ${test}` },
    })),
    options(
      {
        sort,
        from: fc.integer({ min: 0, max: 2 }),
        size: fc.integer({ min: 1, max: 5 }),
        gap_policy: gapPolicies,
      },
      ['sort'],
    ).map((body) => ({ bucket_sort: body })),
  );
}

/** Pipelines below a histogram now and then: some with values, one that chooses among the buckets. */
export const pipelinesBelow = (metrics: readonly string[]): fc.Arbitrary<JsonObject> =>
  seldom(3, { p1: ofEach(metrics), p2: ofEach(metrics), p3: ofSome(metrics) });

/** Pipelines beside an aggregation of several buckets, over what they have. */
export const pipelinesBeside = (
  name: string,
  metrics: readonly string[],
): fc.Arbitrary<JsonObject> => {
  const path = fc.constantFrom('_count', ...metrics).map((member) => `${name}>${member}`);
  const of = (type: string): fc.Arbitrary<JsonObject> =>
    options({ buckets_path: path, gap_policy: gapPolicies }, ['buckets_path']).map((body) => ({
      [type]: body,
    }));
  return seldom(3, {
    s1: fc.constantFrom('avg_bucket', 'sum_bucket', 'min_bucket', 'max_bucket').chain(of),
    s2: fc.constantFrom('stats_bucket', 'extended_stats_bucket', 'percentiles_bucket').chain(of),
  });
};
