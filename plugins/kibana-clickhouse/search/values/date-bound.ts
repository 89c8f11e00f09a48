import type { Field } from '../../clickhouse/catalog/table';
import { alwaysFalse, and, binary, call, column, lambda, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { dateParseError } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { type Instant, toEpochNanos } from './calendar';
import {
  type DateFormat,
  defaultDateFormat,
  defaultNanosFormat,
  parseDateFormat,
} from './date-format';
import { parseDateMath } from './date-math';
import { integerRange } from './integer-range';
import type { TimeZone } from './time-zone';

/** A span of time, both ends inclusive, in ns since 1970; open where absent. */
export interface NanosSpan {
  readonly from?: bigint;
  readonly to?: bigint;
}

export interface DateBoundOptions {
  readonly now: number;
  readonly format?: DateFormat;
  readonly zone?: TimeZone;
}

/** The format in which a date field reads and prints its values, when a request names none. */
export const formatOf = (field: Field): DateFormat =>
  parseDateFormat(field.type === 'date_nanos' ? defaultNanosFormat : defaultDateFormat);

/** What a `date` field does not tell apart: dates are ms, `date_nanos` ns. */
const resolution = (field: Field): bigint => (field.type === 'date_nanos' ? 1n : 1_000_000n);

/** Reads one bound: a date string, an epoch number, date math. */
export function parseDateBound(
  field: Field,
  value: JsonValue,
  round: 'down' | 'up',
  options: DateBoundOptions,
): Instant {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
    throw dateParseError(
      `failed to parse date field [${JSON.stringify(value)}] with format [${(options.format ?? formatOf(field)).text}]`,
    );
  const { now, zone } = options;
  return parseDateMath(textOf(value), {
    format: options.format ?? formatOf(field),
    now,
    round,
    ...(zone && { zone }),
  });
}

/** As Elasticsearch gets numbers to see: doubles from 10^7 on by their power of ten, which no date format reads. */
function textOf(value: string | number | bigint): string {
  if (typeof value !== 'number' || Number.isInteger(value) || Math.abs(value) < 1e7)
    return String(value);
  return value.toExponential().replace('e+', 'E');
}

export interface DateBounds {
  readonly gt?: JsonValue;
  readonly gte?: JsonValue;
  readonly lt?: JsonValue;
  readonly lte?: JsonValue;
}

/** The span that a range's bounds mean on a field, at the field's own resolution. */
export function dateSpan(field: Field, bounds: DateBounds, options: DateBoundOptions): NanosSpan {
  const step = resolution(field);
  const read = (value: JsonValue | undefined, round: 'down' | 'up'): bigint | undefined => {
    if (value === undefined) return undefined;
    const nanos = toEpochNanos(parseDateBound(field, value, round, options));
    return floorTo(nanos, step);
  };
  // the lower bound first: of two wrong ones Elasticsearch names that
  const gt = read(bounds.gt, 'up');
  const from = gt === undefined ? read(bounds.gte, 'down') : gt + step;
  const lt = read(bounds.lt, 'down');
  const last = lt === undefined ? read(bounds.lte, 'up') : lt - step;
  return {
    ...(from !== undefined && { from }),
    // a document's date has no more digits than the field: the whole ms belongs to the span
    ...(last !== undefined && { to: last + step - 1n }),
  };
}

const floorTo = (value: bigint, step: bigint): bigint => value - (((value % step) + step) % step);

const ceilDivide = (value: bigint, divisor: bigint): bigint =>
  -((-value - (((-value % divisor) + divisor) % divisor)) / divisor);
const floorDivide = (value: bigint, divisor: bigint): bigint =>
  (value - (((value % divisor) + divisor) % divisor)) / divisor;

/** How an encoding counts: its unit in ns, what it can hold, and how a count becomes a value. */
interface Scale {
  readonly unit: bigint;
  readonly least: bigint;
  readonly most: bigint;
  readonly value: (count: bigint) => Expr;
  /** Many values, as an array. */
  readonly values: (counts: readonly bigint[]) => Expr;
}

const day = 86_400_000_000_000n;
const second = 1_000_000_000n;
const int64 = { least: -(1n << 63n), most: (1n << 63n) - 1n };

const scaled = (fn: string, type: string): Pick<Scale, 'value' | 'values'> => ({
  value: (count) => call(fn, param(count, type)),
  values: (counts) =>
    call('arrayMap', lambda('m', call(fn, column('m'))), param(counts, `Array(${type})`)),
});

function scaleOf(field: Field): Scale {
  const { time, valueType } = field;
  switch (time?.kind) {
    case 'date':
      return valueType.name === 'Date'
        ? { unit: day, least: 0n, most: 65_535n, ...scaled('toDate', 'UInt16') }
        : { unit: day, least: -25_567n, most: 120_529n, ...scaled('toDate32', 'Int32') };
    case 'datetime':
      return {
        unit: second,
        least: 0n,
        most: 4_294_967_295n,
        ...scaled('toDateTime', 'UInt32'),
      };
    case 'datetime64':
      return dateTime64Scale(time.precision);
    case 'epoch': {
      const { name } = valueType;
      return {
        unit: { s: second, ms: 1_000_000n, us: 1000n, ns: 1n }[time.unit],
        ...(integerRange(name) ?? int64),
        value: (count) => param(count, name),
        values: (counts) => param(counts, `Array(${name})`),
      };
    }
    case undefined:
      throw new TypeError(`[${field.name}] is a date without encoding`);
  }
}

/** What DateTime64 is defined for: 1900-01-01 to 2299-12-31, in ms. */
const firstMs = -2_208_988_800_000n;
const lastMs = 10_413_791_999_999n;

/** Counted as finely as the column does, at least in ms: fromUnixTimestamp64… is folded to a constant. */
function dateTime64Scale(precision: number): Scale {
  if (precision <= 3)
    return {
      unit: 1_000_000n,
      least: firstMs,
      most: lastMs,
      ...scaled('fromUnixTimestamp64Milli', 'Int64'),
    };
  if (precision <= 6)
    return {
      unit: 1000n,
      least: firstMs * 1000n,
      most: lastMs * 1000n + 999n,
      ...scaled('fromUnixTimestamp64Micro', 'Int64'),
    };
  return {
    unit: 1n,
    least: firstMs * 1_000_000n,
    most: int64.most,
    ...scaled('fromUnixTimestamp64Nano', 'Int64'),
  };
}

/**
 * The condition that a value lies in a span. A bound outside of what the column's type can hold is no
 * bound, or lets nothing through: it never wraps around.
 */
export function inSpan(field: Field, span: NanosSpan): (value: Expr) => Expr {
  const scale = scaleOf(field);
  const from = span.from === undefined ? scale.least : ceilDivide(span.from, scale.unit);
  const to = span.to === undefined ? scale.most : floorDivide(span.to, scale.unit);
  if (from > to || from > scale.most || to < scale.least) return () => alwaysFalse;
  const lower = span.from === undefined || from < scale.least ? undefined : scale.value(from);
  const upper = span.to === undefined || to > scale.most ? undefined : scale.value(to);
  return (value) =>
    and([
      ...(lower ? [binary('>=', value, lower)] : []),
      ...(upper ? [binary('<=', value, upper)] : []),
    ]);
}

/** How a date field takes single moments as a list, the right side of an IN. */
export interface MomentList {
  /** The one moment of the column in a span; `none` where it has none there, `other` where it has several. */
  moment(span: NanosSpan): bigint | 'none' | 'other';
  list(moments: readonly bigint[]): Expr;
}

/** For a date field; undefined for others, and for a DateTime64 whose precision no function of ClickHouse makes. */
export function momentList(field: Field): MomentList | undefined {
  const { time } = field;
  if (time === undefined || (time.kind === 'datetime64' && time.precision % 3 !== 0))
    return undefined;
  if (time.kind === 'datetime64' && time.precision === 0) return undefined;
  const scale = scaleOf(field);
  return {
    moment: ({ from = scale.least * scale.unit, to = scale.most * scale.unit }) => {
      const [first, last] = [ceilDivide(from, scale.unit), floorDivide(to, scale.unit)];
      if (first > last || first > scale.most || last < scale.least) return 'none';
      return first === last ? first : 'other';
    },
    list: (moments) => scale.values(moments),
  };
}
