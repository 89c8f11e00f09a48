import {
  aggregate,
  and,
  as,
  call,
  column,
  integer,
  subquery,
  tuple,
} from '../../clickhouse/sql/build';
import type { Expr, SelectNode } from '../../clickhouse/sql/nodes';
import type { Level, ParentKeys } from '../aggregations/definition';

/**
 * Rows with the keys of all levels, also of those whose keys depend on the documents of the bucket around: what these need to
 * know is found by a subquery for each, one group for every bucket around. `nameOf` gives the column of a level's key.
 */
export const withParentKeys = (
  rows: SelectNode,
  levels: readonly Level[],
  nameOf: (level: number) => string,
): SelectNode =>
  levels.reduce<SelectNode>((known, { ofParent }, level) => {
    if (!ofParent) return known;
    const own = nameOf(level);
    const parents = levels.slice(0, level).map((_, i) => column(nameOf(i)));
    const summarized: SelectNode = {
      columns: [
        ...known.columns.map(({ alias }) => as(alias, column(alias))),
        as(summaryName(level), summaryOf(known, ofParent, { own, parents })),
      ],
      from: { kind: 'select', select: known },
    };
    const key = ofParent.key(column(own), column(summaryName(level)));
    return {
      columns: known.columns.map(({ alias }) => as(alias, alias === own ? key : column(alias))),
      from: { kind: 'select', select: summarized },
    };
  }, rows);

const summaryName = (level: number): string => `summary_${String(level)}`;

/** Names of the columns that a level's key is made from. */
interface KeyColumns {
  readonly own: string;
  readonly parents: readonly Expr[];
}

function summaryOf(rows: SelectNode, keys: ParentKeys, { own, parents }: KeyColumns): Expr {
  const from = { kind: 'select', select: rows } as const;
  if (parents.length === 0)
    return subquery({ columns: [as('summary', keys.summary(column(own)))], from });
  const perBucket: SelectNode = {
    columns: [as('bucket', spot(parents)), as('summary', keys.summary(column(own)))],
    from,
    where: and(parents.map((key) => call('isNotNull', key))),
    groupBy: { kind: 'keys', keys: parents },
  };
  const all = subquery({
    columns: [as('all', tuple([listed('bucket'), listed('summary')]))],
    from: { kind: 'select', select: perBucket },
  });
  const part = (position: number): Expr => call('tupleElement', all, integer(position));
  return call('transform', spot(parents), part(1), part(2), call('toInt64', integer(0)));
}

const listed = (name: string): Expr => aggregate('groupArray', column(name));

/** A number for a bucket: as a tuple, because a NULL among the arguments themselves would make the whole hash NULL. */
const spot = (keys: readonly Expr[]): Expr => call('sipHash64', tuple(keys));
