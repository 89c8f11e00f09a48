import { and, array, as, binary, call, column, integer } from '../../clickhouse/sql/build';
import type { Expr, SelectColumn, SelectNode } from '../../clickhouse/sql/nodes';
import type { Table } from '../../clickhouse/catalog/table';
import type { Scope } from './aggregation-plan';
import type { Chain } from './chain';
import { keyName, keysName, openedName, positionName } from './chain-names';
import { argumentName } from './column-list';

/** The rows of a query, as a chain's groups are made of: keys and arguments under their own names. */
export function chainRows(chain: Chain, table: Table, scope: Scope, condition?: Expr): SelectNode {
  const keys = chain.levels.map(({ level }, i) =>
    as(level.keys === 'expanded' ? keysName(i) : keyName(i), level.key),
  );
  const args = chain.columns.arguments.map((expr, i) => as(argumentName(i), expr));
  const columns = [...keys, ...args];
  const rows: SelectNode = {
    // a statement selects something even where only rows are counted
    columns: columns.length > 0 ? columns : [as('row', integer(1))],
    from: { kind: 'table', database: table.database, table: table.name },
    where: condition ? and([scope.where, condition]) : scope.where,
    ...(scope.timeRange && { timeRange: scope.timeRange }),
  };
  return expandedLevels(chain).reduce<SelectNode>(
    (below, level, index) => expand(below, level, index),
    rows,
  );
}

/** Which levels of a chain put a document into several buckets. */
export const expandedLevels = (chain: Chain): readonly number[] =>
  chain.levels.flatMap(({ level }, i) => (level.keys === 'expanded' ? [i] : []));

/**
 * Each row once as it was, and once for each key of the level: groups above the level are made of
 * the former, the level's own and those below it of the latter. Rows that a level above has left as
 * they were are not expanded again.
 */
function expand(below: SelectNode, level: number, index: number): SelectNode {
  const keys = column(keysName(level));
  const positions = call('range', integer(0), binary('+', call('length', keys), integer(1)));
  const asItWas = array([call('toUInt64', integer(0))]);
  const isOpen = binary('=', column(openedName), integer(index));
  const position = call(
    'arrayJoin',
    index === 0 ? positions : call('if', isOpen, positions, asItWas),
  );
  const kept = below.columns
    .map(({ alias }) => alias)
    .filter((alias) => alias !== keysName(level) && alias !== openedName)
    .map((alias) => as(alias, column(alias)));
  const isExpanded = binary('>', column(positionName(level)), integer(0));
  const opened: SelectColumn = as(
    openedName,
    index === 0 ? isExpanded : binary('+', column(openedName), isExpanded),
  );
  const rows: SelectNode = {
    columns: [
      ...kept,
      as(keysName(level), keys),
      ...(index === 0 ? [] : [as(openedName, column(openedName))]),
      as(positionName(level), position),
    ],
    from: { kind: 'select', select: below },
  };
  return {
    columns: [
      ...kept,
      as(keyName(level), call('arrayElement', keys, column(positionName(level)))),
      opened,
    ],
    from: { kind: 'select', select: rows },
  };
}
