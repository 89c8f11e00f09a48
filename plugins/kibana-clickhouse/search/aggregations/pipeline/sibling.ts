import { isJsonObject, type JsonObject } from '../../../common/json/json';
import type { NamedAggregation, PipelineNode, PipelineSurroundings } from '../definition';
import { bucketsOf, keyText } from './bucket-key';
import { bucketValue } from './bucket-value';
import { pathNames } from './buckets-path';
import type { PipelineOptions } from './pipeline-options';

/** A value of a bucket, and which bucket it is. */
export interface KeyedValue {
  readonly value: number;
  /** The bucket's key as text. */
  key(): string;
}

/** What a sibling pipeline makes of the values of another aggregation's buckets. */
interface Sibling {
  readonly type: string;
  readonly aggregation: string;
  readonly options: PipelineOptions;
  /** Its answer, from the values of all buckets that have one. */
  write(values: readonly KeyedValue[]): JsonObject;
}

/** Makes a pipeline that stands beside the aggregation that its path begins with (Elasticsearch 7.17 `BucketMetricsPipelineAggregator`). */
export const siblingPipeline = (sibling: Sibling): PipelineNode => ({
  family: 'pipeline',
  type: sibling.type,
  params: sibling.options,
  paths: sibling.options.paths,
  validate: (surroundings) => placeProblems(sibling, surroundings),
  besides: (answers, surroundings) =>
    sibling.write(valuesOf(answers, sibling.options, surroundings)),
});

function valuesOf(
  answers: JsonObject,
  { path, gapPolicy }: PipelineOptions,
  { siblings, context }: PipelineSurroundings,
): readonly KeyedValue[] {
  const [first, ...names] = pathNames(path);
  const owner = siblings.find(({ name }) => name === first);
  const answer = owner && answers[owner.name];
  if (!owner || !isJsonObject(answer)) return [];
  return (bucketsOf(answer) ?? []).flatMap((bucket, i) => {
    const value = bucketValue(bucket, names, gapPolicy, { owner, context });
    if (value === undefined || Number.isNaN(value)) return [];
    return [{ value, key: () => keyText(bucket, i, owner, context) }];
  });
}

function placeProblems(
  { aggregation, options: { path, paths } }: Sibling,
  { siblings }: PipelineSurroundings,
): readonly string[] {
  if (paths.length !== 1 && path === '')
    return [`buckets_path must contain a single entry for aggregation [${aggregation}]`];
  const [first] = pathNames(path);
  const found = siblings.find(({ name, node }) => name === first && node.family !== 'pipeline');
  if (!found)
    return [`buckets_path aggregation does not exist for aggregation [${aggregation}]: ${path}`];
  if (hasBuckets(found)) return [];
  return [
    `The first aggregation in buckets_path must be a multi-bucket aggregation for aggregation [${aggregation}] found :${builderName(found)} for buckets path: ${path}`,
  ];
}

const hasBuckets = ({ node }: NamedAggregation): boolean =>
  node.family === 'bucket' || (node.family === 'fixed' && !node.single);

/** The name of Elasticsearch's class, which its error shows. */
function builderName({ node: { family, type } }: NamedAggregation): string {
  const words = type.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const place = family === 'metric' ? 'metrics' : `bucket.${type}`;
  return `org.elasticsearch.search.aggregations.${place}.${words.join('')}AggregationBuilder`;
}
