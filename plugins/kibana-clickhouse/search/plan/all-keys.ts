import type { Cell, ResultSet } from '../../clickhouse/execution/executor';
import { array, as, call, column } from '../../clickhouse/sql/build';
import type { Expr, SelectNode, Source } from '../../clickhouse/sql/nodes';
import type { AggregationContext, AllKeys } from '../aggregations/definition';
import { levelOrder } from './chain-groups';
import { docsName, keyName } from './chain-names';
import type { PlannedBucket, PlannedContent, PlannedLevel } from './planned-tree';

/** The keys of levels that make buckets of keys without documents. */
export type KeysOfLevels = ReadonlyMap<PlannedBucket, readonly Cell[]>;

/** The aggregations of a tree whose buckets can be without documents, each with the statement that finds the keys. */
export const allKeysOf = (
  content: PlannedContent,
): readonly { readonly member: PlannedBucket; readonly select: SelectNode }[] =>
  content.members.flatMap((member) => {
    if (member.kind === 'scopes') return member.parts.flatMap((part) => allKeysOf(part.content));
    if (member.kind === 'fixed')
      return member.buckets.slice(0, 1).flatMap((bucket) => allKeysOf(bucket.content));
    if (member.kind !== 'bucket') return [];
    const { level, content: below } = member;
    const own = level?.level.allKeys;
    return [
      ...(level && own ? [{ member, select: keysSelect(level, own, member.context) }] : []),
      ...allKeysOf(below),
    ];
  });

/** Reads what `allKeysOf` asks for. */
export const readKeys = ({ rows }: ResultSet): readonly Cell[] => rows.map(([key = null]) => key);

/** The keys of all documents of the index, each once. */
function keysSelect(
  { level, order }: PlannedLevel,
  { limit, besides }: AllKeys,
  context: AggregationContext,
): SelectNode {
  const key = column(keyName(0));
  return {
    columns: [as(keyName(0), key)],
    from: {
      kind: 'select',
      select: {
        columns: [as(keyName(0), keyOf(level.key, level.keys === 'expanded', besides))],
        from: documents(context),
      },
    },
    where: call('isNotNull', key),
    groupBy: { kind: 'keys', keys: [key] },
    orderBy: levelOrder(
      order.filter(({ by }) => by === 'key'),
      { key, docs: column(docsName), value: (value) => value },
    ),
    limit,
  };
}

function keyOf(key: Expr, isArray: boolean, besides: Expr | undefined): Expr {
  if (!besides) return isArray ? call('arrayJoin', key) : key;
  return call('arrayJoin', isArray ? call('arrayPushBack', key, besides) : array([key, besides]));
}

/** The documents of the index that a context sees: of nested ones those of all rows. */
function documents({ table, nesting }: AggregationContext): Source {
  if (!nesting) return { kind: 'table', database: table.database, table: table.name };
  return {
    kind: 'select',
    select: {
      columns: [as(nesting.element, call('arrayJoin', nesting.elements()))],
      from: documents(nesting.around),
    },
  };
}
