import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';

/** The bucket of a date_histogram that an answer stands in, however deep. */
export interface DateBucket {
  /** Options of the date_histogram. */
  readonly histogram: JsonObject;
  /** Start of the bucket, epoch ms. */
  readonly key: number;
}

/** Where an aggregation's answer stands. */
export interface AnswerContext {
  readonly dateBucket?: DateBucket;
}

/** An aggregation that the judge has not, by one that it has. Both stand under the same name. */
export interface AggregationRewrite {
  readonly type: string;
  /** The aggregation to ask for, `{type: options}`; undefined: this one is left as it is. */
  readonly judged: (options: JsonObject) => JsonObject | undefined;
  /** The answer of what was asked as that of what was meant. */
  readonly restored: (answer: JsonValue, options: JsonObject, context: AnswerContext) => JsonValue;
}

/** A pipeline that the judge has not. It is computed from the buckets of the aggregation that it stands in. */
export interface PipelineRewrite {
  readonly type: string;
  /** What is asked in its place; undefined: nothing. `siblings` are the aggregations beside it. */
  readonly judged: (options: JsonObject, siblings: JsonObject) => JsonObject | undefined;
  /** Its values, one for each bucket; `asked` are the answers to what `judged` gave. */
  readonly values: (
    options: JsonObject,
    buckets: readonly JsonObject[],
    asked: readonly JsonValue[],
  ) => readonly JsonValue[];
}
