import { validationError } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import type {
  AggregationContext,
  NamedAggregation,
  PipelineSurroundings,
} from '../aggregations/definition';
import { keyMember } from '../aggregations/pipeline/bucket-key';
import { isPipeline, type NamedPipeline, pipelineOrder } from '../aggregations/pipeline/path-order';
import { withMeta } from './empty-content';

/** Throws one error with all that is wrong with the places of pipelines (Elasticsearch 7.17 `PipelineAggregationBuilder.validate`). */
export function validatePipelines(
  aggregations: readonly NamedAggregation[],
  context: AggregationContext,
): void {
  const problems = problemsOf({ siblings: aggregations, parent: undefined, context });
  if (problems.length > 0) throw validationError(problems);
}

function problemsOf(content: PipelineSurroundings): readonly string[] {
  const { siblings, context } = content;
  const order = pipelineOrder(siblings);
  const own =
    typeof order === 'string'
      ? [order]
      : order.flatMap(({ node }) => node.validate?.(content) ?? []);
  const below = siblings.flatMap((named) =>
    problemsOf({ siblings: named.subs, parent: named, context }),
  );
  return [...own, ...below];
}

/**
 * The answer of a request's aggregations with its pipelines evaluated, from the deepest up: in each bucket first, then
 * over the buckets, then beside them, as Elasticsearch 7.17 reduces. Takes and gives the JSON of an answer.
 */
export function withPipelines(
  aggregations: readonly NamedAggregation[],
  answer: JsonObject,
  context: AggregationContext,
  parent?: NamedAggregation,
): JsonObject {
  if (!aggregations.some(holdsPipeline)) return answer;
  const surroundings = { parent, siblings: aggregations, context };
  const below = aggregations
    .filter((named) => named.subs.some(holdsPipeline))
    .map((named) => [named.name, withinAggregation(named, answer[named.name], context)]);
  const evaluated = { ...answer, ...(Object.fromEntries(below) as JsonObject) };
  return inOrder(aggregations).reduce<JsonObject>(
    (answers, named) =>
      named.node.besides
        ? { ...answers, [named.name]: withMeta(named, named.node.besides(answers, surroundings)) }
        : answers,
    evaluated,
  );
}

const holdsPipeline = (named: NamedAggregation): boolean =>
  isPipeline(named) || named.subs.some(holdsPipeline);

function withinAggregation(
  named: NamedAggregation,
  value: JsonValue | undefined,
  context: AggregationContext,
): JsonValue {
  if (!isJsonObject(value)) return value ?? null;
  const { buckets } = value;
  if (isJsonArray(buckets))
    return { ...value, buckets: withinBuckets(named, buckets.filter(isJsonObject), context) };
  if (!isJsonObject(buckets)) return withPipelines(named.subs, value, context, named);
  return { ...value, buckets: withinKeyed(named, buckets, context) };
}

function withinBuckets(
  named: NamedAggregation,
  buckets: readonly JsonObject[],
  context: AggregationContext,
): readonly JsonObject[] {
  const surroundings: PipelineSurroundings = { parent: named, siblings: named.subs, context };
  const inside = buckets.map((bucket) => withPipelines(named.subs, bucket, context, named));
  return inOrder(named.subs).reduce<readonly JsonObject[]>(
    (all, pipeline) =>
      withMetas(pipeline, pipeline.node.overBuckets?.(pipeline.name, all, surroundings) ?? all),
    inside,
  );
}

function withMetas(pipeline: NamedPipeline, buckets: readonly JsonObject[]): readonly JsonObject[] {
  const { name, meta, node } = pipeline;
  if (meta === undefined || !node.overBuckets) return buckets;
  return buckets.map((bucket) => {
    const answer = bucket[name];
    return isJsonObject(answer) ? { ...bucket, [name]: withMeta(pipeline, answer) } : bucket;
  });
}

/** Buckets by key: a pipeline may leave some out, or put them in another order. */
function withinKeyed(
  named: NamedAggregation,
  buckets: JsonObject,
  context: AggregationContext,
): JsonObject {
  const listed = Object.entries(buckets).map(([key, bucket]): JsonObject => ({
    ...(isJsonObject(bucket) ? bucket : {}),
    [keyMember]: key,
  }));
  const entries = withinBuckets(named, listed, context).map(({ [keyMember]: key, ...bucket }) => [
    typeof key === 'string' ? key : '',
    bucket,
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

/** The pipelines of a content, each after those that it reads: paths were validated. */
function inOrder(siblings: readonly NamedAggregation[]): readonly NamedPipeline[] {
  const order = pipelineOrder(siblings);
  return typeof order === 'string' ? [] : order;
}
