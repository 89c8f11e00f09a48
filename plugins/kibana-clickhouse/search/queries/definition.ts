import type { Table } from '../../clickhouse/catalog/table';
import { alwaysTrue } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import type { JsonValue } from '../../common/json/json';
import type { SoughtTerm } from './sought-term';

/** What a clause needs to become a condition. One request has one clock. */
export interface QueryContext {
  readonly table: Table;
  /** Epoch ms at which the request arrived: `now` of all its date math. */
  readonly now: number;
  /**
   * How text fields are searched: `contains` (the default) finds substrings whatever the case, `tokens` the words of
   * Elasticsearch's standard analyzer.
   */
  readonly textSearch?: 'contains' | 'tokens';
  /** Clauses taken for true because their condition stands elsewhere: the time range kept apart. */
  readonly assumed?: ReadonlySet<QueryNode>;
  /** Takes what the clauses look for in text and keyword fields, but for those that must not match; absent: nobody asks. */
  readonly seek?: (term: SoughtTerm) => void;
}

/** For clauses that a document need not match: what they look for is not what it was found by. */
export function unsought(context: QueryContext): QueryContext {
  const { seek, ...rest } = context;
  return seek ? rest : context;
}

/** What a clause says about a time field: both ends inclusive, epoch ms, absent where open. */
export interface TimeSpan {
  readonly field: string;
  readonly from?: number;
  readonly to?: number;
  /** The upper bound itself (epoch ms) where it is exclusive: `to` is the last instant before it. */
  readonly before?: number;
}

/** A parsed query clause: its own data, and how it becomes a condition. */
export interface QueryNode<P = unknown> {
  readonly type: string;
  readonly params: P;
  /** True for the rows that match; false or NULL for all others. */
  toCondition(context: QueryContext): Expr;
  /**
   * Whether Elasticsearch 7.17 rewrites it to match_none before it asks what else it says: of a bool it then asks nothing more,
   * whatever is wrong with it. Without a context: before it knows the fields.
   */
  isNone(context?: QueryContext): boolean;
  /** Clauses that must all hold for this one to hold (bool's must and filter); else absent. */
  readonly required?: readonly QueryNode[];
  /** For a range on a date field: its span, from which bucket bounds and cost rules follow. */
  timeSpan?(context: QueryContext): TimeSpan | undefined;
  /** Whether every hit scores 1.0 by this clause (match_all), or 0.0 (a filter). */
  readonly scoring: boolean;
}

/** Parses any clause: handed to compound clauses so that they need not know the registry. */
export type ParseQuery = (body: JsonValue) => QueryNode;

/** One line of the registry. */
export interface QueryClause {
  readonly name: string;
  parse(body: JsonValue, parseQuery: ParseQuery): QueryNode;
}

interface ClauseDefinition<P> {
  readonly name: string;
  readonly parse: (body: JsonValue, parseQuery: ParseQuery) => P;
  readonly toCondition: (params: P, context: QueryContext) => Expr;
  /** Default: it never is. */
  readonly isNone?: (params: P, context?: QueryContext) => boolean;
  /** The clauses of `params` that must all hold; compound clauses only. */
  readonly required?: (params: P) => readonly QueryNode[];
  readonly timeSpan?: (params: P, context: QueryContext) => TimeSpan | undefined;
  /** Default: a clause scores. Filters (bool with only filter and must_not) do not. */
  readonly scoring?: (params: P) => boolean;
}

/** Ties a clause's parser to its condition so that the registry need not know its parameters. */
export function defineClause<P>(definition: ClauseDefinition<P>): QueryClause {
  const { name, required, timeSpan, scoring } = definition;
  return {
    name,
    parse(body, parseQuery) {
      const params = definition.parse(body, parseQuery);
      const node: QueryNode = {
        type: name,
        params,
        toCondition: (context) =>
          context.assumed?.has(node) === true
            ? alwaysTrue
            : definition.toCondition(params, context),
        isNone: (context) => definition.isNone?.(params, context) ?? false,
        scoring: scoring ? scoring(params) : true,
        ...(required && { required: required(params) }),
        ...(timeSpan && { timeSpan: (context: QueryContext) => timeSpan(params, context) }),
      };
      return node;
    },
  };
}
