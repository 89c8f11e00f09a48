import {
  array,
  binary,
  call,
  column,
  integer,
  lambda,
  param,
  tuple,
} from '../../../clickhouse/sql/build';
import type { BinaryOperator, Expr } from '../../../clickhouse/sql/nodes';
import type { NumericValues } from '../numeric-values';

/*
 * Elasticsearch 7.17 estimates percentiles by a TDigest of compression 100. Of up to about 250 values it is exact: the value at
 * position p/100·n - 0.5 of the sorted ones, linear between its neighbours. So are these up to `exactValues`; beyond, both
 * are estimates within half a percent of the rank: here ClickHouse's `quantilesGK` (Greenwald and Khanna), whose error is
 * 1/`accuracy` of the rank and whose results are values that occur.
 */

const exactValues = 1000;
const accuracy = 1000;

const number = (value: number): Expr => param(value, 'Float64');
const op = (operator: BinaryOperator, left: Expr, right: Expr): Expr =>
  binary(operator, left, right);

const over = (
  { numbers, multiValued }: NumericValues,
  fn: string,
  parameters: readonly Expr[] = [],
): Expr => ({
  kind: 'aggregate',
  fn: multiValued ? `${fn}Array` : fn,
  args: [numbers],
  ...(parameters.length > 0 && { parameters }),
});

const countOf = (values: NumericValues): Expr => over(values, 'count');

/** The first values of a bucket, sorted; all of them where there are no more than `exactValues`. */
const sortedValues = (values: NumericValues): Expr =>
  call('arraySort', over(values, 'groupArray', [integer(exactValues)]));

/** The percentiles of a bucket, in the order of `percents`; NULL without values. */
export function percentileColumns(
  values: NumericValues,
  percents: readonly number[],
): readonly Expr[] {
  const levels = percents.map((percent) => number(percent / 100));
  const estimates = over(values, 'quantilesGK', [integer(accuracy), ...levels]);
  return percents.map((percent, i) =>
    smallOrLarge(values, {
      small: atPosition(sortedValues(values), percent),
      large: call('arrayElement', estimates, integer(i + 1)),
    }),
  );
}

function smallOrLarge(
  values: NumericValues,
  { small, large }: { readonly small: Expr; readonly large: Expr },
): Expr {
  const count = countOf(values);
  return call(
    'multiIf',
    op('=', count, integer(0)),
    param(null, 'Nullable(Float64)'),
    op('<=', count, integer(exactValues)),
    small,
    large,
  );
}

/** An expression under a name: a statement with each of its uses written out would be too long. */
const bound = (name: string, value: Expr, body: (bound: Expr) => Expr): Expr =>
  call(
    'arrayElement',
    call('arrayMap', lambda(name, body(column(name))), array([value])),
    integer(1),
  );

/** The value at a percentage of a sorted array, by Elasticsearch's rule. */
const atPosition = (sorted: Expr, percent: number): Expr =>
  bound('sorted', sorted, (values) => {
    const size = call('toFloat64', call('length', values));
    const last = op('-', size, integer(1));
    const wanted = op('-', op('*', size, number(percent / 100)), number(0.5));
    const inside = call('greatest', call('least', wanted, last), number(0));
    return bound('position', inside, (position) => between(values, position));
  });

/** The value at a position from 0 on, linear between two elements. */
function between(values: Expr, position: Expr): Expr {
  const at = (index: Expr): Expr =>
    call('arrayElement', values, call('toUInt32', op('+', index, integer(1))));
  const [low, high] = [at(call('floor', position)), at(call('ceil', position))];
  const share = op('-', position, call('floor', position));
  return op('+', low, op('*', op('-', high, low), share));
}

/** The value that at least that percentage of the values does not exceed: of a histogram of ranges (HDR). */
export function nearestRankColumns(
  values: NumericValues,
  percents: readonly number[],
): readonly Expr[] {
  const levels = percents.map((percent) => number(percent / 100));
  const estimates = over(values, 'quantilesGK', [integer(accuracy), ...levels]);
  const sorted = sortedValues(values);
  const size = call('length', sorted);
  return percents.map((percent, i) => {
    const rank = call('ceil', op('*', call('toFloat64', size), number(percent / 100)));
    const index = call('toUInt32', call('greatest', rank, integer(1)));
    return smallOrLarge(values, {
      small: call('arrayElement', sorted, index),
      large: call('arrayElement', estimates, integer(i + 1)),
    });
  });
}

/** Levels that stand for the values of a large bucket, half a percent apart. */
const grid: readonly number[] = Array.from({ length: 200 }, (_, i) => (i + 0.5) / 200);

