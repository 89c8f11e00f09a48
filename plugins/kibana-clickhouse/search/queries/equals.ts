import type { Field } from '../../clickhouse/catalog/table';
import {
  alwaysFalse,
  alwaysTrue,
  and,
  binary,
  call,
  eq,
  isAlwaysFalse,
  isAlwaysTrue,
  param,
} from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { failedQuery, queryShardError } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { JsonValue } from '../../common/json/json';
import { type NanosSpan, dateSpan, inSpan } from '../values/date-bound';
import { type FieldValue, fieldValue, rawValue, stringOf } from '../values/field-value';
import {
  type IpRange,
  ipv4Part,
  parseIpOrBlock,
  printFullIpv6,
  printIpv4,
} from '../values/ip-value';
import type { QueryContext } from './definition';
import { anyOf, anyValue } from './queried-field';
import { isZero, zeroSign } from './signed-zeros';
import { equalsText } from './text/text-term';

/**
 * True where any value of the field equals one of a request: exactly for keyword fields and numbers,
 * within the span that a date string names, within a CIDR block for addresses, and for text as
 * `textSearch` has it.
 */
export function equalsValue(field: Field, value: JsonValue, context: QueryContext): Expr {
  switch (field.type) {
    case 'date':
    case 'date_nanos':
      return equalsDate(field, value, context);
    case 'ip':
      return inIpRange(field, parseIpOrBlock(stringOf(value)));
    case 'text':
      return equalsText(field, stringOf(value), context);
    case 'geo_point':
      throw failedQuery(
        `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${field.name}]`,
      );
    default:
      if (field.type === 'keyword')
        context.seek?.({
          field: field.name,
          test: { kind: 'equal', text: stringOf(value), folds: false },
        });
      return equalsExactly(field, value);
  }
}

function equalsExactly(field: Field, value: JsonValue): Expr {
  const sign = zeroSign(field, value);
  if (sign !== undefined) return anyValue(field, (one) => isZero(one, sign));
  const raw = field.raw && rawValue(field.raw.type, value);
  if (field.raw && raw !== undefined) return equalsAny(field.multiValued, field.raw.expr, raw);
  return equalsAny(field.multiValued, field.expr, fieldValue(field, value));
}

function equalsAny(multiValued: boolean, expr: Expr, value: FieldValue): Expr {
  if (value === 'none') return alwaysFalse;
  if (!multiValued) return eq(expr, value);
  // has() does not find '' in an Array(LowCardinality(String)) (ClickHouse 26.7)
  const isEmpty = value.kind === 'param' && value.value === '';
  return isEmpty ? anyOf(true, expr, (one) => eq(one, value)) : call('has', expr, value);
}

const equalsDate = (field: Field, value: JsonValue, context: QueryContext): Expr =>
  present(field, anyTest(field, inSpan(field, spanOfDate(field, value, context))));

/**
 * The span that a date means in `term`: Elasticsearch reads the string as both ends of a range, `2024` is the first of January
 * 2024. Throws its error for what is no date.
 */
export function spanOfDate(field: Field, value: JsonValue, { now }: QueryContext): NanosSpan {
  try {
    return dateSpan(field, { gte: value, lte: value }, { now });
  } catch (error) {
    if (error instanceof ElasticsearchError && error.phase === 'shard')
      throw queryShardError(`failed to create query: ${error.message}`, [
        { type: error.type, reason: error.message },
        ...error.causes,
      ]);
    throw error;
  }
}

/** A test over the values that may be the same for all of them. */
export function anyTest(field: Field, test: (value: Expr) => Expr): Expr {
  const probe = test(field.expr);
  return isAlwaysTrue(probe) || isAlwaysFalse(probe) ? probe : anyValue(field, test);
}

/** A condition that is always true still needs a value to be there. */
export const present = (field: Field, condition: Expr): Expr =>
  isAlwaysTrue(condition) ? hasValue(field) : condition;

/** True where the field has a value: NULL and empty arrays are missing, empty strings are not. */
export function hasValue(field: Field): Expr {
  if (field.multiValued) return call('notEmpty', field.expr);
  if (field.presence) return field.presence;
  return field.nullable ? call('isNotNull', field.expr) : alwaysTrue;
}

/** The addresses of an ip field within a range of 128-bit addresses. */
export function inIpRange(field: Field, range: IpRange): Expr {
  const isV4 = field.valueType.name === 'IPv4';
  const within = isV4 ? ipv4Part(range) : range;
  if (within === undefined || within.from > within.to) return alwaysFalse;
  const address = (value: bigint): Expr =>
    isV4 ? param(printIpv4(value), 'IPv4') : param(printFullIpv6(value), 'IPv6');
  const { from, to } = within;
  if (from === to) return equalsAny(field.multiValued, field.expr, address(from));
  return anyValue(field, (value) =>
    and([binary('>=', value, address(from)), binary('<=', value, address(to))]),
  );
}
