import type { Field, FieldType } from '../../clickhouse/catalog/table';
import {
  alwaysFalse,
  alwaysTrue,
  and,
  binary,
  call,
  eq,
  or,
  param,
} from '../../clickhouse/sql/build';
import type { Expr, OrderBy } from '../../clickhouse/sql/nodes';
import { dateParseError, shardIllegalArgument } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { JsonValue } from '../../common/json/json';
import { writeJson } from '../../common/json/write-json';
import { isUnpaired } from '../queries/text/string-values';
import type { FieldSortKey } from '../request/search-request';
import { toEpochNanos } from '../values/calendar';
import { formatOf, inSpan, type NanosSpan, parseDateBound } from '../values/date-bound';
import { shardDateFormat } from '../values/date-format';
import { stringOf } from '../values/field-value';
import { parseIp, printFullIpv6 } from '../values/ip-value';
import { parseNumber } from '../values/number-value';

/** Which rows stand where in the order of one key, as seen from a value of it. */
export interface KeyPlace {
  /** Rows behind the value. */
  readonly behind: Expr;
  /** Rows at the value. */
  readonly at: Expr;
}

/** A key that orders rows by a field. */
export interface PlacedKey {
  readonly key: FieldSortKey;
  /** What is compared; NULL (and nothing else) where the row has no value. */
  readonly orderBy: OrderBy;
  readonly type: FieldType;
  readonly field: Field;
  /** Whether a date is compared as its column counts time; else as the number of ms or ns that it sorts as. */
  readonly isTime: boolean;
  /** JSON text of the sort value of rows without one; absent where `orderBy` gives them one. */
  readonly gap?: string;
}

/**
 * The place of a value of `search_after` in the order of a field. It is read as Elasticsearch 7.17 does (SearchAfterBuilder): a
 * sort value as printed, a number as text, a date in the key's or the field's format. A value that stands for a missing one is
 * one. Throws a 400 of a shard for what cannot be read; also for null where Elasticsearch ends with a 500.
 */
export function placeOf(placed: PlacedKey, value: JsonValue): KeyPlace {
  const { orderBy, gap } = placed;
  const isLast = orderBy.nulls !== 'FIRST';
  if (gap !== undefined && isSame(value, gap)) {
    const behind = isLast ? alwaysFalse : call('isNotNull', orderBy.expr);
    return { behind, at: call('isNull', orderBy.expr) };
  }
  const place = valuePlace(placed, value);
  if (gap === undefined || !isLast) return place;
  return { ...place, behind: or([place.behind, call('isNull', orderBy.expr)]) };
}

/** The place of a value among rows that all have none: `gap` is the JSON text of their sort value. */
export function placeAmongGaps(key: FieldSortKey, gap: string, value: JsonValue): KeyPlace {
  if (isSame(value, gap)) return { behind: alwaysFalse, at: alwaysTrue };
  const isBehind =
    key.missing.kind === 'value'
      ? isLess(value, key.missing.value) === (key.order === 'asc')
      : key.missing.kind === 'last';
  return { behind: isBehind ? alwaysTrue : alwaysFalse, at: alwaysFalse };
}

const isLess = (a: JsonValue, b: JsonValue): boolean =>
  isNumeric(a) && isNumeric(b) ? Number(a) < Number(b) : stringOf(a) < stringOf(b);

const isNumeric = (value: JsonValue): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'string' && /^-?\d+$/.test(value));

/** Whether a value is the one printed, as it is or as text; numbers beyond a long are its end, as clients round them. */
const isSame = (value: JsonValue, printed: string): boolean =>
  writeJson(value) === printed ||
  (isNumeric(value) && isNumeric(printed) && limited(truncated(value, null)) === BigInt(printed));

function valuePlace(placed: PlacedKey, value: JsonValue): KeyPlace {
  const { type, orderBy, key } = placed;
  switch (type) {
    case 'keyword':
    case 'text':
      return numberPlace(orderBy, param(textOf(value, key), 'String'));
    case 'ip':
      return numberPlace(
        { ...orderBy, expr: call('toIPv6', orderBy.expr) },
        call('toIPv6', param(addressOf(value, key), 'String')),
      );
    case 'double':
      return numberPlace(orderBy, param(doubleOf(value, key.field), 'Float64'));
    case 'float':
      return numberPlace(orderBy, param(Math.fround(doubleOf(value, key.field)), 'Float32'));
    case 'date':
    case 'date_nanos':
      return datePlace(placed, value);
    default:
      return numberPlace(orderBy, integerParam(integerOf(value, type, key), type));
  }
}

