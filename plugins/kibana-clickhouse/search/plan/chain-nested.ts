import {
  and,
  array,
  as,
  binary,
  call,
  column,
  integer,
  lambda,
  param,
} from '../../clickhouse/sql/build';
import { unsupported } from '../../common/errors/catalogue';
import type { Expr, SelectColumn, SelectNode } from '../../clickhouse/sql/nodes';
import type { Chain } from './chain';
import { elementsName, keyName, keysName, openedName, placeName, seenName } from './chain-names';

/** Which columns of a chain's rows are computed where. */
export interface ColumnStages {
  /** Of the table's rows. */
  readonly ofRows: readonly SelectColumn[];
  /** Of the nested documents in a column. */
  ofElements(unfolds: { readonly element: string }): ElementColumns;
}

interface ElementColumns {
  readonly element: string;
  readonly columns: readonly SelectColumn[];
}

/** Sorts columns by the nested documents that they read: of those of the table they read none. */
export function columnStages(chain: Chain, columns: readonly SelectColumn[]): ColumnStages {
  const elements = chain.levels.flatMap(({ level }) =>
    level.unfolds ? [level.unfolds.element] : [],
  );
  const staged = columns.map((one) => ({
    one,
    element: elements.find((element) => reads(one.expr, element)),
  }));
  const of = (wanted: string | undefined): readonly SelectColumn[] =>
    staged.flatMap(({ one, element }) => (element === wanted ? [one] : []));
  return {
    ofRows: of(undefined),
    ofElements: ({ element }) => ({ element, columns: of(element) }),
  };
}

/** Whether an expression reads a column, and not as the argument of a lambda of that name. */
function reads(expr: Expr, name: string): boolean {
  if (expr.kind === 'column') return expr.name === name;
  if (expr.kind === 'lambda' && expr.argument === name) return false;
  return partsOf(expr).some((part) => reads(part, name));
}

function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'call':
      return expr.args;
    case 'aggregate':
      return [...expr.args, ...(expr.filter ? [expr.filter] : [])];
    case 'binary':
      return [expr.left, expr.right];
    case 'and':
    case 'or':
      return expr.terms;
    case 'not':
      return [expr.term];
    case 'array':
    case 'tuple':
      return expr.items;
    case 'lambda':
      return [expr.body];
    default:
      return [];
  }
}

const kept = (select: SelectNode, ...without: readonly string[]): readonly SelectColumn[] =>
  select.columns.flatMap(({ alias }) =>
    without.includes(alias) ? [] : [as(alias, column(alias))],
  );

const nothing = param(null, 'Nullable(Nothing)');

/** Where an expanded level stands: among all levels, and among the expanded ones. */
interface ExpandedPlace {
  readonly level: number;
  readonly index: number;
}

/**
 * Each row once as it was, with a place of 0, and once for each of its nested documents; the columns that are read of
 * these. Rows that a level above has left as they were are not expanded.
 */
export function unfold(
  below: SelectNode,
  { level, index }: ExpandedPlace,
  { element, columns }: ElementColumns,
): SelectNode {
  const elements = column(elementsName(level));
  // a nested document of default values stands for the row without them
  const none = call(
    'arrayResize',
    call('arraySlice', elements, integer(1), integer(0)),
    integer(1),
  );
  const places = call('range', binary('+', call('length', elements), integer(1)));
  const pairs = call('arrayZip', places, call('arrayConcat', none, elements));
  const isOpen = binary('=', column(openedName), integer(index));
  const perRow =
    index === 0
      ? pairs
      : call('if', isOpen, pairs, call('arraySlice', pairs, integer(1), integer(1)));
  const joined: SelectNode = {
    columns: [...kept(below, elementsName(level)), as('pair', call('arrayJoin', perRow))],
    from: { kind: 'select', select: below },
  };
  const part = (place: number): Expr => call('tupleElement', column('pair'), integer(place));
  const isElement = binary('>', part(1), integer(0));
  const rows: SelectNode = {
    columns: [
      ...kept(joined, 'pair', openedName),
      as(placeName(level), part(1)),
      as(element, part(2)),
      as(keyName(level), call('if', isElement, integer(0), nothing)),
      as(openedName, index === 0 ? isElement : binary('+', column(openedName), isElement)),
    ],
    from: { kind: 'select', select: joined },
  };
  return { columns: [...kept(rows, element), ...columns], from: { kind: 'select', select: rows } };
}

/** The level whose nested documents another one leads back from. */
function unfoldingLevel(chain: Chain, level: number): number {
  const element = chain.levels[level]?.level.folds?.element;
  const found = chain.levels.findIndex(({ level: above }) => above.unfolds?.element === element);
  if (found < 0) throw new TypeError('a way back from nested documents');
  return found;
}

/** The levels between nested documents and the way back. */
function between(chain: Chain, level: number): readonly number[] {
  const first = unfoldingLevel(chain, level) + 1;
  return Array.from({ length: level - first }, (_, i) => first + i);
}

/** What tells which of a row's nested documents is the first with its keys. */
export function seenColumns(chain: Chain, level: number): readonly SelectColumn[] {
  const unfolds = chain.levels[unfoldingLevel(chain, level)]?.level.unfolds;
  const levels = between(chain, level).flatMap((one) => chain.levels[one]?.level ?? []);
  // their keys are made when all rows are there
  if (levels.some(({ ofParent }) => ofParent))
    throw unsupported('aggregation [reverse_nested] below [auto_date_histogram]');
  const keys = levels.map(({ key }) => key);
  if (!unfolds || keys.length === 0) return [];
  const seen = call(
    'arrayMap',
    lambda(unfolds.element, call('tuple', ...keys)),
    unfolds.elements(),
  );
  return [as(seenName(level), seen)];
}

/** Adds the keys of a level that leads back: one for the first nested document of a row in each bucket. */
export function fold(below: SelectNode, chain: Chain, level: number): SelectNode {
  const place = column(placeName(unfoldingLevel(chain, level)));
  const levels = between(chain, level);
  const same = levels.map((one, i) => {
    const key = call('tupleElement', column('seen'), integer(i + 1));
    const own = column(keyName(one));
    return chain.levels[one]?.level.keys === 'expanded'
      ? call('has', key, own)
      : binary('=', key, own);
  });
  const first =
    levels.length === 0
      ? integer(1)
      : call(
          'arrayFirstIndex',
          lambda('seen', call('ifNull', and(same), integer(0))),
          column(seenName(level)),
        );
  const one = array([integer(0)]);
  const key = call('if', binary('=', place, first), one, call('arrayResize', one, integer(0)));
  return {
    columns: [...kept(below, seenName(level)), as(keysName(level), key)],
    from: { kind: 'select', select: below },
  };
}
