import type { Table } from '../../clickhouse/catalog/table';
import { aggregate, as, integer } from '../../clickhouse/sql/build';
import type { SelectNode } from '../../clickhouse/sql/nodes';
import type { Scope } from '../plan/aggregation-plan';
import type { SearchRequest } from '../request/search-request';
import type { HitsTotal } from '../response/search-response';

/** How many documents matched, as far as they were counted, and whether the search stopped early. */
export interface Counted {
  readonly total: HitsTotal | undefined;
  /** Whether any document matched; known wherever a page begins behind the first hit. */
  readonly any: boolean;
  /** Absent unless the request had `terminate_after`. */
  readonly terminatedEarly?: boolean;
}

type TotalRequest = Pick<SearchRequest, 'from' | 'size' | 'terminateAfter' | 'totalHits'>;

/**
 * The statement that counts the matching rows, no further than the answer needs to know; undefined
 * where nothing asks for a count.
 */
export function planTotal(
  request: TotalRequest,
  table: Table,
  scope: Scope,
): SelectNode | undefined {
  const limit = countLimit(request);
  if (limit === 0) return undefined;
  const from = { kind: 'table', database: table.database, table: table.name } as const;
  const columns = [as('total', aggregate('count'))];
  if (limit === undefined) return { columns, from, ...scope };
  const rows: SelectNode = { columns: [as('row', integer(1))], from, ...scope, limit };
  return { columns, from: { kind: 'select', select: rows } };
}

/** One more than what is told apart: more rows than that make no difference. Undefined: all. */
function countLimit({ totalHits, terminateAfter, from, size }: TotalRequest): number | undefined {
  if (terminateAfter !== undefined) return terminateAfter + 1;
  // a page without hits tells by its `max_score` whether there are any before it
  if (totalHits.kind === 'none') return from > 0 && size > 0 ? 1 : 0;
  return totalHits.kind === 'upTo' ? totalHits.limit + 1 : undefined;
}

/**
 * What an answer says about a count of matching rows. A search that stops early counts what it has
 * seen, exactly; aggregations see all rows, so with them nothing stops early.
 */
export function readTotal(
  request: TotalRequest,
  count: number,
  countedBy: 'aggregations' | 'statement',
): Counted {
  const { terminateAfter } = request;
  const any = count > 0;
  if (terminateAfter === undefined) return { total: limited(request, count), any };
  const terminatedEarly = countedBy === 'statement' && count > terminateAfter;
  const seen = terminatedEarly ? terminateAfter : count;
  return { total: limited(request, seen), any, terminatedEarly };
}

function limited({ totalHits, size }: TotalRequest, count: number): HitsTotal | undefined {
  if (totalHits.kind === 'none') return undefined;
  if (totalHits.kind === 'upTo' && (count > totalHits.limit || isUncounted(totalHits.limit, size)))
    return { value: totalHits.limit, relation: 'gte' };
  return { value: count, relation: 'eq' };
}

/** Elasticsearch 7.17: who asks for neither hits nor a count learns nothing, not even of no documents. */
const isUncounted = (limit: number, size: number): boolean => limit === 0 && size === 0;
