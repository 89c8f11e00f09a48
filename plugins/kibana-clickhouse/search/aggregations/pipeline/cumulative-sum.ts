import type { AggregationType } from '../definition';
import { checkOptions } from '../options';
import { bucketValues, withAnswers } from './over-values';
import { declaredOptions } from './pipeline-options';
import { needsHistogram, singlePath } from './placement';
import { simpleValue } from './simple-value';

const name = 'cumulative_sum';

/**
 * `{"cumulative_sum": {"buckets_path": "bytes"}}`: the sum of the values so far, in every bucket; a gap adds nothing
 * (Elasticsearch 7.17 `CumulativeSumPipelineAggregator`).
 */
export const cumulativeSum: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, { used: ['buckets_path', 'format'] });
    const options = declaredOptions(body, name, 'lists');
    return {
      family: 'pipeline',
      type: name,
      params: options,
      paths: options.paths,
      validate: (surroundings) => [
        ...singlePath(options.paths, aggregation),
        ...needsHistogram(name, aggregation)(surroundings),
      ],
      overBuckets: (named, buckets, surroundings) => {
        let sum = 0;
        const answers = bucketValues(buckets, options, surroundings).map((value) => {
          if (value !== undefined && Number.isFinite(value)) sum += value;
          return simpleValue(sum, options.print);
        });
        return withAnswers(buckets, named, answers);
      },
    };
  },
};
