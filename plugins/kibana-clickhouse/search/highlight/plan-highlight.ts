import type { Cell } from '../../clickhouse/execution/executor';
import type { Cells, HitColumns } from '../hits/hit-line';
import type { HighlightOptions } from '../request/highlight';
import { type Boundaries, sentenceBoundaries, wholeText, wordBoundaries } from './boundaries';
import { matchFinder } from './find-matches';
import type { HighlightedField } from './highlighted-fields';
import { passagesOf } from './passages';
import { writeFragment } from './write-fragment';

/** The JSON text of a hit's `highlight`; empty where nothing in it matches. */
export type PrintHighlight = (cells: Cells) => string;

/** Plans what is selected for `highlight` and how it is printed: fragments of the values as the document has them. */
export function planHighlight(
  highlighted: readonly HighlightedField[],
  columns: HitColumns,
): PrintHighlight {
  const printers = highlighted.map(({ field, options, kind, tests }) => {
    const read = columns.add(field.expr);
    const fragments = fragmenter(matchFinder(tests, kind), options);
    return (cells: Cells): string => {
      const found = fragments(valuesOf(read(cells)));
      return found.length === 0 ? '' : `${JSON.stringify(field.name)}:${JSON.stringify(found)}`;
    };
  });
  return (cells) => {
    const members = printers.map((print) => print(cells)).filter((member) => member !== '');
    return members.length === 0 ? '' : `{${members.join(',')}}`;
  };
}

const valuesOf = (cell: Cell): readonly string[] =>
  (Array.isArray(cell) ? cell : [cell]).filter((value) => typeof value === 'string');

function fragmenter(
  find: ReturnType<typeof matchFinder>,
  options: HighlightOptions,
): (values: readonly string[]) => readonly string[] {
  const { numberOfFragments: number, byScore } = options;
  const limit = number === 0 ? Infinity : number;
  return (values) => {
    const searched = values.map((value) => ({
      value,
      matches: find(value),
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
