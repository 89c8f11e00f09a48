import type { Cell } from '../../clickhouse/execution/executor';
import type { Cells, HitColumns } from '../hits/hit-line';
import type { HighlightOptions } from '../request/highlight';
import { type Boundaries, sentenceBoundaries, wholeText, wordBoundaries } from './boundaries';
import { type FindMatches, matchFinder, type ReadPassing } from './find-matches';
import type { HighlightedField } from './highlighted-fields';
import { passagesOf } from './passages';
import { passingTerms, type PatternTest } from './passing-terms';
import { writeFragment } from './write-fragment';

/** The JSON text of a hit's `highlight`; empty where nothing in it matches. */
export type PrintHighlight = (cells: Cells) => string;

/**
 * Plans what is selected for `highlight` and how it is printed: fragments of the values as the document has them. Of a field
 * are selected its values and, for each pattern among its tests, the terms that pass it.
 */
export function planHighlight(
  highlighted: readonly HighlightedField[],
  columns: HitColumns,
): PrintHighlight {
  const printers = highlighted.map((one) => {
    const { field, options, kind, tests } = one;
    const read = columns.add(field.expr);
    const find = matchFinder(tests, kind, (test) => readPassing(one, test, columns));
    const fragments = fragmenter(find, options);
    return (cells: Cells): string => {
      const found = fragments(textsOf(read(cells)), cells);
      return found.length === 0 ? '' : `${JSON.stringify(field.name)}:${JSON.stringify(found)}`;
    };
  });
  return (cells) => {
    const members = printers.map((print) => print(cells)).filter((member) => member !== '');
    return members.length === 0 ? '' : `{${members.join(',')}}`;
  };
}

function readPassing(
  { field, kind }: HighlightedField,
  test: PatternTest,
  columns: HitColumns,
): ReadPassing {
  const passing = passingTerms(field, kind, test);
  if (!passing) return () => [];
  const read = columns.add(passing);
  return (cells) => textsOf(read(cells));
}

const textsOf = (cell: Cell): readonly string[] =>
  (Array.isArray(cell) ? cell : [cell]).filter((value) => typeof value === 'string');

function fragmenter(
  find: FindMatches,
  options: HighlightOptions,
): (values: readonly string[], cells: Cells) => readonly string[] {
  const { numberOfFragments: number, byScore } = options;
  const limit = number === 0 ? Infinity : number;
  return (values, cells) => {
    const searched = values.map((value) => ({
      value,
      matches: find(value, cells),
      boundaries: () => boundariesOf(value, options),
    }));
    return passagesOf(searched, { limit, byScore }).map((passage) =>
      writeFragment(passage, options),
    );
  };
}

function boundariesOf(
  value: string,
  { numberOfFragments, scanner, fragmentSize }: HighlightOptions,
): Boundaries {
  if (numberOfFragments === 0) return wholeText(value);
  return scanner === 'word' ? wordBoundaries(value) : sentenceBoundaries(value, fragmentSize);
}
