import type { Field } from '../../clickhouse/catalog/table';
import { alwaysFalse, and, binary, param } from '../../clickhouse/sql/build';
import type { BinaryOperator, Expr } from '../../clickhouse/sql/nodes';
import { failedQuery, unsupported } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { type NanosSpan, inSpan } from '../values/date-bound';
import { booleanOf, checkedInteger, fieldValue, floatValue, stringOf } from '../values/field-value';
import { integerRange } from '../values/integer-range';
import { parseIp } from '../values/ip-value';
import { anyTest, hasValue, inIpRange, present } from './equals';
import { comparedWithZero, zeroSign } from './signed-zeros';

/** Both ends of a range, open where undefined. */
export interface Bounds {
  readonly from?: JsonValue | undefined;
  readonly to?: JsonValue | undefined;
  readonly includeFrom: boolean;
  readonly includeTo: boolean;
}

/** True where any value of a date field lies in a span. */
export const inDates = (field: Field, span: NanosSpan): Expr =>
  present(field, anyTest(field, inSpan(field, span)));

/** True where any value of a field that is no date lies within the bounds. */
export function withinBounds(field: Field, bounds: Bounds): Expr {
  switch (field.type) {
    case 'byte':
    case 'short':
    case 'integer':
    case 'long':
    case 'unsigned_long':
      return withinIntegers(field, bounds);
    case 'float':
    case 'double':
      return betweenFloats(field, bounds);
    case 'keyword':
    case 'text':
      return withinTexts(field, bounds);
    case 'boolean':
      return withinBooleans(field, bounds);
    case 'ip':
      return withinAddresses(field, bounds);
    default:
      throw failedQuery(
        `Field [${field.name}] of type [${field.type}] does not support range queries`,
      );
  }
}

function withinTexts(field: Field, bounds: Bounds): Expr {
  if (field.unseen)
    throw unsupported(`range on field [${field.name}]: the type of its values is not known`);
  return between(field, bounds, (value) => fieldValue(field, stringOf(value)));
}

/** Numbers in their order, zeros in that of Elasticsearch. */
function betweenFloats(field: Field, { from, to, includeFrom, includeTo }: Bounds): Expr {
  const compare = (
    operator: BinaryOperator,
    bound: JsonValue | undefined,
  ): readonly ((value: Expr) => Expr)[] => {
    if (bound === undefined) return [];
    const read = floatValue(field, bound);
    const sign = zeroSign(field, bound);
    return [
      (value) =>
        sign === undefined
          ? binary(operator, value, read)
          : comparedWithZero(operator, value, sign),
    ];
  };
  const tests = [
    ...compare(includeFrom ? '>=' : '>', from),
    ...compare(includeTo ? '<=' : '<', to),
  ];
  return anyTest(field, (value) => and(tests.map((test) => test(value))));
}

type ReadBound = (value: JsonValue) => Expr | 'none';

/** Comparison in the order of the type: of numbers, or of bytes for strings. */
function between(field: Field, bounds: Bounds, read: ReadBound): Expr {
  const { from, to, includeFrom, includeTo } = bounds;
  const lower = from === undefined ? undefined : read(from);
  const upper = to === undefined ? undefined : read(to);
  if (lower === 'none' || upper === 'none') return alwaysFalse;
  const compare = (operator: BinaryOperator, bound: Expr | undefined, value: Expr): Expr[] =>
    bound === undefined ? [] : [binary(operator, value, bound)];
  return anyTest(field, (value) =>
    and([
      ...compare(includeFrom ? '>=' : '>', lower, value),
      ...compare(includeTo ? '<=' : '<', upper, value),
    ]),
  );
}

/** A bound of 1.5 rounds inwards; one outside of the column's type is open, or lets nothing through. */
function withinIntegers(field: Field, { from, to, includeFrom, includeTo }: Bounds): Expr {
  const type = field.valueType.name;
  const limits = integerRange(type);
  if (limits === undefined) return alwaysFalse;
  const least = from === undefined ? limits.least : firstInteger(field, from, includeFrom);
  // nothing is above: the upper bound is not read then (Elasticsearch 7.17 NumberFieldMapper.longRangeQuery)
  if (least > largestOf(field)) return alwaysFalse;
  const most = to === undefined ? limits.most : lastInteger(field, to, includeTo);
  if (least > most || least > limits.most || most < limits.least) return alwaysFalse;
  const test = (value: Expr): Expr =>
    and([
      ...(least > limits.least ? [binary('>=', value, param(least, type))] : []),
      ...(most < limits.most ? [binary('<=', value, param(most, type))] : []),
    ]);
  return present(field, anyTest(field, test));
}

/** The largest value of the type that Elasticsearch compares an integer field by. */
function largestOf({ type }: Field): bigint {
  if (type === 'unsigned_long') return (1n << 64n) - 1n;
  return type === 'long' ? (1n << 63n) - 1n : (1n << 31n) - 1n;
}

function firstInteger(field: Field, value: JsonValue, include: boolean): bigint {
  const { floor, whole } = checkedInteger(field, value);
  return whole && include ? floor : floor + 1n;
}

function lastInteger(field: Field, value: JsonValue, include: boolean): bigint {
  const { floor, whole } = checkedInteger(field, value);
  return whole && !include ? floor - 1n : floor;
}

/** false comes before true. */
function withinBooleans(field: Field, { from, to, includeFrom, includeTo }: Bounds): Expr {
  const lower = from === undefined ? 0 : Number(booleanOf(from)) + (includeFrom ? 0 : 1);
  const upper = to === undefined ? 1 : Number(booleanOf(to)) - (includeTo ? 0 : 1);
  if (lower > upper || lower > 1 || upper < 0) return alwaysFalse;
  if (lower === 0 && upper === 1) return hasValue(field);
  return anyTest(field, (value) => binary('=', value, param(lower === 1, 'Bool')));
}

const lastAddress = (1n << 128n) - 1n;

function withinAddresses(field: Field, { from, to, includeFrom, includeTo }: Bounds): Expr {
  const lower = from === undefined ? 0n : parseIp(stringOf(from)) + (includeFrom ? 0n : 1n);
  const upper = to === undefined ? lastAddress : parseIp(stringOf(to)) - (includeTo ? 0n : 1n);
  return lower > upper ? alwaysFalse : inIpRange(field, { from: lower, to: upper });
}
