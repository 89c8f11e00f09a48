import type { CompiledStatement } from '../sql/compile';

/** One value of a result row, as JSON brings it; 64-bit integers arrive as strings. */
export type Cell =
  string | number | boolean | null | readonly Cell[] | { readonly [key: string]: Cell };

/** One result row, addressed by the position of its column. */
export type Row = readonly Cell[];

/** What ClickHouse said about a statement it ran (`X-ClickHouse-Summary`). */
export interface StatementSummary {
  readonly readRows: number;
  readonly readBytes: number;
  readonly resultRows: number;
  /** Bytes at the peak; 0 where the server does not say. */
  readonly memoryBytes: number;
  readonly elapsedMs: number;
  /** Whether the result was known, and ClickHouse not asked. */
  readonly cached?: true;
}

export interface ResultSet {
  readonly rows: readonly Row[];
  readonly summary: StatementSummary;
}

/** A result that is read line by line: each line one JSON object as ClickHouse wrote it. */
export interface ResultStream {
  /** Batches of lines, without the line feeds. Leaving the loop stops the query. */
  readonly lines: AsyncIterable<readonly string[]>;
  /** ClickHouse has run the whole statement before its first line comes (`wait_end_of_query`). */
  readonly summary: StatementSummary;
}

/** Who asked for a statement. */
export interface StatementCaller {
  /** The name by which the index was searched. */
  readonly index: string;
  /** Kong's authenticated consumer. */
  readonly consumer?: string;
  /** The request's `x-opaque-id`: Kibana names application, dashboard and panel in it. */
  readonly opaqueId?: string;
  /** The pool whose size bounds how many such statements run at once; default `common`. */
  readonly pool?: 'msearch' | 'common';
}

/** What a statement may cost in ClickHouse; what is absent is not limited by us. */
export interface StatementLimits {
  /** ms of run time; absent: the executor's own limit. */
  readonly maxExecutionMs?: number;
  /** Bytes of memory. */
  readonly maxMemoryBytes?: number;
  /** Rows that are read. */
  readonly maxReadRows?: number;
  /** Rows of the result: more is an error, never a part of it. */
  readonly maxResultRows?: number;
}

/** Which search a statement belongs to: all its statements carry the same. */
export interface SearchIdentity {
  /** `database.table` */
  readonly table: string;
  /** Table and condition without the time range, as `fingerprint` of `clickhouse/sql` spells it. */
  readonly fingerprint: string;
  /** Length in ms of the time range that the search asks for; absent where it has no beginning. */
  readonly rangeMs?: number;
  /** Epoch ms at which the range on the table's own time field ends; absent where it is open. */
  readonly endMs?: number;
  /** What the table is made of (`tableStructure`): a result is of use while that stays. */
  readonly structure?: string;
}

export interface ExecutionContext {
  /** Aborted when the client goes away: the query is then stopped in ClickHouse too. */
  readonly signal: AbortSignal;
  /** Text for ClickHouse's `log_comment`: request id, consumer. */
  readonly comment: string;
  /** Absent for statements of the gateway's own, such as the catalogue's. */
  readonly caller?: StatementCaller;
  /** Absent for statements that belong to no search. */
  readonly search?: SearchIdentity;
  readonly limits?: StatementLimits;
}

/**
 * Runs statements. Errors of ClickHouse come as `ElasticsearchError`; no row is given before
 * ClickHouse has accepted the statement.
 */
export interface Executor {
  /** Address and user, without a password: equal for executors that see the same tables. Absent: not known. */
  readonly origin?: string;
  /** All rows of a small result. */
  rows(statement: CompiledStatement, context: ExecutionContext): Promise<ResultSet>;
  /** A result of any size, as the JSON lines that ClickHouse writes. */
  lines(statement: CompiledStatement, context: ExecutionContext): Promise<ResultStream>;
}
