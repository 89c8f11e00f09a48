import type { ResultSet } from '../../clickhouse/execution/executor';
import type { Expr, SelectNode } from '../../clickhouse/sql/nodes';
import type { JsonObject } from '../../common/json/json';

/** The rows an aggregation sees: the query's condition, the time range kept apart. */
export interface Scope {
  readonly where: Expr;
  readonly timeRange?: Expr;
  /** Part of them that is read (SAMPLE); absent: all. */
  readonly sample?: number;
}

export interface AggregationPlan {
  /** Independent of each other: they run in parallel. Their number follows from the request alone. */
  readonly statements: readonly SelectNode[];
  /** Statements for hits, read as lines; independent likewise. */
  readonly hits: readonly SelectNode[];
  /** Results in the order of `statements` and of `hits`. `total`: documents the query matches. */
  assemble(
    results: readonly ResultSet[],
    hits: readonly (readonly string[])[],
  ): {
    readonly aggregations: JsonObject;
    readonly total: number;
  };
}
