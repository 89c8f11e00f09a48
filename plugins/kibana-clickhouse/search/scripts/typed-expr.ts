import { call, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { unsupported } from '../../common/errors/catalogue';
import { isInt, type ScriptValue } from './values';

/** Java's types, as far as scripts over documents have them. `date`: ms since 1970. `weekday`: 1, Monday, to 7. */
export type ScriptType =
  | 'boolean'
  | 'date'
  | 'double'
  | 'instant'
  | 'int'
  | 'long'
  | 'null'
  | 'point'
  | 'string'
  | 'weekday';

/** A part of a script as SQL. NULL where it reads a value that a document has not. */
export interface TypedExpr {
  readonly type: ScriptType;
  readonly expr: Expr;
}

export const ofType = (type: ScriptType, expr: Expr): TypedExpr => ({ type, expr });

export const nothing: TypedExpr = ofType('null', param(null, 'Nullable(Nothing)'));

/** A literal or a parameter of a script. Refuses lists and objects. */
export function constant(value: ScriptValue): TypedExpr {
  if (value === null) return nothing;
  if (typeof value === 'boolean') return ofType('boolean', param(value, 'Bool'));
  if (typeof value === 'string') return ofType('string', param(value, 'String'));
  if (typeof value === 'bigint') return ofType('long', param(value, 'Int64'));
  if (typeof value === 'number') return ofType('double', param(value, 'Float64'));
  if (isInt(value)) return ofType('int', param(value.int, 'Int32'));
  throw unsupported('a list or an object in a script');
}

export const isNumeric = ({ type }: TypedExpr): boolean =>
  type === 'int' || type === 'long' || type === 'double';

/** A number as a double; refuses all else. */
export function asDouble(value: TypedExpr): Expr {
  if (!isNumeric(value)) throw unsupported(`a ${value.type} for a number in a script`);
  return value.type === 'double' ? value.expr : call('toFloat64', value.expr);
}

/** Refuses what is no boolean. */
export function asBoolean({ type, expr }: TypedExpr): Expr {
  if (type !== 'boolean') throw unsupported(`a ${type} for a boolean in a script`);
  return expr;
}
