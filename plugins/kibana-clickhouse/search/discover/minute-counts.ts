import type { Table } from '../../clickhouse/catalog/table';
import type { ResultSet } from '../../clickhouse/execution/executor';
import {
  aggregate,
  and,
  as,
  binary,
  call,
  column,
  integer,
  or,
  over,
  param,
} from '../../clickhouse/sql/build';
import type { Expr, SelectNode } from '../../clickhouse/sql/nodes';
import { epochMillis } from '../aggregations/instants';
import type { Level } from '../aggregations/definition';
import type { Scope } from '../plan/aggregation-plan';
import { docsName, keyName, setName } from '../plan/chain-names';
import { chainColumns, type MinuteStatement } from '../plan/chain-statement';
import type { TimeSorted } from './time-sorted';

/** The rows that match, and where the page of hits ends among them. */
export interface MinuteCounts {
  readonly rows: number;
  /**
   * Epoch ms of the start of the farthest minute that the page reaches: all minutes from the sorted end up to it have at least
   * as many rows as the page ends behind, or else all there are. Undefined without rows.
   */
  readonly edge: number | undefined;
}

export const minuteMs = 60_000;
const minuteName = 'minute';
const rowsName = 'in_minute';
/** Rows of the minutes from the sorted end up to this one. */
const reachedName = 'up_to_minute';
const edgeName = 'edge';

/**
 * Counts the rows of each minute of a scope, once: their sum, the minute at which a page ends, and the buckets of a level,
 * whose key reads `minuteStart`. The minutes themselves stay in ClickHouse: one row comes, and one for each bucket.
 */
export function minuteCounts(
  sorted: TimeSorted,
  table: Table,
  scope: Scope,
  level?: Level,
): MinuteStatement {
  const minutes = reached(sorted, countedMinutes(sorted, table, scope), level);
  const select = level ? rootAndBuckets(sorted, minutes, level) : rootAlone(sorted, minutes);
  return {
    select,
    columns: chainColumns(select, level ? 1 : 0, 0),
    edge: select.columns.findIndex(({ alias }) => alias === edgeName),
  };
}

/** What a level's key reads in place of the field. */
export const minuteStart: Expr = column(minuteName);

/** Reads the result of a statement that counts minutes. */
export function readMinutes({ columns, edge }: MinuteStatement, { rows }: ResultSet): MinuteCounts {
  const mask = rootSet(columns.keys.length > 0);
  const root = rows.find((row) => Number(row[columns.set]) === mask);
  const counted = Number(root?.[columns.docs] ?? 0);
  return { rows: counted, edge: counted === 0 ? undefined : Number(root?.[edge]) };
}

/** ClickHouse's grouping() of the root: see `setMask`. */
const rootSet = (hasLevel: boolean): number => (hasLevel ? 1 : 0);

function countedMinutes({ field }: TimeSorted, table: Table, scope: Scope): SelectNode {
  const { time } = field;
  if (!time) throw new TypeError('minutes of a date field');
  // no column's name: the condition beside it would mean the minute
  const name = freeName(table);
  // the time range leaves no row without a value
  const value = field.nullable ? call('assumeNotNull', field.expr) : field.expr;
  const minute = minuteNumber(epochMillis(value, time));
  const counted: SelectNode = {
    columns: [as(name, minute), as(`${name}_rows`, aggregate('count'))],
    from: { kind: 'table', database: table.database, table: table.name },
    where: scope.where,
    ...(scope.timeRange && { timeRange: scope.timeRange }),
    groupBy: { kind: 'keys', keys: [column(name)] },
  };
  return {
    columns: [as(minuteName, startOfMinute(column(name))), as(rowsName, column(`${name}_rows`))],
    from: { kind: 'select', select: counted },
  };
}

/** Added to all instants (ms, whole minutes), so that a division that cuts towards zero floors before 1970 as well. */
const shift = param(BigInt(minuteMs) * (2n ** 61n / BigInt(minuteMs)), 'Int64');

/** The cheapest key that all instants of a minute have in common: computed for every row. */
const minuteNumber = (instant: Expr): Expr =>
  call('intDiv', binary('+', instant, shift), integer(minuteMs));

const startOfMinute = (number: Expr): Expr =>
  binary('-', binary('*', number, integer(minuteMs)), shift);

function freeName({ columns }: Table): string {
  let name = minuteName;
  while (columns.some((known) => known.name.startsWith(name))) name = `_${name}`;
  return name;
}

function reached({ order }: TimeSorted, minutes: SelectNode, level?: Level): SelectNode {
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  const upTo = over(aggregate('sum', column(rowsName)), {
    orderBy: [{ expr: column(minuteName), direction }],
  });
  return {
    columns: [
      as(minuteName, column(minuteName)),
      as(rowsName, column(rowsName)),
      as(reachedName, upTo),
      ...(level ? [as(keyName(0), level.key)] : []),
    ],
    from: { kind: 'select', select: minutes },
  };
}

const docs: Expr = aggregate('sum', column(rowsName));

/** Of the minutes whose first row is still on the page, or before it, the farthest. */
function edgeOf({ order, from, size }: TimeSorted): Expr {
  const before = binary('-', column(reachedName), column(rowsName));
  return {
    kind: 'aggregate',
    fn: order === 'asc' ? 'max' : 'min',
    args: [column(minuteName)],
    filter: binary('<', before, param(from + size, 'UInt64')),
  };
}

const rootAlone = (sorted: TimeSorted, minutes: SelectNode): SelectNode => ({
  columns: [
    as(setName, call('toUInt64', integer(rootSet(false)))),
    as(docsName, docs),
    as(edgeName, edgeOf(sorted)),
  ],
  from: { kind: 'select', select: minutes },
});

function rootAndBuckets(sorted: TimeSorted, minutes: SelectNode, level: Level): SelectNode {
  const key = column(keyName(0));
  const set = call('grouping', key);
  const isBucket = [binary('=', set, integer(0)), call('isNotNull', key)];
  const least = level.minDocCount;
  const enough = least > 1 ? [binary('>=', docs, integer(least))] : [];
  return {
    columns: [
      as(setName, set),
      as(keyName(0), key),
      as(docsName, docs),
      as(edgeName, edgeOf(sorted)),
    ],
    from: { kind: 'select', select: minutes },
    groupBy: { kind: 'sets', sets: [[], [key]] },
    having: or([binary('=', set, integer(rootSet(true))), and([...isBucket, ...enough])]),
  };
}
