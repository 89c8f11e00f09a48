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
} from '../../clickhouse/sql/build';
import type { Expr, SelectColumn, SelectNode } from '../../clickhouse/sql/nodes';
import type { Chain } from './chain';
import type { BackgroundCounts, Level } from '../aggregations/definition';
import { backgroundLevels } from './chain-background';
import { hasRightCount, levelOrder, setMask } from './chain-groups';
import {
  aggregateName,
  backgroundName,
  backgroundTotalName,
  bucketsName,
  docsName,
  keyName,
  levelDocsName,
  levelValueName,
  rankName,
  rootDocsName,
  setName,
  totalName,
} from './chain-names';

/** Levels whose buckets compete for a number of places. */
export const limitedLevels = (chain: Chain): readonly number[] =>
  chain.levels.flatMap(({ level }, i) => (level.limit === undefined ? [] : [i]));

/** Levels of whose buckets it must be known how many there are. */
export const countedLevels = (chain: Chain): readonly number[] =>
  chain.levels.flatMap(({ level }, i) => (level.countedUpTo === undefined ? [] : [i]));

/**
 * Levels some of whose buckets are left out, together with all below them: by their counts above the last level, where groups
 * are not made of them anyway; by their scores.
 */
const prunedLevels = (chain: Chain): readonly number[] =>
  chain.levels.flatMap(({ level }, i) =>
    level.background || (countsMatter(level) && !isLast(chain, i)) ? [i] : [],
  );

const countsMatter = (level: Level): boolean =>
  level.minDocCount > 1 || level.maxDocCount !== undefined;

const keysUpTo = (level: number): readonly Expr[] =>
  Array.from({ length: level + 1 }, (_, i) => column(keyName(i)));

/** Whether a row is a bucket of the level or lies in one. */
const isWithin = (chain: Chain, level: number): Expr =>
  binary('<=', column(setName), integer(setMask(chain, level + 1)));

const isBucketOf = (chain: Chain, level: number): Expr =>
  binary('=', column(setName), integer(setMask(chain, level + 1)));

const existing = (select: SelectNode): readonly SelectColumn[] =>
  select.columns.map(({ alias }) => as(alias, column(alias)));

/**
 * Keeps of every level the buckets that win a place, and what lies in them. Windows cannot build on
 * each other within one SELECT (ClickHouse error 10), nor may WHERE see them: hence a subquery for
 * what a bucket's rows need to know of it, one for its place, and the condition around both.
 */
export function placedGroups(chain: Chain, groups: SelectNode): SelectNode {
  const limited = limitedLevels(chain);
  const pruned = prunedLevels(chain);
  if (limited.length === 0 && pruned.length === 0) return groups;
  const known = withBucketValues(chain, groups);
  const ranked: SelectNode = {
    columns: [
      ...existing(known),
      ...limited.map((level) => as(rankName(level), rankOf(chain, level))),
    ],
    from: { kind: 'select', select: known },
  };
  const conditions = [
    ...limited.map((level) =>
      or([
        binary('>', column(setName), integer(setMask(chain, level + 1))),
        binary('<=', column(rankName(level)), integer(chain.levels[level]?.level.limit ?? 0)),
      ]),
    ),
    ...pruned.map((level) =>
      or([
        binary('>', column(setName), integer(setMask(chain, level + 1))),
        isWanted(chain, level),
      ]),
    ),
  ];
  return {
    columns: existing(ranked),
    from: { kind: 'select', select: ranked },
    where: and(conditions),
  };
}

const isLast = (chain: Chain, level: number): boolean => level === chain.levels.length - 1;

const docsOf = (chain: Chain, level: number): Expr =>
  column(isLast(chain, level) ? docsName : levelDocsName(level));

/** What a pruned level asks of a bucket. */
function isWanted(chain: Chain, level: number): Expr {
  const planned = chain.levels[level];
  if (!planned) throw new TypeError('a level of the chain');
  const counts = countsOf(chain, level);
  const scores = planned.order.flatMap((item) =>
    item.by === 'score' && counts ? [binary('>', item.score(counts), integer(0))] : [],
  );
  return and([...hasRightCount(planned.level, docsOf(chain, level)), ...scores]);
}

/** The numbers that a level with a background is ordered by. */
const countsOf = (chain: Chain, level: number): BackgroundCounts<Expr> | undefined =>
  chain.levels[level]?.level.background && {
    docs: docsOf(chain, level),
    parent: column(level === 0 ? rootDocsName : levelDocsName(level - 1)),
    background: column(backgroundName(level)),
    total: column(backgroundTotalName(level)),
  };

