import { illegalArgument, validationError } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import type {
  NamedAggregation,
  PipelineNode,
  PipelineSurroundings,
} from '../aggregations/definition';
import { withMeta } from './empty-content';

interface NamedPipeline extends NamedAggregation {
  readonly node: PipelineNode;
}

const isPipeline = (named: NamedAggregation): named is NamedPipeline =>
  named.node.family === 'pipeline';

/** Throws one error with all that is wrong with the places of pipelines (Elasticsearch 7.17 `PipelineAggregationBuilder.validate`). */
export function validatePipelines(aggregations: readonly NamedAggregation[]): void {
  const problems = problemsOf(aggregations, undefined);
  if (problems.length > 0) throw validationError(problems);
}

const problemsOf = (
  siblings: readonly NamedAggregation[],
  parent: NamedAggregation | undefined,
): readonly string[] => [
  ...siblings.filter(isPipeline).flatMap(({ node }) => node.validate?.({ parent, siblings }) ?? []),
  ...siblings.flatMap((named) => problemsOf(named.subs, named)),
];

/**
 * The answer of a request's aggregations with its pipelines evaluated, from the deepest up: in each bucket first, then
 * over the buckets, then beside them, as Elasticsearch 7.17 reduces. Takes and gives the JSON of an answer.
 */
export function withPipelines(
  aggregations: readonly NamedAggregation[],
  answer: JsonObject,
  parent?: NamedAggregation,
): JsonObject {
  if (!aggregations.some(holdsPipeline)) return answer;
  const surroundings = { parent, siblings: aggregations };
  const below = aggregations
    .filter((named) => named.subs.some(holdsPipeline))
    .map((named) => [named.name, withinAggregation(named, answer[named.name])]);
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

function withinAggregation(named: NamedAggregation, value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return value ?? null;
  const { buckets } = value;
  if (isJsonArray(buckets))
    return { ...value, buckets: withinBuckets(named, buckets.filter(isJsonObject)) };
  if (!isJsonObject(buckets)) return withPipelines(named.subs, value, named);
  return { ...value, buckets: withinKeyed(named, buckets) };
}

function withinBuckets(
  named: NamedAggregation,
  buckets: readonly JsonObject[],
): readonly JsonObject[] {
  const surroundings: PipelineSurroundings = { parent: named, siblings: named.subs };
  const inside = buckets.map((bucket) => withPipelines(named.subs, bucket, named));
  return inOrder(named.subs).reduce<readonly JsonObject[]>(
    (all, pipeline) => pipeline.node.overBuckets?.(pipeline.name, all, surroundings) ?? all,
    inside,
  );
}

const keyMember = '\u0000key';

/** Buckets by key: a pipeline may leave some out, or put them in another order. */
function withinKeyed(named: NamedAggregation, buckets: JsonObject): JsonObject {
  const listed = Object.entries(buckets).map(([key, bucket]): JsonObject => ({
    ...(isJsonObject(bucket) ? bucket : {}),
    [keyMember]: key,
  }));
  const entries = withinBuckets(named, listed).map(({ [keyMember]: key, ...bucket }) => [
    typeof key === 'string' ? key : '',
    bucket,
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

/** The pipelines of a content, each after those that it reads. Throws when they read each other. */
function inOrder(siblings: readonly NamedAggregation[]): readonly NamedPipeline[] {
  const waiting = new Map(siblings.filter(isPipeline).map((named) => [named.name, named]));
  const ordered: NamedPipeline[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(
      ({ node }) => !node.reads.some((name) => waiting.has(name)),
    );
    if (ready.length === 0)
      throw illegalArgument(
        `Cyclical dependency found with pipeline aggregator [${[...waiting.keys()].join(', ')}]`,
      );
    for (const named of ready) {
      ordered.push(named);
      waiting.delete(named.name);
    }
  }
  return ordered;
}
