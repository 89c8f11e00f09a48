import { binary, call, column, lambda } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import type { Cell } from '../../../clickhouse/execution/executor';
import type { ColumnScaling } from '../definition';
import { numberCell } from '../value-text';
import { type NumericValues, overValues } from '../numeric-values';

/** What `stats` and `extended_stats` are computed from. */
export interface Sums {
  /** Of sampled rows an estimate, with a fraction. */
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
}

/** The aggregates of `Sums`, in their order. */
export const sumColumns = (values: NumericValues): readonly Expr[] => [
  overValues('count', values),
  overValues('minOrNull', values),
  overValues('maxOrNull', values),
  overValues('sumKahanOrNull', values),
];

/** The sum of the squares, as an aggregate. */
export const squareColumn = (values: NumericValues): Expr =>
  overValues('sumKahanOrNull', { ...values, numbers: squares(values) });

function squares({ numbers, multiValued }: NumericValues): Expr {
  const x = column('x');
  return multiValued
    ? call('arrayMap', lambda('x', binary('*', x, x)), numbers)
    : binary('*', numbers, numbers);
}

/** What sampling does to `sumColumns`: the count keeps its fraction, so that means and variances are those of the rows read. */
export const sumScaling: readonly ColumnScaling[] = ['sum', 'value', 'value', 'sum'];

/** Reads `sumColumns`; without values the count is 0. */
export const readSums = (cells: readonly (Cell | undefined)[]): Sums => ({
  count: Number(cells[0] ?? 0),
  min: numberCell(cells[1]),
  max: numberCell(cells[2]),
  sum: numberCell(cells[3]),
});
