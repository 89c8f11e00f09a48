import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { stringOf } from '../../../plugins/kibana-clickhouse/search/values/field-value';
import type { PipelineRewrite } from './definition';
import { at } from './json-path';

/** What a method makes of the values that are there. */
type Method = (values: readonly number[]) => (value: number) => number;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;
const least = (values: readonly number[]): number => Math.min(Number.MAX_VALUE, ...values);
/** Never below the smallest positive number: Elasticsearch starts there. */
const most = (values: readonly number[]): number => Math.max(Number.MIN_VALUE, ...values);
const range = (values: readonly number[]): number => most(values) - least(values);
const deviation = (values: readonly number[]): number =>
  Math.sqrt(meanOf(values.map((value) => (value - meanOf(values)) ** 2)));

/** Elasticsearch 7.17, `NormalizePipelineMethods`. */
const methods: Readonly<Record<string, Method>> = {
  rescale_0_1: (values) => (value) => (value - least(values)) / range(values),
  rescale_0_100: (values) => (value) => (100 * (value - least(values))) / range(values),
  mean: (values) => (value) => (value - meanOf(values)) / range(values),
  percent_of_sum: (values) => (value) => value / sumOf(values),
  'z-score': (values) => (value) => (value - meanOf(values)) / deviation(values),
  softmax: (values) => (value) => Math.exp(value) / sumOf(values.map(Math.exp)),
};

/** `normalize`, from the values in the judge's own buckets. Those of empty buckets are no values, counts excepted. */
export const normalize: PipelineRewrite = {
  type: 'normalize',
  judged: () => undefined,
  values: ({ buckets_path: path = '', method = '' }, buckets) => {
    const values = buckets.map((bucket) => valueIn(bucket, stringOf(path)));
    const apply = methods[stringOf(method)]?.(values.filter((value) => !Number.isNaN(value)));
    return values.map((value): JsonObject => {
      const made = apply?.(value) ?? Number.NaN;
      return { value: Number.isFinite(made) ? made : infinite(made) };
    });
  },
};

/** Elasticsearch writes numbers that JSON has not as text, and what is no number as null. */
const infinite = (value: number): JsonValue => (Number.isNaN(value) ? null : String(value));

function valueIn(bucket: JsonObject, path: string): number {
  if (path === '_count') return Number(bucket['doc_count']);
  if (bucket['doc_count'] === 0) return Number.NaN;
  const [name = '', property = 'value'] = path.split(/\.(?=[^.]*$)/);
  const names = name.split('>');
  const found = at(bucket, ...names);
  if (!isJsonObject(found)) return Number.NaN;
  const value = found['doc_count'] ?? found[property];
  return typeof value === 'number' ? value : Number.NaN;
}
