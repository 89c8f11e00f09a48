import type { Field, TimeEncoding } from '../../clickhouse/catalog/table';
import { binary, call, column, integer, lambda, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';

const msPerDay = 86_400_000;

/** One value of a time field as epoch ms (Int64); finer parts are cut off downwards, before 1970 too. */
export function epochMillis(value: Expr, time: TimeEncoding): Expr {
  switch (time.kind) {
    case 'date':
      return binary('*', call('toInt64', value), integer(msPerDay));
    case 'datetime':
      return binary('*', call('toInt64', value), integer(1000));
    case 'datetime64':
      return ofDateTime64(value, time.precision);
    case 'epoch':
      return ofEpoch(call('toInt64', value), time.unit);
  }
}

function ofDateTime64(value: Expr, precision: number): Expr {
  if (precision <= 3) return call('toUnixTimestamp64Milli', value);
  return precision <= 6
    ? floored(call('toUnixTimestamp64Micro', value), 1000)
    : floored(call('toUnixTimestamp64Nano', value), 1_000_000);
}

function ofEpoch(value: Expr, unit: 's' | 'ms' | 'us' | 'ns'): Expr {
  if (unit === 's') return binary('*', value, integer(1000));
  if (unit === 'ms') return value;
  return floored(value, unit === 'us' ? 1000 : 1_000_000);
}

/** Division that floors: intDiv alone cuts towards zero. */
const floored = (value: Expr, divisor: number): Expr =>
  call(
    'intDiv',
    binary('-', value, call('positiveModulo', value, integer(divisor))),
    integer(divisor),
  );

/**
 * Applies a function to a field's value, or to each value of a multi-valued field. It never sees a
 * NULL: not every function of ClickHouse takes one (`transform`); a missing value stays NULL.
 */
export function eachValue(field: Field, apply: (value: Expr) => Expr): Expr {
  if (!field.multiValued) return field.nullable ? ofPresent(field.expr, apply) : apply(field.expr);
  const applied = apply(column('x'));
  if (applied.kind === 'column') return field.expr;
  return call('arrayMap', lambda('x', applied), field.expr);
}

function ofPresent(value: Expr, apply: (value: Expr) => Expr): Expr {
  const present = call('assumeNotNull', value);
  const applied = apply(present);
  return applied === present
    ? value
    : call('if', call('isNotNull', value), applied, param(null, 'Nullable(Nothing)'));
}
