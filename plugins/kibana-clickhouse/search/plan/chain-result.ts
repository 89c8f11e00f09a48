import type { Cell, ResultSet, Row } from '../../clickhouse/execution/executor';
import { tooManyBuckets } from '../../common/errors/catalogue';
import type { Chain } from './chain';
import { setMask } from './chain-groups';
import { type ChainColumns, rowsOf } from './chain-statement';

/** One bucket's row, or the root's. */
export interface Group {
  readonly key: Cell;
  readonly docCount: number;
  /** Cells of the chain's aggregates, by position. */
  readonly aggregates: Row;
  /** Documents in all buckets of the level below; undefined: as many as its buckets have. */
  readonly totalBelow: number | undefined;
  /** Buckets of the level below, shown or not; undefined where that does not matter. */
  readonly bucketsBelow: number | undefined;
  /** Documents of its level's background with its key; 0 without one. */
  readonly background: number;
}

/** The keys of the buckets from the first level down; of the root none. */
export type BucketPath = readonly Cell[];

/** A chain's rows as the tree that they are. */
export interface ChainResult {
  group(path: BucketPath): Group | undefined;
  /** Buckets directly in a bucket: in their level's order where it has a limit. */
  below(path: BucketPath): readonly Group[];
  /** Documents of a level's background; undefined: it has none. */
  backgroundTotal(level: number): number | undefined;
}

/** Reads the rows of a chain's statement. Throws when there are more buckets than `maxBuckets`. */
export function readChain(
  chain: Chain,
  columns: ChainColumns,
  result: ResultSet,
  maxBuckets: number,
): ChainResult {
  if (result.rows.length >= rowsOf(maxBuckets)) throw tooManyBuckets(maxBuckets);
  const groups = new Map<string, Group>();
  const below = new Map<string, Ranked[]>();
  const sets = Array.from({ length: chain.levels.length + 1 }, (_, set) => set);
  const setOf = new Map(sets.map((set) => [setMask(chain, set), set]));
  for (const row of result.rows) {
    const set = setOf.get(Number(row[columns.set])) ?? 0;
    const path = columns.keys.slice(0, set).map((index) => row[index] ?? null);
    const group = readGroup(columns, row, set);
    groups.set(spell(path), group);
    if (set === 0) continue;
    const parent = spell(path.slice(0, -1));
    const rank = columns.ranks[set - 1];
    const siblings = below.get(parent) ?? [];
    siblings.push({ group, rank: rank === undefined ? 0 : Number(row[rank]) });
    below.set(parent, siblings);
  }
  const sorted = new Map([...below].map(([parent, found]) => [parent, inOrder(found)]));
  return {
    group: (path) => groups.get(spell(path)),
    below: (path) => sorted.get(spell(path)) ?? [],
    backgroundTotal: (level) => {
      const index = columns.backgroundTotals[level];
      const [row] = result.rows;
      return index === undefined || !row ? undefined : Number(row[index]);
    },
  };
}

interface Ranked {
  readonly group: Group;
  readonly rank: number;
}

const inOrder = (found: readonly Ranked[]): readonly Group[] =>
  found.toSorted((a, b) => a.rank - b.rank).map(({ group }) => group);

const spell = (path: BucketPath): string => JSON.stringify(path);

function readGroup(columns: ChainColumns, row: Row, set: number): Group {
  const key = columns.keys[set - 1];
  const total = columns.totals[set];
  const buckets = columns.buckets[set];
  const background = columns.backgrounds[set - 1];
  return {
    key: key === undefined ? null : (row[key] ?? null),
    docCount: Number(row[columns.docs]),
    aggregates: columns.aggregates.map((index) => row[index] ?? null),
    totalBelow: total === undefined ? undefined : Number(row[total]),
    bucketsBelow: buckets === undefined ? undefined : Number(row[buckets]),
    background: background === undefined ? 0 : Number(row[background]),
  };
}
