import type { Field, FieldType } from '../../clickhouse/catalog/table';
import { call, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { unsupported } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { stringOf } from '../values/field-value';
import { parseIp, printFullIpv6 } from '../values/ip-value';
import type { Level } from './definition';
import { eachValue, epochMillis } from './instants';
import { missingNumber } from './missing-value';
import { substituted } from './numeric-values';
import { asShardArgument } from './plain-error';

/** The values of a field as buckets tell them apart: dates are epoch ms. */
export interface TypedValues {
  /** One value, NULL where there is none; of a multi-valued field an array. */
  readonly expr: Expr;
  readonly multiValued: boolean;
  /** Whether every document has one value: `expr` is never NULL. */
  readonly always?: boolean;
  /** How values are printed: a fraction in place of missing integers makes all of them doubles. */
  readonly type: FieldType;
  /** What stands in place of none; absent: nothing does. */
  readonly missing?: Expr;
}

/** What a level of buckets is told apart by: each of a document's values, or of those of them that `expr` leaves; equal ones once. */
export const keysOfValues = (
  { multiValued }: TypedValues,
  expr: Expr,
): Pick<Level, 'key' | 'keys'> => ({
  key: multiValued ? call('arrayDistinct', expr) : expr,
  keys: multiValued ? 'expanded' : 'single',
});

interface TypedContext {
  readonly now: number;
  /** Of dates. */
  readonly format?: string | undefined;
}

/**
 * A field's values, with `missing` in place of none; undefined for an unmapped field without it. Throws Elasticsearch's errors
 * for a `missing` that the field's type cannot be (`MissingValues`, 7.17).
 */
export function typedValues(
  field: Field | undefined,
  missing: JsonValue | undefined,
  context: TypedContext,
): TypedValues | undefined {
  if (missing === undefined) return field && ownValues(field);
  if (!field) return unmappedValues(missing);
  const { expr, type, convert } = substitute(field, missing, context);
  const values = eachValue(field, (value) => (convert ? convert(value) : value));
  return {
    expr: substituted(values, expr, field),
    type,
    missing: expr,
    multiValued: field.multiValued,
  };
}

const ownValues = (field: Field): TypedValues => ({
  expr: eachValue(field, (value) => (field.time ? epochMillis(value, field.time) : value)),
  type: field.type,
  multiValued: field.multiValued,
  always: !field.multiValued && !field.nullable,
});

/** All documents have the value; its kind is that of the JSON. */
const unmappedValues = (missing: JsonValue): TypedValues => ({
  expr: param(stringOf(missing), 'String'),
  type: 'keyword',
  multiValued: false,
});

interface Substitute {
  readonly expr: Expr;
  readonly type: FieldType;
  /** Makes the field's values comparable to it. */
  readonly convert?: (value: Expr) => Expr;
}

function substitute(field: Field, missing: JsonValue, context: TypedContext): Substitute {
  const { type, time } = field;
  switch (type) {
    case 'keyword':
      return { expr: param(stringOf(missing), 'String'), type };
    case 'ip':
      return {
        expr: param(printFullIpv6(asShardArgument(() => parseIp(stringOf(missing)))), 'IPv6'),
        type,
        ...(field.valueType.name === 'IPv4' && { convert: (value) => call('toIPv6', value) }),
      };
    case 'boolean':
      return {
        // any number counts as a value of its own
        expr: param(Math.trunc(missingNumber(missing, field, context)), 'Int64'),
        type,
        convert: (value) => call('toInt64', value),
      };
    case 'date':
    case 'date_nanos':
      return {
        expr: param(Math.trunc(missingNumber(missing, field, context)), 'Int64'),
        type,
        ...(time && { convert: (value: Expr) => epochMillis(value, time) }),
      };
    default:
      return numberSubstitute(field, missing, context);
  }
}

function numberSubstitute(field: Field, missing: JsonValue, context: TypedContext): Substitute {
  const number = missingNumber(missing, field, context);
  const isInteger = field.type !== 'double' && field.type !== 'float' && Number.isInteger(number);
  if (!isInteger)
    return {
      expr: param(number, 'Float64'),
      type: 'double',
      convert: (value) => call('toFloat64', value),
    };
  const isUnsigned = field.type === 'unsigned_long';
  if (isUnsigned && number < 0)
    throw unsupported(`a negative [missing] of the unsigned field [${field.name}]`);
  const integerType = isUnsigned ? 'UInt64' : 'Int64';
  return {
    expr: param(typeof missing === 'bigint' ? missing : number, integerType),
    type: field.type,
    convert: (value) => call(`to${integerType}`, value),
  };
}
