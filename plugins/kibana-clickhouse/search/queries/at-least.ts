import {
  alwaysFalse,
  alwaysTrue,
  and,
  binary,
  call,
  integer,
  or,
} from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';

/** True where at least `needed` of the conditions hold; always for 0 and less. */
export function atLeast(needed: number, conditions: readonly Expr[]): Expr {
  if (needed <= 0) return alwaysTrue;
  if (needed > conditions.length) return alwaysFalse;
  if (needed === 1) return or(conditions);
  if (needed === conditions.length) return and(conditions);
  const [first, ...others] = conditions.map((condition) =>
    call('if', condition, integer(1), integer(0)),
  );
  if (first === undefined) return alwaysFalse;
  const matching = others.reduce((sum, one) => binary('+', sum, one), first);
  return binary('>=', matching, integer(needed));
}