/** The median distance of the values from their median; NULL without values. */
export function medianDeviationColumn(values: NumericValues): Expr {
  const estimates = over(values, 'quantilesGK', [integer(accuracy), ...grid.map(number)]);
  return smallOrLarge(values, {
    small: medianDistance(sortedValues(values)),
    large: medianDistance(estimates),
  });
}

const medianDistance = (sorted: Expr): Expr =>
  bound('all', sorted, (values) =>
    bound('median', atPosition(values, 50), (median) => {
      const distance = call('abs', op('-', column('x'), median));
      return atPosition(call('arraySort', call('arrayMap', lambda('x', distance), values)), 50);
    }),
  );

/**
 * The percentage of the values that are not above each of `wanted`, as Elasticsearch's TDigest counts them as long as it is
 * exact: with n sorted values v1…vn and the middles m_i of v_i and v_i+1, it is i/n at m_i and linear between; NULL without
 * values. Exact for any number of values: only the two neighbours on either side are looked at.
 */
export function rankColumns(values: NumericValues, wanted: readonly number[]): readonly Expr[] {
  return wanted.map((value) => rankColumn(values, value));
}

function rankColumn(values: NumericValues, wanted: number): Expr {
  const upTo = those(values, '<=', wanted);
  const parts = [
    call('toFloat64', countOf(values)),
    call('toFloat64', countOf(upTo)),
    nearest(values),
    // the largest values up to the wanted one, and the smallest above it
    call('arrayMap', lambda('x', call('negate', column('x'))), nearest(negated(upTo))),
    nearest(those(values, '>', wanted)),
  ];
  return bound('parts', tuple(parts), (all) => {
    const part = (i: number): Expr => call('tupleElement', all, integer(i));
    return rankOf(number(wanted), {
      count: part(1),
      upTo: part(2),
      least: part(3),
      lower: part(4),
      upper: part(5),
    });
  });
}

interface RankParts {
  readonly count: Expr;
  readonly upTo: Expr;
  readonly least: Expr;
  readonly lower: Expr;
  readonly upper: Expr;
}

function rankOf(value: Expr, { count, upTo, least, lower, upper }: RankParts): Expr {
  const at = (values: Expr, place: number): Expr => call('arrayElement', values, integer(place));
  const middle = (left: Expr, right: Expr): Expr => op('/', op('+', left, right), integer(2));
  const first = middle(at(least, 1), at(least, 2));
  const start = op('-', op('*', at(least, 1), integer(2)), first);
  const around = middle(at(lower, 1), at(upper, 1));
  const before = call('if', op('>', upTo, integer(1)), middle(at(lower, 2), at(lower, 1)), start);
  const next = middle(at(upper, 1), at(upper, 2));
  const share = (rank: Expr, from: Expr, to: Expr): Expr => {
    const part = op('/', op('-', value, from), op('-', to, from));
    return op('/', op('*', integer(100), op('+', rank, part)), count);
  };
  const [nothing, all] = [number(0), number(100)];
  return call(
    'multiIf',
    ...[op('=', count, integer(0)), param(null, 'Nullable(Float64)')],
    ...[op('=', upTo, count), all],
    ...[op('=', count, integer(1)), nothing],
    ...[
      op('=', upTo, integer(0)),
      call('if', op('<', value, start), nothing, share(nothing, start, first)),
    ],
    ...[op('<', value, around), share(op('-', upTo, integer(1)), before, around)],
    ...[op('=', upTo, op('-', count, integer(1))), all],
    share(upTo, around, next),
  );
}

/** The percentage of the values that are not above each of `wanted`, counted: of a histogram of ranges (HDR). */
export const countedRankColumns = (
  values: NumericValues,
  wanted: readonly number[],
): readonly Expr[] =>
  wanted.map((value) => {
    const n = countOf(values);
    const share = op('/', op('*', integer(100), countOf(those(values, '<=', value))), n);
    return call('if', op('=', n, integer(0)), param(null, 'Nullable(Float64)'), share);
  });

/** The values on one side of another; NULL in place of the rest. */
function those(
  { numbers, multiValued }: NumericValues,
  side: '<=' | '>',
  wanted: number,
): NumericValues {
  const x = column('x');
  const [value, nothing] = [number(wanted), param(null, 'Nullable(Float64)')];
  return {
    multiValued,
    numbers: multiValued
      ? call('arrayFilter', lambda('x', op(side, x, value)), numbers)
      : call('if', op(side, numbers, value), numbers, nothing),
  };
}

const negated = ({ numbers, multiValued }: NumericValues): NumericValues => ({
  multiValued,
  numbers: multiValued
    ? call('arrayMap', lambda('x', call('negate', column('x'))), numbers)
    : call('negate', numbers),
});

/** The two least values. */
const nearest = (values: NumericValues): Expr => over(values, 'groupArraySorted', [integer(2)]);