/** The place of a value that is compared as it is. */
export function numberPlace({ expr, direction }: OrderBy, value: Expr): KeyPlace {
  return { behind: binary(direction === 'ASC' ? '>' : '<', expr, value), at: eq(expr, value) };
}

const int64 = { least: -(1n << 63n), most: (1n << 63n) - 1n };

/** An integer as a long, which has ends. */
export const limited = (value: bigint): bigint =>
  value > int64.most ? int64.most : value < int64.least ? int64.least : value;

const integerParam = (value: bigint, type: FieldType): Expr =>
  type === 'unsigned_long' && value > int64.most
    ? param(value, 'UInt64')
    : param(limited(value), 'Int64');

/** Values finer than the key are no sort values: a fraction is cut off. */
function integerOf(value: JsonValue, type: FieldType, key: FieldSortKey): bigint {
  if (type === 'boolean' && (typeof value === 'boolean' || typeof value === 'string'))
    return booleanOf(String(value));
  return truncated(value, key.field);
}

function booleanOf(text: string): bigint {
  if (text === 'true') return 1n;
  if (text === 'false') return 0n;
  throw shardIllegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`);
}

/** An integer of `search_after`, as Java casts a number. `field`: for the error. */
export function truncated(value: JsonValue, field: string | null): bigint {
  const { floor, whole } = numberOf(value, field);
  return whole || floor >= 0n ? floor : floor + 1n;
}

const infinities: readonly JsonValue[] = ['Infinity', '-Infinity'];

/** A number of `search_after`. `field`: for the error. */
export const doubleOf = (value: JsonValue, field: string): number =>
  infinities.includes(value) ? Number(value) : numberOf(value, field).double;

function numberOf(value: JsonValue, field: string | null): ReturnType<typeof parseNumber> {
  try {
    return parseNumber(value);
  } catch (error) {
    if (error instanceof ElasticsearchError) throw unreadable(field, error);
    throw error;
  }
}

const unreadable = (field: string | null, { causes, message }: ElasticsearchError): Error =>
  shardIllegalArgument(
    `Failed to parse search_after value for field [${String(field)}].`,
    causes.length > 0 ? causes : [{ type: 'illegal_argument_exception', reason: message }],
  );

function textOf(value: JsonValue, { field }: FieldSortKey): string {
  const text = stringOf(value);
  if (value !== null && !isUnpaired(text)) return text;
  throw shardIllegalArgument(`Failed to parse search_after value for field [${field}].`);
}

function addressOf(value: JsonValue, key: FieldSortKey): string {
  try {
    return printFullIpv6(parseIp(textOf(value, key)));
  } catch (error) {
    if (error instanceof ElasticsearchError) throw unreadable(key.field, error);
    throw error;
  }
}

/** A date sorts in ms, a date_nanos in ns, unless `numeric_type` says otherwise. */
function datePlace({ orderBy, key, type, field, isTime }: PlacedKey, value: JsonValue): KeyPlace {
  const unit = (key.numericType ?? type) === 'date_nanos' ? 1n : 1_000_000n;
  const count = limited(
    typeof value === 'string'
      ? floorDivide(nanosOf(value, field, key), unit)
      : truncated(value, key.field),
  );
  if (!isTime) return numberPlace(orderBy, param(count, 'Int64'));
  const from = count * unit;
  const to = from + unit - 1n;
  const test = (span: NanosSpan): Expr =>
    and([call('isNotNull', orderBy.expr), inSpan(field, span)(orderBy.expr)]);
  return {
    behind: test(orderBy.direction === 'ASC' ? { from: to + 1n } : { to: from - 1n }),
    at: test({ from, to }),
  };
}

const floorDivide = (value: bigint, divisor: bigint): bigint =>
  (value - (((value % divisor) + divisor) % divisor)) / divisor;

function nanosOf(text: string, field: Field, { format }: FieldSortKey): bigint {
  if (text.startsWith('now'))
    throw dateParseError('could not read the current timestamp', [
      {
        type: 'illegal_state_exception',
        reason: 'now() is not allowed in [search_after] key',
      },
    ]);
  const read = format === undefined ? formatOf(field) : shardDateFormat(format);
  return toEpochNanos(parseDateBound(field, text, 'down', { now: 0, format: read }));
}
