import { alwaysFalse, alwaysTrue, binary, call, eq } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { unsupported } from '../../common/errors/catalogue';
import type { BinaryOperator, CastType } from './nodes';
import { asDouble, isNumeric, nothing, ofType, type TypedExpr } from './typed-expr';

type Arithmetic = '+' | '-' | '*' | '/' | '%';
type Comparison = '<' | '<=' | '>' | '>=';

const comparisons: readonly BinaryOperator[] = ['<', '<=', '>', '>='];

/** A binary operation with Java's numeric promotion. Refuses by name what could fail for one document and not for another. */
export function operateTyped(
  operator: BinaryOperator,
  left: TypedExpr,
  right: TypedExpr,
): TypedExpr {
  if (operator === '==') return ofType('boolean', equal(left, right));
  if (operator === '!=') return ofType('boolean', call('not', equal(left, right)));
  if (comparisons.includes(operator))
    return ofType('boolean', compare(operator as Comparison, left, right));
  return calculate(operator as Arithmetic, left, right);
}

/** Values of different types are never equal, but numbers. */
function equal(left: TypedExpr, right: TypedExpr): Expr {
  if (isNumeric(left) && isNumeric(right)) {
    const [a, b] = promoted(left, right);
    return eq(a, b);
  }
  if (left.type === 'null' && right.type === 'null') return alwaysTrue;
  if (left.type !== right.type) return alwaysFalse;
  return eq(left.expr, right.expr);
}

/** What a double is compared with is a double. */
const promoted = (left: TypedExpr, right: TypedExpr): readonly [Expr, Expr] =>
  left.type === 'double' || right.type === 'double'
    ? [asDouble(left), asDouble(right)]
    : [left.expr, right.expr];

function compare(operator: Comparison, left: TypedExpr, right: TypedExpr): Expr {
  if (!isNumeric(left) || !isNumeric(right))
    throw unsupported(`[${operator}] of ${left.type} and ${right.type} in a script`);
  const [a, b] = promoted(left, right);
  return binary(operator, a, b);
}

function calculate(operator: Arithmetic, left: TypedExpr, right: TypedExpr): TypedExpr {
  if (operator === '+' && left.type === 'string' && right.type === 'string')
    return ofType('string', call('concat', left.expr, right.expr));
  if (!isNumeric(left) || !isNumeric(right))
    throw unsupported(`[${operator}] of ${left.type} and ${right.type} in a script`);
  if (left.type === 'double' || right.type === 'double') {
    if (operator === '%') throw unsupported('[%] of doubles in a script');
    return ofType('double', binary(operator, asDouble(left), asDouble(right)));
  }
  const result = integers(operator, left.expr, right.expr);
  return left.type === 'int' && right.type === 'int'
    ? ofType('int', call('toInt32', result))
    : ofType('long', call('toInt64', result));
}

function integers(operator: Arithmetic, left: Expr, right: Expr): Expr {
  if (operator !== '/' && operator !== '%') return binary(operator, left, right);
  // Java divides towards zero, and fails where a document has a zero there
  if (right.kind !== 'param' || Number(right.value) === 0)
    throw unsupported(`[${operator}] of integers by what may be zero in a script`);
  return call(operator === '/' ? 'intDiv' : 'modulo', left, right);
}

/** A number with its sign changed. */
export function negateTyped(value: TypedExpr): TypedExpr {
  if (!isNumeric(value)) throw unsupported(`[-] of a ${value.type} in a script`);
  const negative = call('negate', value.expr);
  if (value.type === 'double') return ofType('double', negative);
  return ofType(value.type, call(value.type === 'int' ? 'toInt32' : 'toInt64', negative));
}

/** Java's cast, where it loses nothing. */
export function castTyped(type: CastType, value: TypedExpr): TypedExpr {
  if (type === 'double') return ofType('double', asDouble(value));
  if (value.type === type) return value;
  if (type === 'long' && value.type === 'int') return ofType('long', call('toInt64', value.expr));
  throw unsupported(`a cast of ${value.type} to ${type} in a script`);
}

/** One of two values, by a condition. Refuses two types that are not both numbers. */
export function chooseTyped(condition: Expr, then: TypedExpr, otherwise: TypedExpr): TypedExpr {
  const choice = (a: Expr, b: Expr): Expr => call('if', condition, a, b);
  if (then.type === 'null' && otherwise.type === 'null') return nothing;
  if (then.type === otherwise.type) return ofType(then.type, choice(then.expr, otherwise.expr));
  if (then.type === 'null' || otherwise.type === 'null')
    return ofType(
      then.type === 'null' ? otherwise.type : then.type,
      choice(then.expr, otherwise.expr),
    );
  if (!isNumeric(then) || !isNumeric(otherwise))
    throw unsupported(`a ${then.type} or a ${otherwise.type} as one value in a script`);
  if (then.type !== 'double' && otherwise.type !== 'double')
    return ofType('long', choice(call('toInt64', then.expr), call('toInt64', otherwise.expr)));
  return ofType('double', choice(asDouble(then), asDouble(otherwise)));
}
