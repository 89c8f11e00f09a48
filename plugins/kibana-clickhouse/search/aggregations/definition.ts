import type { Cell, Row } from '../../clickhouse/execution/executor';
import type { Expr } from '../../clickhouse/sql/nodes';
import type { JsonObject, JsonValue } from '../../common/json/json';
import type { QueryContext, QueryNode, TimeSpan } from '../queries/definition';
import type { HighlightSelector } from '../request/highlight';
import type { FieldSelector, HitOptions } from '../request/hit-options';
import type { CalendarUnit, DateRounding } from './bucket/date-rounding';

/** What an aggregation needs to become columns. */
export interface AggregationContext extends QueryContext {
  /** What the query says about a time field: bounds for bucket arithmetic. */
  span(field: string): TimeSpan;
  /** Part of the rows that is read; absent: all. */
  readonly sample?: number;
  /** The nested documents that are aggregated; absent: those of the table. */
  readonly nesting?: Nesting;
  /** How many levels above hold nested documents, or lead back from them. */
  readonly nestings?: number;
  /** Documents of each background, by its id; known when answers are assembled. */
  readonly backgroundTotals?: ReadonlyMap<unknown, number>;
  /** The name that hits carry; default: the table's. */
  readonly indexName?: string;
  /** Buckets that an answer may have, those of all levels together; default 65,536. */
  readonly maxBuckets?: number;
  /** Major version of Elasticsearch whose answers the client expects; default 8. */
  readonly version?: number;
  /** Whether totals of hits are numbers; default: objects with a relation. */
  readonly totalAsInteger?: boolean;
  /** How often a unit fits into the bucket of dates around, where there is one: only while an answer is put together. */
  readonly rateUnits?: (unit: CalendarUnit) => number;
  /** What the search itself asks for by `fields`: also of hits that do not say. */
  readonly hitFields?: readonly FieldSelector[];
  /** The query of the search: what hits of buckets show as found. */
  readonly query?: QueryNode;
  /** Whether a hit scores 1.0 by the query; default: 0.0, as by a filter. */
  readonly scoring?: boolean;
}

/** Nested documents in place of the table's own. */
export interface Nesting {
  readonly path: string;
  /** The column that holds a nested document. */
  readonly element: string;
  /** The nested documents of a row as an array, known when all that is below is planned. */
  elements(): Expr;
  /** The context of the documents around them. */
  readonly around: AggregationContext;
}

/** A number of a metric by which buckets can be ordered. */
export interface OrderColumn {
  /** An aggregate, one of the metric's `columns` or another; undefined where no bucket has a value. */
  readonly value: Expr | undefined;
  /**
   * What the metric counts as where a bucket has no value: `last` in both directions (Elasticsearch's
   * NaN: avg, percentiles), or a number (sum 0, max -Infinity, min Infinity).
   */
  readonly missing: 'last' | number;
  /** Buckets of dates are compared by what of the value comes to each of these units that fit into them. */
  readonly unit?: CalendarUnit | undefined;
}

/**
 * How a column of a metric becomes one of all rows where only a part of them was read: a `count` and a `sum` are divided by
 * that part, a `count` rounded to an integer; a `value` (a mean, an extreme, a percentile) stays.
 */
export type ColumnScaling = 'count' | 'sum' | 'value';

/** A metric: asks for aggregate columns, reads one row of them back. */
export interface MetricNode {
  readonly family: 'metric';
  readonly type: string;
  readonly params: unknown;
  /** Aggregate expressions; the planner adds conditions to them by the -If combinator. */
  columns(context: AggregationContext): readonly Expr[];
  /**
   * What sampling does to `columns`: one for all of them, or one each. Absent: the metric cannot be estimated from a part of
   * the rows, and a search that has it is not sampled.
   */
  readonly scaling?: ColumnScaling | readonly ColumnScaling[];
  /** The aggregation of one bucket; `cells` stand in the order of `columns`. */
  assemble(cells: Row, context: AggregationContext): JsonObject;
  /** The aggregation of a bucket without documents. */
  empty(context: AggregationContext): JsonObject;
  /** What an order path means: `''`, `value`, `std_deviation`; undefined: none. */
  orderColumn(path: string, context: AggregationContext): OrderColumn | undefined;
}

/** By the key, or by a part of it. */
export interface KeyOrder {
  readonly by: 'key';
  readonly direction: 'ASC' | 'DESC';
  /** What of the key is compared; default: all of it. */
  readonly part?: (key: Expr) => Expr;
  /** Where keys without that part stand; default: ClickHouse's own place, because no key is NULL. */
  readonly nulls?: 'FIRST' | 'LAST';
}

/** Numbers of documents by which a bucket is compared with a background. */
export interface BackgroundCounts<T> {
  /** In the bucket. */
  readonly docs: T;
  /** In the bucket around it. */
  readonly parent: T;
  /** Of the background, with the bucket's key. */
  readonly background: T;
  /** Of the background. */
  readonly total: T;
}

