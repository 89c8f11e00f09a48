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
  | {
      readonly kind: 'doc';
      readonly order: SortOrder;
      /** Its name is `_shard_doc`: the index order of a point in time. */
      readonly isShardDoc?: true;
    };

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

/** What a request says about hits, of a search or of each bucket of a `top_hits`. */
export interface HitOptions {
  readonly sort: readonly SortKey[];
  readonly from: number;
  readonly size: number;
  readonly source: SourceFilter;
  readonly fields: readonly FieldSelector[];
  readonly docvalueFields: readonly FieldSelector[];
  /** False for `stored_fields: "_none_"`. */
  readonly showsId: boolean;
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  readonly trackScores: boolean;
}
