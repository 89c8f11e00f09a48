import type { Table } from '../clickhouse/catalog/table';
import { beyondLimit } from '../common/errors/catalogue';
import type { NamedAggregation } from './aggregations/definition';
import type { QueryNode, TimeSpan } from './queries/definition';
import type { SearchRequest } from './request/search-request';

/** What a search may ask for; what is absent is not limited. */
export interface SearchLimits {
  /** ms from the first to the last instant of the search's time range; 0: not limited. */
  readonly maxTimeRangeMs?: number;
  /** Hits up to the last one of the page (from + size), and rows of a statement. */
  readonly maxResultRows?: number;
  /** Buckets of all levels of an answer together. */
  readonly maxBuckets?: number;
}

/** A search as its limits see it. */
export interface LimitedSearch {
  readonly request: Pick<SearchRequest, 'aggregations' | 'from' | 'query' | 'size'>;
  readonly table: Pick<Table, 'timeField'>;
  /** The time range that is asked for; absent without one. */
  readonly timeSpan: TimeSpan | undefined;
  /** Epoch ms; where a time range without an end ends. */
  readonly now: number;
}

/** Refuses a search beyond its limits: 400, which clients show and do not try again. */
export function checkLimits(search: LimitedSearch, limits: SearchLimits): void {
  const { maxTimeRangeMs = 0, maxResultRows } = limits;
  if (maxResultRows !== undefined) checkPage(search.request, maxResultRows);
  if (maxTimeRangeMs > 0) checkTimeRange(search, maxTimeRangeMs);
}

function checkPage({ from, size }: LimitedSearch['request'], limit: number): void {
  if (size === 0 || from + size <= limit) return;
  throw beyondLimit(
    `the search asks for [${String(from + size)}] hits (from + size): more than maxResultRow allows, [${String(limit)}]`,
  );
}

function checkTimeRange({ request, table, timeSpan, now }: LimitedSearch, limit: number): void {
  const allowed = `maxTimeRange allows [${String(limit)}] ms (${readable(limit)})`;
  if (timeSpan?.from !== undefined) {
    const asked = (timeSpan.to ?? now) - timeSpan.from;
    if (asked > limit)
      throw beyondLimit(
        `the search asks for a time range of [${String(asked)}] ms (${readable(asked)}): ${allowed}`,
      );
    if (!request.aggregations.some(readsAll)) return;
    throw beyondLimit(`a [global] aggregation reads documents of all times: ${allowed}`);
  }
  const field = timeSpan?.field ?? table.timeField;
  // without a time field there is no time range to ask for
  if (field === undefined || namesDocuments(request.query) || isPlainCount(request)) return;
  throw beyondLimit(
    `the search has no time range, or one without a beginning, on the time field [${field}]: ${allowed}`,
  );
}

const readsAll = ({ node }: NamedAggregation): boolean => node.family === 'global';

/** Some documents by their ids, as Kibana's view of a single one asks. */
const namesDocuments = (query: QueryNode): boolean =>
  query.type === 'ids' || (query.required ?? []).some(namesDocuments);

/** Whether an index has documents at all, and how many: asked by Kibana where a data view is made. */
const isPlainCount = ({ query, size, aggregations }: LimitedSearch['request']): boolean =>
  size === 0 && aggregations.length === 0 && query.type === 'match_all';

const units: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

function readable(ms: number): string {
  const [unit, length] = units.find(([, long]) => ms >= long) ?? ['ms', 1];
  return `${String(Number((ms / length).toFixed(1)))}${unit}`;
}
