import { namesInKey } from '../../clickhouse/catalog/key-names';
import type { Table } from '../../clickhouse/catalog/table';
import { isAlwaysTrue } from '../../clickhouse/sql/build';
import type { Expr, OrderBy } from '../../clickhouse/sql/nodes';
import { orderOfIndex } from '../hits/index-order';
import type { HitsPlan } from '../hits/plan-hits';
import type { Scope } from '../plan/aggregation-plan';
import type { MinuteStatement } from '../plan/chain-statement';
import type { OfMinutes, PlannedAggregations } from '../plan/plan-aggregations';
import type { PlannedBucket } from '../plan/planned-tree';
import type { SearchRequest } from '../request/search-request';
import { minuteCounts, minuteStart } from './minute-counts';
import type { TimeSorted } from './time-sorted';
import { nearestScope, trimmedScope } from './trimmed-scope';

/** Hits of a time range in two steps: rows are counted by minutes, then only the minutes are read that the page needs. */
export interface DiscoverPlan {
  readonly counts: MinuteStatement;
  /** `all`: they count every row that matches; `nearest`: those of a part of the time range next to its sorted end. */
  readonly counted: 'all' | 'nearest';
  /** The page of hits. */
  readonly from: number;
  readonly size: number;
  /** The hits from the sorted end up to a minute (epoch ms of its start), that minute whole. */
  readonly trimmed: (edge: number) => HitsPlan;
}

/** What is planned for. */
export interface DiscoverSubject {
  readonly request: Pick<SearchRequest, 'terminateAfter' | 'totalHits'>;
  readonly table: Table;
  /** The rows that match. */
  readonly scope: Scope;
  /** Epoch ms: where a time range without an end ends. */
  readonly now: number;
  readonly aggregations: Pick<PlannedAggregations, 'minutes'> | undefined;
  /** The hits of the whole time range. */
  readonly hits: HitsPlan | undefined;
  readonly planHits: (scope: Scope) => HitsPlan;
}

/**
 * Plans the two steps where they cost less than reading the hits at once; undefined where not. All rows are counted by minutes
 * where they are counted or put into buckets anyway; else a part of the time range is, where ClickHouse can read that part alone
 * and would read more than that for the hits.
 */
export function planDiscover(
  sorted: TimeSorted | undefined,
  subject: DiscoverSubject,
): DiscoverPlan | undefined {
  if (!sorted) return undefined;
  const { scope, planHits } = subject;
  const { from, size } = sorted;
  const counts = countsOf(sorted, subject);
  if (!counts) return undefined;
  const trimmed = (edge: number): HitsPlan => planHits(trimmedScope(sorted, scope, edge));
  return { ...counts, from, size, trimmed };
}

function countsOf(
  sorted: TimeSorted,
  subject: DiscoverSubject,
): Pick<DiscoverPlan, 'counted' | 'counts'> | undefined {
  const { table, scope, now, aggregations } = subject;
  if (aggregations?.minutes) return { counts: aggregations.minutes, counted: 'all' };
  if (countsAll(subject)) return { counts: minuteCounts(sorted, table, scope), counted: 'all' };
  if (!prunesByTime(sorted, table) || readsInOrder(subject)) return undefined;
  const nearest = nearestScope(sorted, scope, now);
  return nearest && { counts: minuteCounts(sorted, table, nearest), counted: 'nearest' };
}

/** Rows of a time range alone ClickHouse counts almost without reading. */
const countsAll = ({ request, scope, aggregations }: DiscoverSubject): boolean =>
  aggregations === undefined &&
  request.totalHits.kind === 'exact' &&
  request.terminateAfter === undefined &&
  !isAlwaysTrue(scope.where);

/** Whether a key of the table keeps times apart, so that a part of the time range can be read alone. */
function prunesByTime({ field }: TimeSorted, { sortingKey, partitionKey = '' }: Table): boolean {
  const name = columnIn(field.expr);
  return name !== undefined && namesInKey(`${sortingKey}, ${partitionKey}`).includes(name);
}

/**
 * Whether the first hits stand at an end of the table's own order: ClickHouse then stops reading after them. One key in the other
 * direction and it reads all; where the hash of rows breaks ties, a bound on the time alone stands in the statement.
 */
function readsInOrder({ hits, table }: DiscoverSubject): boolean {
  const order = hits?.statement.orderBy ?? [];
  const key = orderOfIndex(table).map(({ expr }) => columnIn(expr));
  const isAt = ({ expr, direction }: OrderBy, i: number): boolean =>
    columnIn(expr) === key[i] && direction === order[0]?.direction;
  return isBounded(order, key[0]) || order.every(isAt);
}

const isBounded = ([first]: readonly OrderBy[], name: string | undefined): boolean =>
  first?.expr.kind === 'call' && first.expr.args.some((arg) => columnIn(arg) === name);

const columnIn = (expr: Expr): string | undefined =>
  expr.kind === 'column' ? expr.name : undefined;

/**
 * Answers a histogram of whole minutes by their counts: a chain of that level alone, without anything to measure, over the
 * rows of the query itself.
 */
export const ofMinutes =
  (sorted: TimeSorted, table: Table, scope: Scope): OfMinutes =>
  (chain, root, context) => {
    const [level, ...deeper] = chain.levels;
    if (deeper.length > 0 || chain.columns.aggregates.length > 0) return undefined;
    if (chain.scope.where !== scope.where || chain.scope.timeRange !== scope.timeRange)
      return undefined;
    const histogram = root.members.find(
      (member): member is PlannedBucket => member.kind === 'bucket' && member.level === level,
    );
    const minutes = { field: sorted.field.name, start: minuteStart };
    const found = level && histogram?.node.levelOfMinutes?.(minutes, context);
    return found && minuteCounts(sorted, table, scope, found);
  };
