import type { JsonObject } from '../../common/json/json';

/** `hits.total`: absent where it was not asked for. */
export interface HitsTotal {
  readonly value: number;
  readonly relation: 'eq' | 'gte';
}

/**
 * The answer of one search. Everything but the hits is complete; hits are JSON text, one string a
 * hit, in batches as ClickHouse sends them, and can be read once.
 */
export interface SearchResponse {
  readonly tookMs: number;
  readonly total: HitsTotal | undefined;
  /** `hits.total` as a number, -1 where it was not counted (`rest_total_hits_as_int`). */
  readonly totalAsInteger: boolean;
  /** JSON text: `null`, `0.0` or `1.0`. */
  readonly maxScore: string;
  readonly hits: AsyncIterable<readonly string[]>;
  /** Absent unless the request asked for aggregations. */
  readonly aggregations?: JsonObject;
  /** Absent unless the request had `terminate_after`. */
  readonly terminatedEarly?: boolean;
  /** Of a scroll, JSON text of the place of the last hit; known when the hits are read. Undefined where there is none. */
  readonly position?: () => string | undefined;
  /** Keys that stand before all others: `pit_id`. */
  readonly start?: JsonObject;
  /** Part of the rows that were read: 1 without sampling. */
  readonly sampling: number;
  /** Whether the answer came from the result cache. */
  readonly cache: boolean;
  /** Tables that were searched; default 1. */
  readonly shards?: number;
}
