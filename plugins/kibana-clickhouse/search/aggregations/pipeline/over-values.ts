import type { JsonObject } from '../../../common/json/json';
import type { NamedAggregation, PipelineSurroundings } from '../definition';
import { bucketValue } from './bucket-value';
import type { PipelineOptions } from './pipeline-options';

/** The aggregation around a pipeline. Throws where there is none, which `validate` has answered. */
export function parentOf({ parent }: PipelineSurroundings): NamedAggregation {
  if (!parent) throw new TypeError('a pipeline of buckets stands in an aggregation');
  return parent;
}

/** What a pipeline's path says of each bucket around it; NaN for a gap, undefined where it leads nowhere. */
export const bucketValues = (
  buckets: readonly JsonObject[],
  { path, gapPolicy }: Pick<PipelineOptions, 'path' | 'gapPolicy'>,
  surroundings: PipelineSurroundings,
): readonly (number | undefined)[] => {
  const scope = { owner: parentOf(surroundings), context: surroundings.context };
  return buckets.map((bucket) => bucketValue(bucket, path, gapPolicy, scope));
};

/** The buckets with a pipeline's answers, in each that has one. */
export const withAnswers = (
  buckets: readonly JsonObject[],
  name: string,
  answers: readonly (JsonObject | undefined)[],
): readonly JsonObject[] =>
  buckets.map((bucket, i) => {
    const answer = answers[i];
    return answer === undefined ? bucket : { ...bucket, [name]: answer };
  });