/** How much more often a key stands in a bucket than in a background; at most 0: not more. */
export interface ScoreOrder {
  readonly by: 'score';
  readonly direction: 'DESC';
  score(counts: BackgroundCounts<Expr>): Expr;
}

/** How buckets of one level compete for the places: by count, by key, by a score or by a sub-metric's column. */
export type LevelOrder =
  | ScoreOrder
  | { readonly by: 'count'; readonly direction: 'ASC' | 'DESC' }
  | KeyOrder
  | {
      readonly by: 'metric';
      /** Names of the single-bucket aggregations on the way to it, from the top. */
      readonly through: readonly string[];
      readonly aggregation: string;
      /** What follows the name: `''`, `value`, `50.0`. */
      readonly path: string;
      /** The whole path as the request has it, for errors. */
      readonly text: string;
      readonly direction: 'ASC' | 'DESC';
    };

/** Whole minutes of a date field, in place of its values. */
export interface FieldMinutes {
  readonly field: string;
  /** Epoch ms of a minute's start, Int64. */
  readonly start: Expr;
}

/** Keys that depend on all documents of the bucket around. */
export interface ParentKeys {
  /** What is to be known of that bucket, as an aggregate (Int64, never NULL) of the rows' values. */
  summary(value: Expr): Expr;
  /** A row's key, by its value and the summary of the bucket that it lies in. */
  key(value: Expr, summary: Expr): Expr;
}

/** What one bucket level asks of a chain's statement. */
export interface Level {
  /** The bucket's key; NULL where a document is in no bucket of this level. */
  readonly key: Expr;
  /**
   * `single`: a document is in at most one bucket, `key` is a scalar.
   * `expanded`: in several; `key` is an array of distinct keys, each of which becomes a row.
   */
  readonly keys: 'single' | 'expanded';
  /** Absent: `key` is the key. Else it is a value of the row from which the key is made; only of `single` levels. */
  readonly ofParent?: ParentKeys;
  /** Whether there may be far more keys than buckets asked for: then top keys are found first. */
  readonly manyKeys: boolean;
  /** Complete: ties end by key. */
  readonly order: readonly LevelOrder[];
  /** Buckets kept per parent, the first by `order`; absent: all. */
  readonly limit?: number;
  /** Buckets with fewer documents are left out before the limit; at least 1. */
  readonly minDocCount: number;
  /** Buckets with more documents are left out before the limit; absent: none. */
  readonly maxDocCount?: number;
  /** Its one bucket has the nested documents of those around it, not these; key 0. */
  readonly unfolds?: {
    /** The column that holds a nested document in what is below. */
    readonly element: string;
    /** The nested documents of a row as an array, known when all that is below is planned. */
    elements(): Expr;
  };
  /** Its one bucket has the documents around the nested ones of this column, each once; key 0. */
  readonly folds?: { readonly element: string };
  /** What the levels and metrics below see; absent: the same as this level. */
  readonly inside?: AggregationContext;
  /** Documents whose keys are counted as well; buckets of a score of 0 are left out before the limit. */
  readonly background?: Background;
  /** Absent: buckets without documents are made of no key. */
  readonly allKeys?: AllKeys;
  /** Buckets under one parent, shown or not, from which on their number does not matter; absent: it never does. */
  readonly countedUpTo?: number;
}

/** The keys that documents of the index have, found by a query or not: each can be a bucket without documents. */
export interface AllKeys {
  /** How many of them are wanted, in the level's order of keys. */
  readonly limit: number;
  /** A key that counts among them although no document need have it. */
  readonly besides?: Expr;
}

/** Documents with which those of buckets are compared. */
export interface Background {
  /** What `backgroundTotals` knows it by: the aggregation's params. */
  readonly id: unknown;
  /** Which of the table's rows they are. */
  readonly where: Expr;
}

/** What a bucket without documents has. */
export interface EmptyBucket {
  readonly docCount: number;
  /** Its sub-aggregations, already assembled. */
  readonly subs: JsonObject;
  /** Per item of the level's order what a sub-metric orders by; null stands last, and for count and key. */
  readonly orderValues: readonly (number | null)[];
}

/** One bucket as it came back. */
export interface Bucket extends EmptyBucket {
  readonly key: Cell;
  /** Documents of the level's background with that key; absent: 0, or no background. */
  readonly background?: number;
}

export interface BucketResult {
  /** In the level's order where it has a limit, else in no order. */
  readonly buckets: readonly Bucket[];
  /** Documents in all buckets of the level under this parent, shown or not. */
  readonly totalCount: number;
  /** Documents of this parent. */
  readonly docCount: number;
  /** The keys that the level asks for by `allKeys`, in their order; absent in a bucket that was made to fill a gap. */
  readonly allKeys?: readonly Cell[];
  /** Of a level with `countedUpTo`: how many buckets this parent has, shown or not; right up to that number. */
  readonly bucketCount?: number;
}

