import type { JsonValue } from '../../common/json/json';
import type { NamedAggregation } from '../aggregations/definition';
import type { QueryNode } from '../queries/definition';

/** Where documents without a value stand: behind all others, before them, or as if they had `value`. */
export type MissingPlace =
  | { readonly kind: 'last' }
  | { readonly kind: 'first' }
  | { readonly kind: 'value'; readonly value: string | number | bigint | boolean };

/** Sort by the values of a field. */
export interface FieldSortKey {
  readonly kind: 'field';
  readonly field: string;
  readonly order: SortOrder;
  readonly missing: MissingPlace;
  /** Field type to assume where the index has no such field; absent: that is an error. */
  readonly unmappedType?: string;
  /** Date format of the printed sort value; absent: a number. */
  readonly format?: string;
  readonly numericType?: 'date' | 'date_nanos' | 'long' | 'double';
  /** Which value of several counts; absent: the smallest ascending, the largest descending. */
  readonly mode?: 'min' | 'max';
}

export type SortOrder = 'asc' | 'desc';

export type SortKey =
  | FieldSortKey
  /** The score: equal for all hits, or there would be an error. */
  | { readonly kind: 'score'; readonly order: SortOrder }
  /** Index order: a total order of the rows that stays as long as the rows do. */
  | { readonly kind: 'doc'; readonly order: SortOrder };

/** Which columns `_source` shows: patterns with `*`; a pattern of a parent takes its children. */
export interface SourceFilter {
  readonly enabled: boolean;
  /** Empty: all. */
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/** One entry of `fields` or `docvalue_fields`. */
export interface FieldSelector {
  /** A name, or a pattern with `*`. */
  readonly pattern: string;
  readonly format?: string;
}

/** How far hits are counted: exactly, up to a number, or not at all. */
export type TotalHits =
  | { readonly kind: 'exact' }
  | { readonly kind: 'upTo'; readonly limit: number }
  | { readonly kind: 'none' };

/** A search with every default filled in and every option checked. */
export interface SearchRequest {
  readonly query: QueryNode;
  readonly aggregations: readonly NamedAggregation[];
  readonly sort: readonly SortKey[];
  readonly from: number;
  readonly size: number;
  readonly source: SourceFilter;
  readonly fields: readonly FieldSelector[];
  readonly docvalueFields: readonly FieldSelector[];
  /** False for `stored_fields: "_none_"`. */
  readonly showsId: boolean;
  readonly totalHits: TotalHits;
  /** `hits.total` as a number (`rest_total_hits_as_int`). */
  readonly totalAsInteger: boolean;
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  readonly trackScores: boolean;
  /** Documents after which the search may stop; absent: never. */
  readonly terminateAfter?: number;
  /** ms that the search may take; absent: no limit of the request's own. */
  readonly timeoutMs?: number;
}

/** What a search is parsed from. */
export interface SearchInput {
  /** The JSON body; undefined where the request has none (match_all then). */
  readonly body: JsonValue | undefined;
  /** Decoded query-string parameters, already checked by `requireKnownParameters`. */
  readonly parameters: ReadonlyMap<string, string>;
}
