import { and, array, as, binary, call, column, integer, param } from '../../clickhouse/sql/build';
import type { Expr, SelectColumn, SelectNode } from '../../clickhouse/sql/nodes';
import type { Table } from '../../clickhouse/catalog/table';
import type { Chain } from './chain';
import { columnStages, fold, seenColumns, unfold } from './chain-nested';
import { elementsName, keyName, keysName, openedName } from './chain-names';
import { argumentName } from './column-list';
import { withParentKeys } from './parent-keys';

/** The rows of a query, as a chain's groups are made of: keys and arguments under their own names. */
export function chainRows(chain: Chain, table: Table, condition?: Expr): SelectNode {
  const { scope } = chain;
  const stages = columnStages(chain, [...keyColumns(chain), ...argumentColumns(chain)]);
  const columns = stages.ofRows;
  const rows: SelectNode = {
    // a statement selects something even where only rows are counted
    columns: columns.length > 0 ? columns : [as('row', integer(1))],
    from: {
      kind: 'table',
      database: table.database,
      table: table.name,
      ...(scope.sample !== undefined && { sample: scope.sample }),
    },
    where: condition ? and([scope.where, condition]) : scope.where,
    ...(scope.timeRange && { timeRange: scope.timeRange }),
  };
  const expanded = expandedLevels(chain).reduce<SelectNode>((below, level, index) => {
    const planned = chain.levels[level]?.level;
    if (planned?.unfolds)
      return unfold(below, { level, index }, stages.ofElements(planned.unfolds));
    return expand(planned?.folds ? fold(below, chain, level) : below, level, index);
  }, rows);
  const levels = chain.levels.map(({ level }) => level);
  return withParentKeys(expanded, levels, keyName);
}

const keyColumns = (chain: Chain): readonly SelectColumn[] =>
  chain.levels.flatMap(({ level }, i) => {
    if (level.unfolds) return [as(elementsName(i), level.unfolds.elements())];
    if (level.folds) return seenColumns(chain, i);
    return [as(level.keys === 'expanded' ? keysName(i) : keyName(i), level.key)];
  });

const argumentColumns = (chain: Chain): readonly SelectColumn[] =>
  chain.columns.arguments.map((expr, i) => as(argumentName(i), expr));

/** Which levels of a chain put a document into several buckets. */
export const expandedLevels = (chain: Chain): readonly number[] =>
  chain.levels.flatMap(({ level }, i) => (level.keys === 'expanded' ? [i] : []));

/**
 * Each row once as it was, marked by a NULL key, and once for each key of the level: groups above the
 * level are made of the former, the level's own and those below it of the latter. Rows that a level
 * above has left as they were are not expanded again.
 */
function expand(below: SelectNode, level: number, index: number): SelectNode {
  const marker = param(null, 'Nullable(Nothing)');
  const keys = call('arrayPushFront', column(keysName(level)), marker);
  const isOpen = binary('=', column(openedName), integer(index));
  const perRow = index === 0 ? keys : call('if', isOpen, keys, array([marker]));
  const kept = below.columns
    .map(({ alias }) => alias)
    .filter((alias) => alias !== keysName(level))
    .map((alias) => as(alias, column(alias)));
  const rows: SelectNode = {
    columns: [...kept, as(keyName(level), call('arrayJoin', perRow))],
    from: { kind: 'select', select: below },
  };
  const isExpanded = call('isNotNull', column(keyName(level)));
  const opened = index === 0 ? isExpanded : binary('+', column(openedName), isExpanded);
  return {
    columns: [
      ...kept.filter(({ alias }) => alias !== openedName),
      as(keyName(level), column(keyName(level))),
      as(openedName, opened),
    ],
    from: { kind: 'select', select: rows },
  };
}
