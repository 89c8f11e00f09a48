import { binary, call, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { lastStep } from '../../values/geo-steps';

/** Number of the step, from -2^31 on, in which degrees lie; the last one has no end. */
export const stepOf = (degrees: Expr, step: number): Expr =>
  call(
    'least',
    call('floor', binary('/', degrees, param(step, 'Float64'))),
    param(lastStep, 'Float64'),
  );

/** Degrees as Elasticsearch keeps them: the lower edge of the step of 32 bits. */
export const keptDegrees = (degrees: Expr, step: number): Expr =>
  binary('*', stepOf(degrees, step), param(step, 'Float64'));