/** Adds to every row the count and the order values of the buckets around it, and levels' totals. */
function withBucketValues(chain: Chain, groups: SelectNode): SelectNode {
  const compared = backgroundLevels(chain);
  const parents = compared.flatMap((level) => (level > 0 ? [level - 1] : []));
  const above = [...new Set([...limitedLevels(chain), ...prunedLevels(chain), ...parents])].filter(
    (level) => !isLast(chain, level),
  );
  const ofBucket = (level: number, name: string): Expr =>
    over(
      { ...aggregateOf('any', column(name)), filter: isBucketOf(chain, level) },
      { partitionBy: keysUpTo(level) },
    );
  return {
    columns: [
      ...existing(groups),
      ...(compared.includes(0) ? [as(rootDocsName, rootDocs(chain))] : []),
      ...above.map((level) => as(levelDocsName(level), ofBucket(level, docsName))),
      ...above.flatMap((level) =>
        orderPositions(chain, level).map((position) =>
          as(levelValueName(level, position), ofBucket(level, aggregateName(position))),
        ),
      ),
      ...limitedLevels(chain).map((level) => as(totalName(level), totalOf(chain, level))),
      ...countedLevels(chain).map((level) => as(bucketsName(level), bucketsOf(chain, level))),
    ],
    from: { kind: 'select', select: groups },
  };
}

/** Documents of the root, whose row has no key. */
const rootDocs = (chain: Chain): Expr =>
  over(
    {
      ...aggregateOf('any', column(docsName)),
      filter: binary('=', column(setName), integer(setMask(chain, 0))),
    },
    {},
  );

const aggregateOf = (fn: string, argument: Expr): Extract<Expr, { kind: 'aggregate' }> => ({
  kind: 'aggregate',
  fn,
  args: [argument],
});

/** Positions of the aggregates that order a level. */
const orderPositions = (chain: Chain, level: number): readonly number[] => [
  ...new Set(
    (chain.levels[level]?.order ?? []).flatMap((item) =>
      item.by === 'metric' ? [chain.columns.position(item.column)] : [],
    ),
  ),
];

/** Documents of all buckets of a level that have enough of them, for each parent. */
function totalOf(chain: Chain, level: number): Expr {
  const planned = chain.levels[level];
  const enough = planned ? hasRightCount(planned.level, column(docsName)) : [];
  const counted = and([isBucketOf(chain, level), ...enough]);
  const sum = { ...aggregateOf('sum', column(docsName)), filter: counted };
  return over(sum, { partitionBy: keysUpTo(level - 1) });
}

/** How many buckets of a level there are, for each parent. */
const bucketsOf = (chain: Chain, level: number): Expr =>
  over(
    { kind: 'aggregate', fn: 'count', args: [], filter: isBucketOf(chain, level) },
    { partitionBy: keysUpTo(level - 1) },
  );

function rankOf(chain: Chain, level: number): Expr {
  const last = isLast(chain, level);
  const order = levelOrder(chain.levels[level]?.order ?? [], {
    docs: docsOf(chain, level),
    key: column(keyName(level)),
    counts: countsOf(chain, level),
    value: (wanted) => {
      const position = chain.columns.position(wanted);
      return column(last ? aggregateName(position) : levelValueName(level, position));
    },
  });
  const small = prunedLevels(chain).includes(level)
    ? [{ expr: call('not', isWanted(chain, level)), direction: 'ASC' as const }]
    : [];
  // rows above the level are kept apart: they take no place
  return over(call('dense_rank'), {
    partitionBy: [...keysUpTo(level - 1), isWithin(chain, level)],
    orderBy: [...small, ...order],
  });
}

/**
 * A chain of one level with a limit: the total over all groups, then the root and the first buckets.
 * Sorting for a limit is cheaper than a place for every group.
 */
export function firstGroups(chain: Chain, groups: SelectNode, limit: number): SelectNode {
  const order = levelOrder(chain.levels[0]?.order ?? [], {
    docs: column(docsName),
    key: column(keyName(0)),
    value: (wanted) => column(aggregateName(chain.columns.position(wanted))),
  });
  const totals: SelectNode = {
    columns: [
      ...existing(groups),
      as(totalName(0), totalOf(chain, 0)),
      ...countedLevels(chain).map((level) => as(bucketsName(level), bucketsOf(chain, level))),
    ],
    from: { kind: 'select', select: groups },
  };
  return {
    columns: existing(totals),
    from: { kind: 'select', select: totals },
    orderBy: [{ expr: column(setName), direction: 'DESC' }, ...order],
    // the root's row comes first
    limit: limit + 1,
  };
}

/** Keys of the first level's buckets that win a place: what the levels below are made for. */
export function topKeys(chain: Chain, rows: SelectNode, limit: number): SelectNode {
  const groups: SelectNode = {
    columns: [
      as(keyName(0), column(keyName(0))),
      as(docsName, aggregate('count')),
      ...orderPositions(chain, 0).flatMap((position) => {
        const expr = chain.columns.aggregates[position];
        return expr ? [as(aggregateName(position), expr)] : [];
      }),
    ],
    from: { kind: 'select', select: rows },
    where: call('isNotNull', column(keyName(0))),
    groupBy: { kind: 'keys', keys: [column(keyName(0))] },
    orderBy: levelOrder(chain.levels[0]?.order ?? [], {
      docs: column(docsName),
      key: column(keyName(0)),
      value: (wanted) => column(aggregateName(chain.columns.position(wanted))),
    }),
    limit,
  };
  return {
    columns: [as(keyName(0), column(keyName(0)))],
    from: { kind: 'select', select: groups },
  };
}
