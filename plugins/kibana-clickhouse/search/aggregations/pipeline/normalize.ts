import { illegalArgument } from '../../../common/errors/catalogue';
import { parseField } from '../../request/parse-field';
import type { AggregationType } from '../definition';
import { failedBuild } from '../metric/percentile-options';
import { checkOptions, textOption } from '../options';
import { bucketValues, withAnswers } from './over-values';
import { declaredOptions, requireOptions } from './pipeline-options';
import { needsBuckets, singlePath } from './placement';
import { simpleValue } from './simple-value';

const name = 'normalize';

/**
 * `{"normalize": {"buckets_path": "bytes", "method": "percent_of_sum"}}`: each value in relation to all of them; null for a gap
 * (x-pack of Elasticsearch 7.17, `NormalizePipelineMethods`).
 */
export const normalize: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, { used: ['buckets_path', 'method', 'format'] });
    requireOptions(body, required);
    const options = declaredOptions(body, name, 'lists');
    const last = Object.keys(body).findLast((key) => required.includes(key)) ?? 'method';
    const method = parseField(name, last, () => methodOf(textOption(body, 'method', name) ?? ''));
    return {
      family: 'pipeline',
      type: name,
      params: { ...options, method: body['method'] },
      paths: options.paths,
      validate: (surroundings) => [
        ...singlePath(options.paths, aggregation),
        ...needsBuckets(name, aggregation)(surroundings),
      ],
      overBuckets: (named, buckets, surroundings) => {
        const values = bucketValues(buckets, options, surroundings).map((value = NaN) => value);
        const scale = method(values.filter((value) => !Number.isNaN(value)));
        const answers = values.map((value) =>
          simpleValue(Number.isNaN(value) ? NaN : scale(value), options.print),
        );
        return withAnswers(buckets, named, answers);
      },
    };
  },
};

/** From all values to what becomes of one. */
type Method = (values: readonly number[]) => (value: number) => number;

const sumOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;
const least = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.min(a, b), Infinity);
/** The largest value is at least Java's least positive double: Elasticsearch's own slip, seen where all are negative. */
const rangeOf = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.max(a, b), Number.MIN_VALUE) - least(values);

/** Of a value, how far it is from `start(values)` in parts of the range. */
const rescaled =
  (start: (values: readonly number[]) => number, scale = 1): Method =>
  (values) => {
    const [from, range] = [start(values), rangeOf(values)];
    return (value) => (scale * (value - from)) / range;
  };

const methods: Readonly<Record<string, Method>> = {
  rescale_0_1: rescaled(least),
  rescale_0_100: rescaled(least, 100),
  mean: rescaled(meanOf),
  percent_of_sum: (values) => {
    const sum = sumOf(values);
    return (value) => value / sum;
  },
  'z-score': (values) => {
    const mean = meanOf(values);
    const deviation = Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
    return (value) => (value - mean) / deviation;
  },
  softmax: (values) => {
    const all = sumOf(values.map((value) => Math.exp(value)));
    return (value) => Math.exp(value) / all;
  },
};

const required: readonly string[] = ['method', 'buckets_path'];

function methodOf(text: string): Method {
  const found = Object.hasOwn(methods, text) ? methods[text] : undefined;
  if (found) return found;
  throw failedBuild(name, illegalArgument(`invalid method [${text}]`));
}
