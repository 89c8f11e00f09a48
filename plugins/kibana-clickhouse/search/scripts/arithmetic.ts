import type { BinaryOperator, CastType } from './nodes';
import { isInt, isNumber, type ScriptNumber, type ScriptValue, toDouble } from './values';

/** What goes wrong while a script runs: Java's exception. */
export class ScriptFault extends Error {
  readonly type:
    | 'arithmetic_exception'
    | 'class_cast_exception'
    | 'illegal_argument_exception'
    | 'null_pointer_exception';

  constructor(type: ScriptFault['type'], reason: string) {
    super(reason);
    this.type = type;
  }
}

type Arithmetic = '+' | '-' | '*' | '/' | '%';
type Comparison = '<' | '<=' | '>' | '>=';

/** A binary operation with Java's numeric promotion: int, long, double. Throws Java's exceptions for other operands. */
export function operate(
  operator: BinaryOperator,
  left: ScriptValue,
  right: ScriptValue,
): ScriptValue {
  if (operator === '==' || operator === '!=') return isEqual(left, right) === (operator === '==');
  const [a, b] = [
    numberOperand(left, operator === '+' ? 'leftObject' : 'left'),
    numberOperand(right, 'right'),
  ];
  return isComparison(operator) ? compare(operator, a, b) : calculate(operator, a, b);
}

const isComparison = (operator: BinaryOperator): operator is Comparison =>
  ['<', '<=', '>', '>='].includes(operator);

function numberOperand(value: ScriptValue, side: string): ScriptNumber {
  if (value === null)
    throw new ScriptFault(
      'null_pointer_exception',
      `Cannot invoke "Object.getClass()" because "${side}" is null`,
    );
  if (isNumber(value)) return value;
  throw new ScriptFault(
    'class_cast_exception',
    'Cannot apply an operation to a value that is no number',
  );
}

function isEqual(left: ScriptValue, right: ScriptValue): boolean {
  if (isNumber(left) && isNumber(right)) {
    const integers = [left, right].every((value) => typeof value !== 'number');
    return integers ? toLong(left) === toLong(right) : toDouble(left) === toDouble(right);
  }
  return left === right;
}

function compare(operator: Comparison, left: ScriptNumber, right: ScriptNumber): boolean {
  const isExact = typeof left !== 'number' && typeof right !== 'number';
  const [a, b] = isExact ? [toLong(left), toLong(right)] : [toDouble(left), toDouble(right)];
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

const toLong = (value: ScriptNumber): bigint =>
  BigInt(typeof value === 'bigint' ? value : Math.trunc(toDouble(value)));

function calculate(operator: Arithmetic, left: ScriptNumber, right: ScriptNumber): ScriptNumber {
  if (typeof left === 'number' || typeof right === 'number')
    return ofDoubles(operator, toDouble(left), toDouble(right));
  const result = ofLongs(operator, toLong(left), toLong(right));
  return isInt(left) && isInt(right)
    ? { int: Number(BigInt.asIntN(32, result)) }
    : BigInt.asIntN(64, result);
}

function ofDoubles(operator: Arithmetic, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
  }
}

function ofLongs(operator: Arithmetic, a: bigint, b: bigint): bigint {
  if (b === 0n && (operator === '/' || operator === '%'))
    throw new ScriptFault('arithmetic_exception', '/ by zero');
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
  }
}

/** A number with its sign changed. */
export const negate = (value: ScriptValue): ScriptNumber => {
  const number = numberOperand(value, 'args[0]');
  if (typeof number === 'number') return -number;
  return typeof number === 'bigint'
    ? BigInt.asIntN(64, -number)
    : { int: Number(BigInt.asIntN(32, -BigInt(number.int))) };
};

/** Java's cast of a number to another type. */
export function cast(type: CastType, value: ScriptValue): ScriptNumber {
  const number = numberOperand(value, 'value');
  if (type === 'double') return toDouble(number);
  const bits = type === 'int' ? 32n : 64n;
  const long = typeof number === 'number' ? saturated(number, bits) : toLong(number);
  return type === 'int' ? { int: Number(BigInt.asIntN(32, long)) } : BigInt.asIntN(64, long);
}

function saturated(value: number, bits: bigint): bigint {
  if (Number.isNaN(value)) return 0n;
  const limit = 1n << (bits - 1n);
  if (value >= Number(limit)) return limit - 1n;
  return value <= -Number(limit) ? -limit : BigInt(Math.trunc(value));
}
