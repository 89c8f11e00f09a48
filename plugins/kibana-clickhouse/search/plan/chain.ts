import { type ColumnList, columnList } from './column-list';
import { levelsOf, metricsOf, type PlannedContent, type PlannedLevel } from './planned-tree';

/**
 * The bucket levels from the root to a leaf: one statement. Set `i` of a chain are its groups by the
 * keys of the first `i` levels: set 0 is the root, set 1 the buckets of the first level, and so on.
 */
export interface Chain {
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

/** Splits a tree into chains, in the request's order. */
export function chainTree(root: PlannedContent): ChainedTree {
  const paths = pathsOf(root);
  const owners = new Map<PlannedContent, number>([[root, 0]]);
  const chains = paths.map((levels, index) => {
    const contents = [root, ...levels.map(({ content }) => content)];
    for (const content of contents) owners.set(content, owners.get(content) ?? index);
    const owned = contents.filter((content) => owners.get(content) === index);
    return { levels, columns: chainColumns(levels, owned) };
  });
  return { chains, ownerOf: (content) => owners.get(content) ?? 0 };
}

function pathsOf(content: PlannedContent): readonly (readonly PlannedLevel[])[] {
  const levels = levelsOf(content);
  if (levels.length === 0) return [[]];
  return levels.flatMap((level) => pathsOf(level.content).map((rest) => [level, ...rest]));
}

/** Metrics of the contents that are this chain's, and the order columns of all its levels. */
function chainColumns(
  levels: readonly PlannedLevel[],
  owned: readonly PlannedContent[],
): ColumnList {
  const metrics = owned.flatMap(metricsOf).flatMap(({ columns }) => columns);
  const orders = levels
    .flatMap(({ order }) => order)
    .flatMap((item) => (item.by === 'metric' ? [item.column] : []));
  return columnList([...metrics, ...orders]);
}
