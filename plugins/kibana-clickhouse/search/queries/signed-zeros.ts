import type { Field } from '../../clickhouse/catalog/table';
import { and, binary, call, eq, not, or, param } from '../../clickhouse/sql/build';
import type { BinaryOperator, Expr } from '../../clickhouse/sql/nodes';
import type { JsonValue } from '../../common/json/json';
import { parseNumber } from '../values/number-value';

export type Sign = 'negative' | 'positive';

/**
 * The sign of a request's value for a float or a double where it is a zero, else undefined. Elasticsearch has -0.0 below 0.0
 * (Lucene 8.11 `DoublePoint`); ClickHouse takes them for equal.
 */
export function zeroSign({ type }: Field, value: JsonValue): Sign | undefined {
  if (type !== 'float' && type !== 'double') return undefined;
  const { double } = parseNumber(value);
  const stored = type === 'float' ? Math.fround(double) : double;
  if (stored !== 0) return undefined;
  return Object.is(stored, -0) ? 'negative' : 'positive';
}

const zero = param(0, 'Float64');

/** True for the zero of that sign: of 1 divided by it, which is infinite, the sign can be told. */
export const isZero = (value: Expr, sign: Sign): Expr =>
  and([
    eq(value, zero),
    binary(sign === 'negative' ? '<' : '>', call('divide', param(1, 'Float64'), value), zero),
  ]);

/** `value < 0.0` and its like, with the zeros in Elasticsearch's order. */
export function comparedWithZero(operator: BinaryOperator, value: Expr, sign: Sign): Expr {
  const isNegative = sign === 'negative';
  switch (operator) {
    case '>=':
      return isNegative ? binary('>=', value, zero) : above(value);
    case '>':
      return isNegative ? above(value) : binary('>', value, zero);
    case '<=':
      return isNegative
        ? or([binary('<', value, zero), isZero(value, 'negative')])
        : binary('<=', value, zero);
    default:
      return isNegative
        ? binary('<', value, zero)
        : or([binary('<', value, zero), isZero(value, 'negative')]);
  }
}

/** Above -0.0. */
const above = (value: Expr): Expr =>
  and([binary('>=', value, zero), not(isZero(value, 'negative'))]);
