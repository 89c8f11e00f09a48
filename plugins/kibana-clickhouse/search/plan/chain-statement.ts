import type { Table } from '../../clickhouse/catalog/table';
import { aggregate, as, binary, call, column, subquery } from '../../clickhouse/sql/build';
import type { Expr, SelectNode } from '../../clickhouse/sql/nodes';
import { documentCount, estimatedCount } from '../sampling/scaled-columns';
import type { Chain } from './chain';
import { backgroundLevels, withBackgrounds, withRoot } from './chain-background';
import { chainGroups, rootGroup } from './chain-groups';
import {
  aggregateName,
  backgroundName,
  backgroundTotalName,
  bucketsName,
  docsName,
  keyName,
  rankName,
  setName,
  totalName,
} from './chain-names';
import { countedLevels, firstGroups, limitedLevels, placedGroups, topKeys } from './chain-places';
import { chainRows, expandedLevels } from './chain-rows';

/** Where a chain's rows have what. Absent: the statement has no such column. */
export interface ChainColumns {
  readonly set: number;
  readonly keys: readonly number[];
  readonly docs: number;
  readonly aggregates: readonly number[];
  /** By level; absent where a level has no limit. */
  readonly totals: readonly (number | undefined)[];
  /** By level; absent where it does not matter how many buckets there are. */
  readonly buckets: readonly (number | undefined)[];
  /** By level; absent where rows come in the level's order or in none. */
  readonly ranks: readonly (number | undefined)[];
  /** By level: documents of its background with a bucket's key, and all of them; absent where a level has none. */
  readonly backgrounds: readonly (number | undefined)[];
  readonly backgroundTotals: readonly (number | undefined)[];
}

/** The one statement of a chain. */
export interface ChainStatement {
  readonly select: SelectNode;
  readonly columns: ChainColumns;
}

/** A chain's statement that counts the rows of each minute first, and tells where a page of hits ends. */
export interface MinuteStatement extends ChainStatement {
  /** Column of the root's row: the farthest minute that the page reaches (epoch ms of its start). */
  readonly edge: number;
}

/** Rows that a statement may return: all buckets that an answer can have, the root, and one to tell more. */
export const rowsOf = (maxBuckets: number): number => maxBuckets + 2;

/** Writes the statement that gives counts and metrics of all levels of a chain. */
export function chainStatement(chain: Chain, table: Table, maxBuckets: number): ChainStatement {
  const select = chainSelect(chain, table);
  return {
    select: limited(select, rowsOf(maxBuckets)),
    columns: chainColumns(select, chain.levels.length, chain.columns.aggregates.length),
  };
}

/** A statement that returns at most so many rows. */
export const limited = (select: SelectNode, rows: number): SelectNode => ({
  ...select,
  limit: Math.min(select.limit ?? rows, rows),
});

/** Where a statement of that many levels and aggregates has what, by the names of its columns. */
export function chainColumns(
  { columns }: Pick<SelectNode, 'columns'>,
  levels: number,
  aggregates: number,
): ChainColumns {
  const names = columns.map(({ alias }) => alias);
  const position = (name: string): number | undefined => {
    const index = names.indexOf(name);
    return index < 0 ? undefined : index;
  };
  const required = (name: string): number => position(name) ?? 0;
  const each = <T>(count: number, of: (index: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, i) => of(i));
  const ofLevels = (name: (level: number) => string): readonly (number | undefined)[] =>
    each(levels, (i) => position(name(i)));
  return {
    set: required(setName),
    keys: each(levels, (i) => required(keyName(i))),
    docs: required(docsName),
    aggregates: each(aggregates, (i) => required(aggregateName(i))),
    totals: ofLevels(totalName),
    buckets: ofLevels(bucketsName),
    ranks: ofLevels(rankName),
    backgrounds: ofLevels(backgroundName),
    backgroundTotals: ofLevels(backgroundTotalName),
  };
}

