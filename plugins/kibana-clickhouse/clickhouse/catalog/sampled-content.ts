import type { Cell } from '../execution/executor';
import { array, call, column, lambda, param, tuple } from '../sql/build';
import type { Expr } from '../sql/nodes';
import {
  type ColumnType,
  type TypesByPath,
  innermostElement,
  parseColumnType,
} from './column-type';
import { extensionContent, isExtensionColumn } from './extension-column';

/** What rows tell of a column whose structure does not say which fields it has. */
export type SampledContent =
  /** Keys of a Map, or of the Maps in an array. */
  | 'keys'
  /** Paths of a JSON column with their types; of a Dynamic its types, under the path ''; the fields of an extension column. */
  | 'types';

/** What to look for in the rows of a column; undefined where its type says all. */
export function sampledContent(name: string, type: ColumnType): SampledContent | undefined {
  if (isExtensionColumn(name, type)) return 'types';
  if (type.name === 'JSON' || type.name === 'Dynamic') return 'types';
  return innermostElement(type).element.name === 'Map' ? 'keys' : undefined;
}

/** What a row holds of it: an array of keys, or of pairs of a path and a type. */
export function contentOf(name: string, type: ColumnType): Expr {
  if (sampledContent(name, type) === 'keys')
    return cast(keysOf(column(name), type), 'Array(String)');
  return cast(pairsOf(name, type), 'Array(Tuple(String, String))');
}

function pairsOf(name: string, type: ColumnType): Expr {
  if (isExtensionColumn(name, type)) return extensionContent(name);
  if (type.name === 'JSON') return call('JSONAllPathsWithTypes', column(name));
  return array([tuple([param('', 'String'), call('dynamicType', column(name))])]);
}

function keysOf(expr: Expr, type: ColumnType): Expr {
  const { depth } = innermostElement(type);
  if (depth === 0) return call('mapKeys', expr);
  const maps = depth > 1 ? call('arrayFlatten', expr) : expr;
  return call('arrayFlatten', call('arrayMap', lambda('x', call('mapKeys', column('x'))), maps));
}

const cast = (expr: Expr, type: string): Expr => call('CAST', expr, param(type, 'String'));

/** The keys that a cell lists. */
export const readKeys = (cell: Cell | undefined): readonly string[] => texts(cell);

/** The types that a cell lists; a value that is NULL has none. */
export function readTypes(cell: Cell | undefined): TypesByPath {
  const found = new Map<string, ColumnType[]>();
  for (const pair of Array.isArray(cell) ? (cell as readonly Cell[]) : []) {
    const [path = '', type = 'None'] = texts(pair);
    if (type === 'None') continue;
    found.set(path, [...(found.get(path) ?? []), parseColumnType(type)]);
  }
  return found;
}

const texts = (cell: Cell | undefined): readonly string[] =>
  Array.isArray(cell)
    ? (cell as readonly Cell[]).map((item) => (typeof item === 'string' ? item : ''))
    : [];
