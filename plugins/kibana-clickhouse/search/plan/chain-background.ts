import type { Table } from '../../clickhouse/catalog/table';
import { aggregate, as, binary, call, column, integer, subquery } from '../../clickhouse/sql/build';
import type { Expr, SelectColumn, SelectNode } from '../../clickhouse/sql/nodes';
import type { Chain } from './chain';
import { rootGroup } from './chain-groups';
import { backgroundName, backgroundTotalName, keyName, openedName } from './chain-names';

/** Levels whose buckets are compared with a background. */
export const backgroundLevels = (chain: Chain): readonly number[] =>
  chain.levels.flatMap(({ level }, i) => (level.background ? [i] : []));

/** Adds to every group how many documents of the backgrounds have its keys, and how many they are altogether. */
export const withBackgrounds = (chain: Chain, groups: SelectNode, table: Table): SelectNode =>
  backgroundLevels(chain).reduce<SelectNode>(
    (left, level) => joined(chain, left, level, table),
    groups,
  );

function joined(chain: Chain, left: SelectNode, level: number, table: Table): SelectNode {
  const planned = chain.levels[level];
  if (!planned?.level.background) throw new TypeError('a level with a background');
  const { key, keys, background } = planned.level;
  const source = { kind: 'table', database: table.database, table: table.name } as const;
  const values: SelectNode = {
    columns: [as(keyName(level), keys === 'expanded' ? call('arrayJoin', key) : key)],
    from: source,
    where: background.where,
  };
  const counts: SelectNode = {
    columns: [
      as(keyName(level), column(keyName(level))),
      as(backgroundName(level), aggregate('count')),
    ],
    from: { kind: 'select', select: values },
    where: call('isNotNull', column(keyName(level))),
    groupBy: { kind: 'keys', keys: [column(keyName(level))] },
  };
  return {
    columns: [
      ...left.columns.map(({ alias }): SelectColumn => as(alias, column(alias))),
      as(backgroundName(level), column(backgroundName(level))),
      as(backgroundTotalName(level), totalOf(chain, level, table)),
    ],
    from: { kind: 'join', left, right: counts, using: keyName(level) },
  };
}

/**
 * The statement with a row of the root that is there without documents, too: of rows that are expanded there is no group
 * without one, and the number of the background's documents would be unknown. Where there are documents the root comes twice.
 */
export function withRoot(
  chain: Chain,
  rows: SelectNode,
  placed: SelectNode,
  table: Table,
): SelectNode {
  const unexpanded: SelectNode = {
    columns: rows.columns.map(({ alias }): SelectColumn => as(alias, column(alias))),
    from: { kind: 'select', select: rows },
    where: binary('=', column(openedName), integer(0)),
  };
  const root = rootGroup(chain, unexpanded);
  const own = new Map(root.columns.map(({ alias, expr }) => [alias, expr]));
  const totals = new Map(
    backgroundLevels(chain).map((level) => [
      backgroundTotalName(level),
      totalOf(chain, level, table),
    ]),
  );
  const zero = call('toUInt64', integer(0));
  const names = placed.columns.map(({ alias }) => alias);
  const wanted = names.map((name) => as(name, own.get(name) ?? totals.get(name) ?? zero));
  const same = names.map((name) => as(name, column(name)));
  return {
    columns: same,
    from: {
      kind: 'union',
      selects: [
        { ...root, columns: wanted },
        { columns: same, from: { kind: 'select', select: placed } },
      ],
    },
  };
}

function totalOf(chain: Chain, level: number, table: Table): Expr {
  const background = chain.levels[level]?.level.background;
  if (!background) throw new TypeError('a level with a background');
  const select: SelectNode = {
    columns: [as('docs', aggregate('count'))],
    from: { kind: 'table', database: table.database, table: table.name },
    where: background.where,
  };
  // NULL where a subquery has no row: never of a count
  return call('assumeNotNull', subquery(select));
}
