import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { cumulativeCardinality } from './cumulative-cardinality';
import type { AggregationRewrite, AnswerContext, PipelineRewrite } from './definition';
import { ipPrefix } from './ip-prefix';
import { at, without } from './json-path';
import { multiTerms } from './multi-terms';
import { normalize } from './normalize';
import { randomSampler } from './random-sampler';
import { rate } from './rate';
import { topMetrics } from './top-metrics';

const aggregations: readonly AggregationRewrite[] = [
  ipPrefix,
  multiTerms,
  randomSampler,
  rate,
  topMetrics,
];
const pipelines: readonly PipelineRewrite[] = [cumulativeCardinality, normalize];

const bodyKeys = ['aggs', 'aggregations'] as const;

const bodyKey = (parent: JsonValue): 'aggregations' | 'aggs' | undefined =>
  bodyKeys.find((name) => isJsonObject(at(parent, name)));

/** The options of an aggregation in its definition; undefined where it is of another type. */
function optionsOf(definition: JsonValue, type: string): JsonObject | undefined {
  const options = at(definition, type);
  return isJsonObject(options) ? options : undefined;
}

/** A search's body, or an aggregation, with all aggregations in it by those that the judge has. */
export function judgedAggregations(parent: JsonValue): JsonValue {
  const key = bodyKey(parent);
  if (!isJsonObject(parent) || key === undefined) return parent;
  const definitions = parent[key] as JsonObject;
  const judged = Object.entries(definitions).flatMap(([name, one]): [string, JsonValue][] => {
    const definition = judgedDefinition(one, definitions);
    return definition === undefined ? [] : [[name, definition]];
  });
  const rest = without(parent, key);
  return judged.length === 0 && Object.keys(definitions).length > 0
    ? rest
    : { ...rest, [key]: Object.fromEntries(judged) };
}

function judgedDefinition(definition: JsonValue, siblings: JsonObject): JsonValue | undefined {
  for (const { type, judged } of pipelines) {
    const options = optionsOf(definition, type);
    if (options) return judged(options, siblings);
  }
  const inner = judgedAggregations(definition);
  for (const { type, judged } of aggregations) {
    const options = optionsOf(inner, type);
    const replacement = options && judged(options);
    if (!replacement || !isJsonObject(inner)) continue;
    return { ...without(inner, type), ...replacement };
  }
  return inner;
}

/** The judge's answer to a search with `judgedAggregations`, as that to the search that was meant. */
export function restoredAggregations(answer: JsonValue, body: JsonValue): JsonValue {
  const found = at(answer, 'aggregations');
  if (!isJsonObject(answer) || !isJsonObject(found)) return answer;
  return { ...answer, aggregations: restoredTree(found, body, {}) };
}

/** `answer` has a member for every aggregation that stands in `parent`, beside others. */
function restoredTree(answer: JsonValue, parent: JsonValue, context: AnswerContext): JsonValue {
  const key = bodyKey(parent);
  if (key === undefined || !isJsonObject(answer)) return answer;
  const entries = Object.entries(answer).map(([name, one]): [string, JsonValue] => {
    const definition = at(parent, key, name);
    return [name, isJsonObject(definition) ? restored(one, definition, context) : one];
  });
  return Object.fromEntries(entries);
}

function restored(answer: JsonValue, definition: JsonObject, context: AnswerContext): JsonValue {
  const inner = restoredBuckets(answer, definition, context);
  for (const { type, judged, restored: restore } of aggregations) {
    const options = optionsOf(definition, type);
    if (options && judged(options)) return withMeta(restore(inner, options, context), answer);
  }
  return inner;
}

/** What a client tells about an aggregation comes back with it. */
function withMeta(answer: JsonValue, given: JsonValue): JsonValue {
  const meta = at(given, 'meta');
  return meta === null || !isJsonObject(answer) ? answer : { ...answer, meta };
}

function restoredBuckets(
  answer: JsonValue,
  definition: JsonObject,
  context: AnswerContext,
): JsonValue {
  const buckets = at(answer, 'buckets');
  if (!isJsonObject(answer)) return answer;
  if (buckets === null) return restoredTree(answer, definition, context);
  const histogram = optionsOf(definition, 'date_histogram');
  const inBucket = (bucket: JsonValue): JsonObject => {
    const key = at(bucket, 'key');
    const below =
      histogram && typeof key === 'number' ? { dateBucket: { histogram, key } } : context;
    return restoredTree(bucket, definition, below) as JsonObject;
  };
  if (isJsonArray(buckets))
    return { ...answer, buckets: withPipelines(buckets.map(inBucket), definition) };
  const filled = withPipelines(Object.values(buckets).map(inBucket), definition);
  const keyed = Object.keys(buckets).map((key, i) => [key, filled[i] ?? null] as const);
  return { ...answer, buckets: Object.fromEntries(keyed) };
}

function withPipelines(
  buckets: readonly JsonObject[],
  definition: JsonObject,
): readonly JsonObject[] {
  const key = bodyKey(definition);
  const below = key === undefined ? [] : Object.entries(definition[key] as JsonObject);
  return below.reduce<readonly JsonObject[]>((filled, [name, one]) => {
    const pipeline = pipelines.find(({ type }) => optionsOf(one, type));
    const options = pipeline && optionsOf(one, pipeline.type);
    if (!options) return filled;
    const asked = filled.map((bucket) => bucket[name] ?? null);
    const values = pipeline.values(options, filled, asked);
    return filled.map((bucket, i) => ({ ...bucket, [name]: values[i] ?? null }));
  }, buckets);
}
