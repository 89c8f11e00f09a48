import { parsingError } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import type { AggregationType } from '../definition';
import { bucketValues, withAnswers } from './over-values';
import { readOptions } from './pipeline-options';
import { needsHistogram } from './placement';
import { simpleValue } from './simple-value';

const name = 'serial_diff';

/**
 * `{"serial_diff": {"buckets_path": "bytes", "lag": 7}}`: how far a value is from that `lag` buckets before (default 1); none
 * where either is a gap (Elasticsearch 7.17 `SerialDiffPipelineAggregator`).
 */
export const serialDiff: AggregationType = {
  name,
  parse(body, aggregation) {
    const options = readOptions(body, {
      type: name,
      aggregation,
      extra: { lag: ['VALUE_NUMBER'] },
    });
    const lag = parseLag(body, aggregation);
    return {
      family: 'pipeline',
      type: name,
      params: { ...options, lag },
      paths: options.paths,
      validate: needsHistogram(name, aggregation),
      overBuckets: (named, buckets, surroundings) => {
        const values = bucketValues(buckets, options, surroundings);
        const answers = values.map((value = NaN, i) => {
          const difference = value - (values[i - lag] ?? NaN);
          return Number.isNaN(difference) ? undefined : simpleValue(difference, options.print);
        });
        return withAnswers(buckets, named, answers);
      },
    };
  },
};

function parseLag({ lag = 1 }: JsonObject, aggregation: string): number {
  const number = Math.trunc(Number(lag));
  if (number > 0) return number;
  throw parsingError(
    `Lag must be a positive, non-zero integer.  Value supplied was${String(number)} in [${aggregation}]: [lag].`,
  );
}
