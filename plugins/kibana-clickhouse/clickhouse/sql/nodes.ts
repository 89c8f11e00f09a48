/*
 * ClickHouse's SELECT as plain data. Values never become text here: they stay parameters until the
 * compiler, which is the only place that writes SQL. `build.ts` has the constructors.
 */

/** A value on its way to ClickHouse. Dates travel as epoch integers, never as text. */
export type SqlValue = string | number | bigint | boolean | null | readonly SqlValue[];

export type BinaryOperator =
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | 'IN'
  | 'GLOBAL IN'
  | 'LIKE'
  | 'ILIKE';

export type Expr =
  /** A column of the table or an alias of the same statement's subquery. */
  | { readonly kind: 'column'; readonly name: string }
  /** A path of a JSON column: ClickHouse reads it alone, not the whole column. */
  | { readonly kind: 'subcolumn'; readonly name: string; readonly path: readonly string[] }
  /** A bound value: `{p0:Type}`. The caller has checked that the value fits the type. */
  | { readonly kind: 'param'; readonly value: SqlValue; readonly type: string }
  /** An integer that belongs to the statement's shape (a mask, an index), not to the request. */
  | { readonly kind: 'integer'; readonly value: number }
  /** Values written by the literal writer: for lists too long for parameters. */
  | { readonly kind: 'literals'; readonly values: readonly SqlValue[]; readonly type: string }
  | {
      readonly kind: 'call';
      readonly fn: string;
      readonly parameters?: readonly Expr[];
      readonly args: readonly Expr[];
    }
  /** An aggregate function; `filter` becomes the -If combinator. */
  | {
      readonly kind: 'aggregate';
      readonly fn: string;
      readonly parameters?: readonly Expr[];
      readonly args: readonly Expr[];
      readonly filter?: Expr;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expr;
      readonly right: Expr;
    }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Expr[] }
  /** Elasticsearch's must_not: true also where the operand is NULL (a missing field). */
  | { readonly kind: 'not'; readonly term: Expr }
  | { readonly kind: 'array' | 'tuple'; readonly items: readonly Expr[] }
  | { readonly kind: 'lambda'; readonly argument: string; readonly body: Expr }
  | {
      readonly kind: 'window';
      readonly call: Expr;
      readonly partitionBy: readonly Expr[];
      readonly orderBy: readonly OrderBy[];
    }
  | { readonly kind: 'subquery'; readonly select: SelectNode };

export interface OrderBy {
  readonly expr: Expr;
  readonly direction: 'ASC' | 'DESC';
  readonly nulls?: 'FIRST' | 'LAST';
}

export interface SelectColumn {
  readonly expr: Expr;
  readonly alias: string;
}

export type Source =
  | {
      readonly kind: 'table';
      readonly database: string;
      readonly table: string;
      /** Part of the rows that is read (SAMPLE): above 0, at most 1, to 5 decimals. Absent: all. */
      readonly sample?: number;
    }
  | { readonly kind: 'select'; readonly select: SelectNode }
  /** UNION ALL: columns correspond by position. */
  | { readonly kind: 'union'; readonly selects: readonly SelectNode[] }
  /** Each row of `left` once, with the columns of the row of `right` that is equal in `using`, or their defaults (LEFT ANY JOIN). */
  | {
      readonly kind: 'join';
      readonly left: SelectNode;
      readonly right: SelectNode;
      /** A column of both. */
      readonly using: string;
    };

export interface SelectNode {
  /**
   * Only at the top: EXPLAIN ESTIMATE, which reads nothing, and gives for each table the columns database, table, parts,
   * rows, marks. It stands for itself, because a subquery of it is refused to a readonly user.
   */
  readonly explain?: 'estimate';
  readonly columns: readonly SelectColumn[];
  readonly from: Source;
  readonly where?: Expr;
  /**
   * The condition on the time field, kept apart from `where` because the query blacklist and the
   * monitor know a statement by everything but its time range.
   */
  readonly timeRange?: Expr;
  readonly groupBy?:
    | { readonly kind: 'keys'; readonly keys: readonly Expr[] }
    | { readonly kind: 'sets'; readonly sets: readonly (readonly Expr[])[] };
  readonly having?: Expr;
  readonly orderBy?: readonly OrderBy[];
  readonly limitBy?: { readonly limit: number; readonly by: readonly Expr[] };
  readonly limit?: number;
  readonly offset?: number;
}
