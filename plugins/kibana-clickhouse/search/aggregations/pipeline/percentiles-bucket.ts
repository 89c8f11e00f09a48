import { illegalArgument } from '../../../common/errors/catalogue';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../common/json/json';
import type { AggregationType } from '../definition';
import { javaDouble } from '../../values/java-double';
import { type PipelineOptions, readOptions } from './pipeline-options';
import { siblingPipeline } from './sibling';
import { simpleValue } from './simple-value';

const name = 'percentiles_bucket';
const standardPercents: readonly number[] = [1, 5, 25, 50, 75, 95, 99];

/**
 * `{"percentiles_bucket": {"buckets_path": "days>bytes", "percents": [50, 95]}}`: of the buckets' values in order, those at
 * the nearest places (Elasticsearch 7.17 `PercentilesBucketPipelineAggregator`); null of none.
 */
export const percentilesBucket: AggregationType = {
  name,
  parse(body, aggregation) {
    const extra = { percents: ['START_ARRAY'], keyed: ['VALUE_BOOLEAN'] };
    const options = readOptions(body, { type: name, aggregation, extra, kind: 'sibling' });
    const percents = parsePercents(body);
    return siblingPipeline({
      type: name,
      aggregation,
      options,
      write: (values) => {
        const sorted = values.map(({ value }) => value).sort((a, b) => a - b);
        const found = percents.map((percent) => valueAt(sorted, percent));
        return body['keyed'] === false
          ? listed(percents, found, options.print)
          : keyed(percents, found, options.print);
      },
    });
  },
};

function parsePercents({ percents }: JsonObject): readonly number[] {
  if (!isJsonArray(percents)) return standardPercents;
  const numbers = percents.map((percent) => (typeof percent === 'number' ? percent : NaN));
  if (numbers.every((number) => number >= 0 && number <= 100)) return numbers;
  throw illegalArgument('percents must only contain non-null doubles from 0.0-100.0 inclusive');
}

/** Java rounds a half up. */
const valueAt = (sorted: readonly number[], percent: number): number =>
  sorted[Math.floor((percent / 100) * (sorted.length - 1) + 0.5)] ?? NaN;

const keyed = (
  percents: readonly number[],
  found: readonly number[],
  print: PipelineOptions['print'],
): JsonObject => {
  const entries = percents.map((percent, i): JsonObject =>
    simpleValue(found[i] ?? NaN, print, javaDouble(percent)),
  );
  return { values: Object.assign({}, ...entries) as JsonValue };
};

const listed = (
  percents: readonly number[],
  found: readonly number[],
  print: PipelineOptions['print'],
): JsonObject => ({
  values: percents.map((key, i) => {
    const value = found[i] ?? NaN;
    const text =
      print && Number.isFinite(value) ? { [`${javaDouble(key)}_as_string`]: print(value) } : {};
    return { key, value: Number.isFinite(value) ? value : null, ...text };
  }),
});
