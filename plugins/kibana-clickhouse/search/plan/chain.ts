import type { Expr } from '../../clickhouse/sql/nodes';
import type { Scope } from './aggregation-plan';
import { type ColumnList, columnList } from './column-list';
import {
  columnsOf,
  levelsOf,
  type PlannedContent,
  type PlannedLevel,
  scopesOf,
} from './planned-tree';

/**
 * The bucket levels from the root to a leaf: one statement. Set `i` of a chain are its groups by the
 * keys of the first `i` levels: set 0 is the root, set 1 the buckets of the first level, and so on.
 */
export interface Chain {
  /** The rows it reads. */
  readonly scope: Scope;
  readonly levels: readonly PlannedLevel[];
  readonly columns: ColumnList;
}

/** The chains of a tree and which of them a content's metrics and buckets are read from. */
export interface ChainedTree {
  /** At least one: a tree without bucket levels has a chain without levels. */
  readonly chains: readonly Chain[];
  /** The first chain that reaches a content; it carries the metrics there. */
  ownerOf(content: PlannedContent): number;
}

/** Splits a tree into chains, in the request's order: of the query's rows first, then of those of each scope within. */
export function chainTree(content: PlannedContent, scope: Scope): ChainedTree {
  const roots = [{ content, scope }, ...scopesOf(content)];
  const owners = new Map<PlannedContent, number>();
  const paths = roots.flatMap((root) =>
    pathsOf(root.content).map((levels) => ({ root: root.content, rows: root.scope, levels })),
  );
  const chains = paths.map(({ root, rows, levels }, index): Chain => {
    const parts = [
      { content: root, columns: columnsOf(root) },
      ...levels.map(({ content: part, columns }) => ({ content: part, columns })),
    ];
    for (const part of parts) owners.set(part.content, owners.get(part.content) ?? index);
    const own = parts.filter((part) => owners.get(part.content) === index);
    const columns = own.flatMap((part) => part.columns);
    return { scope: rows, levels, columns: columnList([...columns, ...ordersOf(levels)]) };
  });
  return { chains, ownerOf: (part) => owners.get(part) ?? 0 };
}

function pathsOf(content: PlannedContent): readonly (readonly PlannedLevel[])[] {
  const levels = levelsOf(content);
  if (levels.length === 0) return [[]];
  return levels.flatMap((level) => pathsOf(level.content).map((rest) => [level, ...rest]));
}

/** A chain of levels with aggregates of its own in the last of them. */
export const chainOf = (
  levels: readonly PlannedLevel[],
  scope: Scope,
  aggregates: readonly Expr[],
): Chain => ({ scope, levels, columns: columnList([...aggregates, ...ordersOf(levels)]) });

/** What orders the levels: in every chain that has them, so that all choose the same buckets. */
const ordersOf = (levels: readonly PlannedLevel[]): readonly Expr[] =>
  levels
    .flatMap(({ order }) => order)
    .flatMap((item) => (item.by === 'metric' ? [item.column] : []));
