import type { JsonValue } from '../../common/json/json';
import type { NamedAggregation } from '../aggregations/definition';
import type { QueryNode } from '../queries/definition';
import type { RuntimeField } from '../runtime-fields/parse-runtime-mappings';
import type { ScriptField } from './script-fields';
import type { HighlightSelector } from './highlight';
import type { HitOptions } from './hit-options';

export type {
  FieldSelector,
  FieldSortKey,
  MissingPlace,
  SortKey,
  SortOrder,
  SourceFilter,
} from './hit-options';

/** How far hits are counted: exactly, up to a number, or not at all. */
export type TotalHits =
  | { readonly kind: 'exact' }
  | { readonly kind: 'upTo'; readonly limit: number }
  | { readonly kind: 'none' };

/** A search with every default filled in and every option checked. */
export interface SearchRequest extends HitOptions {
  readonly query: QueryNode;
  /** Fields that the search defines. */
  readonly runtimeFields: readonly RuntimeField[];
  /** What hits and their total must match besides; aggregations need not. Absent: nothing. */
  readonly postFilter?: QueryNode;
  /** Values of hits that scripts give. */
  readonly scriptFields: readonly ScriptField[];
  readonly aggregations: readonly NamedAggregation[];
  readonly totalHits: TotalHits;
  /** Fields that show what they were found by. */
  readonly highlight: readonly HighlightSelector[];
  /** `hits.total` as a number (`rest_total_hits_as_int`). */
  readonly totalAsInteger: boolean;
  /** The id of the point in time that the search names in place of an index. */
  readonly pointInTime?: string;
  /** Whether more pages follow this one (`scroll`). */
  readonly scrolls?: true;
  /** Sort values of the hit behind which the page begins; absent: it begins at `from`. */
  readonly searchAfter?: readonly JsonValue[];
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
  /** Whether no index stands in the path; then a point in time names it. Default: one does. */
  readonly isWithoutIndex?: true;
}
