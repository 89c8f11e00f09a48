import {
  aggregate,
  and,
  as,
  binary,
  call,
  column,
  integer,
  or,
  param,
} from '../../clickhouse/sql/build';
import type { Expr, OrderBy, SelectNode } from '../../clickhouse/sql/nodes';
import type { BackgroundCounts, Level } from '../aggregations/definition';
import { documentCount } from '../sampling/scaled-columns';
import type { Chain } from './chain';
import { aggregateName, docsName, keyName, openedName, setName } from './chain-names';
import { expandedLevels } from './chain-rows';
import type { PlannedOrder } from './planned-order';

/**
 * ClickHouse's grouping() of a chain's set: a bit for each key that the set does not group by, so
 * that the root has the highest number and the deepest set 0.
 */
export const setMask = (chain: Chain, set: number): number => 2 ** (chain.levels.length - set) - 1;

const keysOf = (levels: number): readonly Expr[] =>
  Array.from({ length: levels }, (_, i) => column(keyName(i)));

/** The groups of a chain's sets from `firstSet` on, each with its count and aggregates. */
export function chainGroups(chain: Chain, rows: SelectNode, firstSet: number): SelectNode {
  const depth = chain.levels.length;
  const marker = (set: number): readonly Expr[] =>
    needsMarker(chain, set) ? [column(openedName)] : [];
  const sets = Array.from({ length: depth + 1 - firstSet }, (_, i) => firstSet + i);
  return {
    columns: [
      as(setName, call('grouping', ...keysOf(depth))),
      ...keysOf(depth).map((key, i) => as(keyName(i), key)),
      as(docsName, documentCount(chain.scope.sample)),
      ...chain.columns.aggregates.map((expr, i) => as(aggregateName(i), expr)),
    ],
    from: { kind: 'select', select: rows },
    groupBy: { kind: 'sets', sets: sets.map((set) => [...marker(set), ...keysOf(set)]) },
    having: or(sets.map((set) => isGroupOf(chain, set))),
  };
}

/**
 * Whether the rows of a set must be told from those expanded for levels below it. A set with the keys
 * of all expanded levels knows its rows by them.
 */
const needsMarker = (chain: Chain, set: number): boolean =>
  expandedLevels(chain).some((level) => level >= set);

/** A group of a set: it has all keys, and is made of the rows that are expanded just for these. */
function isGroupOf(chain: Chain, set: number): Expr {
  const above = expandedLevels(chain).filter((level) => level < set).length;
  const last = set === chain.levels.length ? chain.levels[set - 1] : undefined;
  const enough = last ? hasRightCount(last.level, documentCount(chain.scope.sample)) : [];
  return and([
    binary('=', call('grouping', ...keysOf(chain.levels.length)), integer(setMask(chain, set))),
    ...keysOf(set).map((key) => call('isNotNull', key)),
    ...(needsMarker(chain, set) ? [binary('=', column(openedName), integer(above))] : []),
    ...enough,
  ]);
}

/** What a level asks of the number of documents in a bucket. */
export const hasRightCount = (
  { minDocCount, maxDocCount }: Level,
  documents: Expr,
): readonly Expr[] => [
  ...(minDocCount > 1 ? [binary('>=', documents, integer(minDocCount))] : []),
  ...(maxDocCount === undefined ? [] : [binary('<=', documents, integer(maxDocCount))]),
];

/** The root as one row, where its groups are made by a statement of their own. */
export function rootGroup(chain: Chain, rows: SelectNode): SelectNode {
  const depth = chain.levels.length;
  return {
    columns: [
      as(setName, call('toUInt64', integer(setMask(chain, 0)))),
      ...keysOf(depth).map((key, i) => as(keyName(i), aggregate('any', key))),
      as(docsName, documentCount(chain.scope.sample)),
      ...chain.columns.aggregates.map((expr, i) => as(aggregateName(i), expr)),
    ],
    from: { kind: 'select', select: rows },
  };
}

/** A count and a double have no type in common: ClickHouse would make it a Variant, which does not sort. */
const asDouble = (value: Expr): Expr => call('toFloat64', value);

/** What buckets of a level are ordered by, as ORDER BY; `value` reads an aggregate by position. */
export function levelOrder(
  order: readonly PlannedOrder[],
  columns: {
    readonly docs: Expr;
    readonly key: Expr;
    value(aggregate: Expr): Expr;
    /** Only of a level with a background. */
    readonly counts?: BackgroundCounts<Expr> | undefined;
  },
): readonly OrderBy[] {
  return order.map((item): OrderBy => {
    const { direction } = item;
    if (item.by === 'count') return { expr: columns.docs, direction };
    if (item.by === 'score') {
      if (!columns.counts) throw new TypeError('a score needs a background');
      return { expr: item.score(columns.counts), direction };
    }
    if (item.by === 'key') {
      const expr = item.part?.(columns.key) ?? columns.key;
      return { expr, direction, ...(item.nulls && { nulls: item.nulls }) };
    }
    const value = columns.value(item.column);
    return item.missing === 'last'
      ? { expr: value, direction, nulls: 'LAST' }
      : { expr: call('ifNull', asDouble(value), param(item.missing, 'Float64')), direction };
  });
}