/** The rows of a chain's groups; more than an answer may have. */
export function chainSelect(chain: Chain, table: Table): SelectNode {
  const rows = chainRows(chain, table);
  const [first] = chain.levels;
  if (!first) return rootOnly(chain, rows);
  if (hasManyKeysAboveOthers(chain)) return topKeysFirst(chain, table);
  const isCompared = backgroundLevels(chain).length > 0;
  const groups = withBackgrounds(chain, chainGroups(chain, rows, 0), table);
  if (isCompared && expandedLevels(chain).length > 0)
    return withRoot(chain, rows, placedGroups(chain, groups), table);
  return chain.levels.length === 1 && first.level.limit !== undefined && !isCompared
    ? firstGroups(chain, groups, first.level.limit)
    : placedGroups(chain, groups);
}

const rootOnly = (chain: Chain, rows: SelectNode): SelectNode => ({
  columns: [
    as(setName, call('toUInt64', { kind: 'integer', value: 0 })),
    as(docsName, documentCount(chain.scope.sample)),
    ...chain.columns.aggregates.map((expr, i) => as(aggregateName(i), expr)),
  ],
  from: { kind: 'select', select: rows },
});

/** Whether groups of all keys of the first level would be made for the few that win a place. */
function hasManyKeysAboveOthers(chain: Chain): boolean {
  const level = chain.levels[0]?.level;
  return (
    level?.limit !== undefined &&
    level.manyKeys &&
    // the total then counts documents, not buckets
    level.minDocCount <= 1 &&
    level.maxDocCount === undefined &&
    backgroundLevels(chain).length === 0 &&
    chain.levels.length > 1 &&
    expandedLevels(chain).length === 0
  );
}

/** How many keys of the first level there are, up to a number: no more are read. */
function keyCount(rows: SelectNode, limit: number | undefined): Expr {
  const key = column(keyName(0));
  const keys: SelectNode = {
    columns: [as(keyName(0), key)],
    from: { kind: 'select', select: rows },
    where: call('isNotNull', key),
    limitBy: { limit: 1, by: [key] },
    ...(limit !== undefined && { limit }),
  };
  const counted = subquery({
    columns: [as(docsName, aggregate('count'))],
    from: { kind: 'select', select: keys },
  });
  return call('assumeNotNull', counted);
}

/**
 * The root from all rows; everything else from the rows of the top keys alone. GLOBAL, because
 * ClickHouse refuses a plain IN over Distributed tables (error 288); on a local table it changes nothing.
 */
function topKeysFirst(chain: Chain, table: Table): SelectNode {
  const [first] = chain.levels;
  const limit = first?.level.limit;
  if (!first || limit === undefined) throw new TypeError('top keys need a limit');
  const rows = chainRows(chain, table);
  const top = subquery(topKeys(chain, rows, limit));
  const topRows = chainRows(chain, table, binary('GLOBAL IN', first.level.key, top));
  const below = placedGroups(chain, chainGroups(chain, topRows, 1));
  const root = rootGroup(chain, rows);
  const zero = call('toUInt64', { kind: 'integer', value: 0 });
  const limited = limitedLevels(chain);
  const withKey = estimatedCount(aggregate('count', column(keyName(0))), chain.scope.sample);
  const rootColumns = [
    ...root.columns,
    ...limited.map((level) => as(totalName(level), level === 0 ? withKey : zero)),
    ...countedLevels(chain).map((level) =>
      as(bucketsName(level), level === 0 ? keyCount(rows, first.level.countedUpTo) : zero),
    ),
    ...limited.map((level) => as(rankName(level), zero)),
  ];
  const belowColumns = rootColumns.map(({ alias }) => as(alias, column(alias)));
  return {
    columns: belowColumns,
    from: {
      kind: 'union',
      selects: [
        { ...root, columns: rootColumns },
        { columns: belowColumns, from: { kind: 'select', select: below } },
      ],
    },
  };
}