/** A multi-bucket aggregation whose buckets are told apart by a key. */
export interface BucketNode {
  readonly family: 'bucket';
  readonly type: string;
  readonly params: unknown;
  /** Whether it cannot stand below another aggregation of several buckets (composite). */
  readonly topOnly?: boolean;
  /** Of buckets of dates: what they are rounded by, and when a bucket begins (epoch ms, without an offset). */
  readonly rounding?: { readonly by: DateRounding; start(key: Cell): number };
  /** Whether its buckets follow from exact counts: a search that has it is not sampled. */
  readonly exactCounts?: boolean;
  /** Whether `empty` is for buckets that fill gaps. In these there are no buckets of keys without documents. */
  readonly fillsGaps?: boolean;
  /** What it asks of a statement; undefined where no document can have a bucket (unmapped field). */
  level(context: AggregationContext): Level | undefined;
  /**
   * The same level with its key computed from the minute that a document's value lies in. Undefined where buckets begin
   * within minutes, or are not of that field.
   */
  levelOfMinutes?(minutes: FieldMinutes, context: AggregationContext): Level | undefined;
  /** The aggregation; `empty` is what a bucket without documents has. */
  assemble(result: BucketResult, empty: EmptyBucket, context: AggregationContext): JsonObject;
}

/** One of the buckets of a `FixedNode` as it came back. */
export interface FixedBucket {
  readonly docCount: number;
  /** Its sub-aggregations, already assembled. */
  readonly subs: JsonObject;
}

/**
 * An aggregation whose buckets are known before any document is read, each by a condition: filter, filters, missing,
 * range. A document can be in several of them.
 */
export interface FixedNode {
  readonly family: 'fixed';
  readonly type: string;
  readonly params: unknown;
  /** Whether it has one bucket and no list of them: then orders can lead to it and through it. */
  readonly single: boolean;
  /** A condition for each bucket, in the answer's order: a document for which it is true is in the bucket. */
  conditions(context: AggregationContext): readonly Expr[];
  /** Whether a document is in one of the buckets at most: levels below then cost less. Default: not. */
  disjoint?(context: AggregationContext): boolean;
  /** The aggregation; `buckets` correspond to `conditions`. */
  assemble(buckets: readonly FixedBucket[], context: AggregationContext): JsonObject;
}

/** The first documents of each bucket: read by a statement of its own. */
export interface HitsNode {
  readonly family: 'hits';
  readonly type: string;
  readonly params: HitOptions;
  /** The fields that show what the query found in them; absent: nobody sees the hits as such. */
  readonly highlight?: readonly HighlightSelector[];
  /** The aggregation of one bucket; `hits` are those of its page, written as in a search. */
  assemble(
    hits: readonly JsonValue[],
    bucket: { readonly docCount: number; readonly maxScore: number | null },
    context: AggregationContext,
  ): JsonObject;
}

/** A single bucket of all documents of the table, whatever the query says; only at the top. */
export interface GlobalNode {
  readonly family: 'global';
  readonly type: string;
  readonly params: unknown;
  assemble(bucket: FixedBucket, context: AggregationContext): JsonObject;
}

/** Where a pipeline aggregation stands. */
export interface PipelineSurroundings {
  /** The aggregation whose sub-aggregation it is; absent at the top. */
  readonly parent: NamedAggregation | undefined;
  /** All aggregations of its content, itself among them. */
  readonly siblings: readonly NamedAggregation[];
  readonly context: AggregationContext;
}

/**
 * An aggregation of what other aggregations answered; nothing of it reaches ClickHouse. A parent pipeline has `overBuckets`,
 * a sibling pipeline `besides`. In the JSON that it works on, null is Elasticsearch's NaN.
 */
export interface PipelineNode {
  readonly family: 'pipeline';
  readonly type: string;
  readonly params: unknown;
  /** Its buckets paths: what they begin with is evaluated first. */
  readonly paths: readonly string[];
  /** What is wrong with its place or its paths; together the reasons of one 400 (`action_request_validation_exception`). */
  validate?(surroundings: PipelineSurroundings): readonly string[];
  /**
   * The buckets of the aggregation around it, in their order and complete, with its value under `name` in each that has one;
   * buckets may be left out, added or put in another order.
   */
  overBuckets?(
    name: string,
    buckets: readonly JsonObject[],
    surroundings: PipelineSurroundings,
  ): readonly JsonObject[];
  /** Its answer, from those of the aggregations beside it. */
  besides?(answers: JsonObject, surroundings: PipelineSurroundings): JsonObject;
}

export type AggregationNode =
  MetricNode | BucketNode | FixedNode | GlobalNode | HitsNode | PipelineNode;

/** One aggregation of a request with what stands around it. */
export interface NamedAggregation {
  readonly name: string;
  readonly node: AggregationNode;
  /** Echoed as it came: TSVB and Timelion read it. */
  readonly meta?: JsonValue;
  readonly subs: readonly NamedAggregation[];
}

/** One line of the registry. */
export interface AggregationType {
  readonly name: string;
  parse(body: JsonObject, name: string): AggregationNode;
}
