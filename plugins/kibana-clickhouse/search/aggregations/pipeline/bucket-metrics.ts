import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import type { AggregationType } from '../definition';
import { spreadOf, writeSpread } from '../metric/extended-stats';
import { writeStats } from '../metric/stats';
import type { Sums } from '../metric/sums';
import { type PipelineOptions, readOptions } from './pipeline-options';
import { type KeyedValue, siblingPipeline } from './sibling';
import { simpleValue } from './simple-value';

type Write = (values: readonly KeyedValue[], print: PipelineOptions['print']) => JsonObject;

const bucketMetric = (name: string, write: Write): AggregationType => ({
  name,
  parse(body, aggregation) {
    const options = readOptions(body, { type: name, aggregation, kind: 'sibling' });
    return siblingPipeline({
      type: name,
      aggregation,
      options,
      write: (values) => write(values, options.print),
    });
  },
});

const sumOf = (values: readonly KeyedValue[]): number =>
  values.reduce((sum, { value }) => sum + value, 0);

/** `{"avg_bucket": {"buckets_path": "days>bytes"}}`: the mean of the buckets' values; null of none. */
export const avgBucket = bucketMetric('avg_bucket', (values, print) =>
  simpleValue(values.length === 0 ? NaN : sumOf(values) / values.length, print),
);

/** `{"sum_bucket": {"buckets_path": "days>bytes"}}`: the sum of the buckets' values. */
export const sumBucket = bucketMetric('sum_bucket', (values, print) =>
  simpleValue(sumOf(values), print),
);

/** An extreme value and the keys of all buckets that have it (Elasticsearch 7.17 `InternalBucketMetricValue`). */
const extreme =
  (choose: (values: readonly number[]) => number): Write =>
  (values, print) => {
    const found = choose(values.map(({ value }) => value));
    const keys = values.filter(({ value }) => value === found).map((keyed) => keyed.key());
    return { ...simpleValue(found, print), keys };
  };

const least = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.min(a, b), Infinity);
const largest = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.max(a, b), -Infinity);

/** `{"max_bucket": {"buckets_path": "days>bytes"}}`: the largest of the buckets' values, and the keys of those buckets. */
export const maxBucket = bucketMetric('max_bucket', extreme(largest));

/** `{"min_bucket": {"buckets_path": "days>bytes"}}`: the least of the buckets' values, and the keys of those buckets. */
export const minBucket = bucketMetric('min_bucket', extreme(least));

function sumsOf(values: readonly KeyedValue[]): Sums {
  const numbers = values.map(({ value }) => value);
  return { count: values.length, sum: sumOf(values), min: least(numbers), max: largest(numbers) };
}

/** `{"stats_bucket": {"buckets_path": "days>bytes"}}`: count, least, largest, mean and sum of the buckets' values. */
export const statsBucket = bucketMetric('stats_bucket', (values, print) =>
  writeStats(sumsOf(values), print),
);

const extendedName = 'extended_stats_bucket';

/**
 * `{"extended_stats_bucket": {"buckets_path": "days>bytes", "sigma": 3}}`: what `extended_stats` says, of the buckets' values
 * (Elasticsearch 7.17 `ExtendedStatsBucketPipelineAggregator`).
 */
export const extendedStatsBucket: AggregationType = {
  name: extendedName,
  parse(body, aggregation) {
    const extra = { sigma: ['VALUE_NUMBER'] };
    const options = readOptions(body, { type: extendedName, aggregation, extra, kind: 'sibling' });
    const sigma = Number(body['sigma'] ?? 2);
    if (sigma < 0) throw illegalArgument('sigma must be a non-negative double');
    return siblingPipeline({
      type: extendedName,
      aggregation,
      options,
      write: (values) => {
        const sums = sumsOf(values);
        const squares = values.reduce((sum, { value }) => sum + value * value, 0);
        return {
          ...writeStats(sums, options.print),
          ...writeSpread(spreadOf(sums, squares), sigma, options.print),
        };
      },
    });
  },
};
