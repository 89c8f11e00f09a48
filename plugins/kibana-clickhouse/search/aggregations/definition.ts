import type { Cell, Row } from '../../clickhouse/execution/executor';
import type { Expr } from '../../clickhouse/sql/nodes';
import type { JsonObject, JsonValue } from '../../common/json/json';
import type { QueryContext, TimeSpan } from '../queries/definition';

/** What an aggregation needs to become columns. */
export interface AggregationContext extends QueryContext {
  /** What the query says about a time field: bounds for bucket arithmetic. */
  span(field: string): TimeSpan;
}

/** A metric: asks for aggregate columns, reads one row of them back. */
export interface MetricNode {
  readonly family: 'metric';
  readonly type: string;
  readonly params: unknown;
  /** Aggregate expressions; the planner adds conditions to them by the -If combinator. */
  columns(context: AggregationContext): readonly Expr[];
  /** The aggregation of one bucket; `cells` stand in the order of `columns`. */
  assemble(cells: Row, context: AggregationContext): JsonObject;
  /** The aggregation of a bucket without documents. */
  empty(context: AggregationContext): JsonObject;
  /** Which of `columns` an order path means: `''`, `value`, `std_deviation`; undefined: none. */
  orderColumn(path: string): number | undefined;
}

/** How buckets of one level compete for the places: by count, by key or by a sub-metric's column. */
export type LevelOrder =
  | { readonly by: 'count' | 'key'; readonly direction: 'ASC' | 'DESC' }
  | {
      readonly by: 'metric';
      readonly aggregation: string;
      readonly path: string;
      readonly direction: 'ASC' | 'DESC';
    };

/** What one bucket level asks of a chain's statement. */
export interface Level {
  /** The bucket's key; NULL where a document is in no bucket of this level. */
  readonly key: Expr;
  /**
   * `single`: a document is in at most one bucket, `key` is a scalar.
   * `expanded`: in several; `key` is an array of distinct keys, each of which becomes a row.
   */
  readonly keys: 'single' | 'expanded';
  /** Complete: ties end by key. Empty where all buckets are wanted and the assembly sorts them. */
  readonly order: readonly LevelOrder[];
  /** Buckets kept per parent; absent: all. */
  readonly limit?: number;
  /** Buckets with fewer documents are left out before the limit. */
  readonly minDocCount: number;
}

/** One bucket as it came back, with its sub-aggregations already assembled. */
export interface Bucket {
  readonly key: Cell;
  readonly docCount: number;
  readonly subs: JsonObject;
}

export interface BucketResult {
  /** In the level's order where it has one, else in no order. */
  readonly buckets: readonly Bucket[];
  /** Documents in all buckets of the level under this parent, shown or not. */
  readonly totalCount: number;
}

/** A multi-bucket aggregation whose buckets are told apart by a key. */
export interface BucketNode {
  readonly family: 'bucket';
  readonly type: string;
  readonly params: unknown;
  level(context: AggregationContext): Level;
  /** The aggregation; `emptySubs` are the sub-aggregations of a bucket made to fill a gap. */
  assemble(result: BucketResult, emptySubs: JsonObject, context: AggregationContext): JsonObject;
}

export type AggregationNode = MetricNode | BucketNode;

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
