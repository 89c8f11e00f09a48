import type { Field } from '../../clickhouse/catalog/table';
import { alwaysFalse } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { illegalArgument, parsingError } from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonObject } from '../../common/json/json';
import { fromEpochNanos } from '../values/calendar';
import { type NanosSpan, dateSpan } from '../values/date-bound';
import { type DateFormat, parseDateFormat } from '../values/date-format';
import { type TimeZone, parseTimeZone } from '../values/time-zone';
import { type QueryContext, type TimeSpan, defineClause } from './definition';
import { hasValue } from './equals';
import { metadataField } from './metadata-field';
import { booleanOption, checkCommonOption, fieldClause, textOption } from './options';
import { isUnmapped, queriedField } from './queried-field';
import { type Bounds, inDates, withinBounds } from './range-bounds';

/** What a range asks of a field; format and time zone count for dates only. */
export interface RangeOptions {
  readonly bounds: Bounds;
  readonly format?: DateFormat;
  readonly zone?: TimeZone;
}

interface RangeParams extends RangeOptions {
  readonly field: string;
}

/**
 * `{"range": {"@timestamp": {"gte": "now-15m", "lt": "now", "format": …, "time_zone": …}}}`, also with
 * from, to, include_lower and include_upper. Null and absent bounds are open; without any, the clause
 * means that the field exists. Format and time zone count for dates only.
 */
export const range = defineClause<RangeParams>({
  name: 'range',
  parse(body) {
    const { field, value } = fieldClause('range', body);
    if (!isJsonObject(value)) throw parsingError(`[range] query does not support [${field}]`);
    return { field, ...parseOptions(value) };
  },
  isNone(params, context) {
    if (context === undefined) return false;
    const field = context.table.field(params.field);
    // dates that are none are found then, too
    if (field && isDate(field)) datesOf(field, params, context);
    return isUnmapped(params.field, context);
  },
  toCondition(params, context) {
    if (metadataField(params.field, context.table)) return alwaysFalse;
    const field = queriedField(context.table, params.field);
    return field === undefined ? alwaysFalse : inRange(field, params, context);
  },
  timeSpan(params, context): TimeSpan | undefined {
    const field = context.table.field(params.field);
    if (field === undefined || !isDate(field) || field.multiValued) return undefined;
    const { from, to } = datesOf(field, params, context);
    return {
      field: field.name,
      ...(from !== undefined && { from: fromEpochNanos(from).ms }),
      ...(to !== undefined && { to: fromEpochNanos(to).ms }),
      ...(to !== undefined && !params.bounds.includeTo && { before: fromEpochNanos(to + 1n).ms }),
    };
  },
});

/**
 * True where a value of the field lies within the bounds; without bounds, where there is a value. Throws Elasticsearch's
 * error for a bound that cannot be of the field's type.
 */
export function inRange(field: Field, options: RangeOptions, context: QueryContext): Expr {
  const { bounds } = options;
  if (bounds.from === undefined && bounds.to === undefined) return hasValue(field);
  return isDate(field)
    ? inDates(field, datesOf(field, options, context))
    : withinBounds(field, bounds);
}

const isDate = ({ type }: Field): boolean => type === 'date' || type === 'date_nanos';

function datesOf(
  field: Field,
  { bounds, format, zone }: RangeOptions,
  { now }: QueryContext,
): NanosSpan {
  const { from, to, includeFrom, includeTo } = bounds;
  return dateSpan(
    field,
    {
      ...(from !== undefined && (includeFrom ? { gte: from } : { gt: from })),
      ...(to !== undefined && (includeTo ? { lte: to } : { lt: to })),
    },
    { now, ...(format && { format }), ...(zone && { zone }) },
  );
}

interface MutableRange {
  bounds: Bounds;
  format?: DateFormat;
  zone?: TimeZone;
}

type SetOption = (range: MutableRange, value: JsonValue) => void;

const setBounds =
  (change: (value: JsonValue | undefined) => Partial<Bounds>): SetOption =>
  (result, value) => {
    if (typeof value === 'object' && value !== null)
      throw parsingError('[range] query does not support arrays or objects as bounds');
    result.bounds = { ...result.bounds, ...change(value ?? undefined) };
  };

/** One option each; of two that say the same, the last one counts. */
const options: Readonly<Record<string, SetOption>> = {
  from: setBounds((from) => ({ from })),
  to: setBounds((to) => ({ to })),
  gt: setBounds((from) => ({ from, includeFrom: false })),
  gte: setBounds((from) => ({ from, includeFrom: true })),
  lt: setBounds((to) => ({ to, includeTo: false })),
  lte: setBounds((to) => ({ to, includeTo: true })),
  include_lower: (result, value) => {
    result.bounds = { ...result.bounds, includeFrom: booleanOption('include_lower', value) };
  },
  include_upper: (result, value) => {
    result.bounds = { ...result.bounds, includeTo: booleanOption('include_upper', value) };
  },
  format: (result, value) => {
    result.format = parseDateFormat(textOption('range', 'format', value));
  },
  time_zone: (result, value) => {
    result.zone = parseTimeZone(textOption('range', 'time_zone', value));
  },
  relation: (_result, value) => {
    const relation = textOption('range', 'relation', value).toLowerCase();
    if (!['intersects', 'within', 'contains'].includes(relation))
      throw illegalArgument(`[range] query does not support relation [${relation}]`);
  },
  boost: (_result, value) => {
    checkCommonOption('boost', value);
  },
  _name: (_result, value) => {
    checkCommonOption('_name', value);
  },
};

function parseOptions(body: JsonObject): MutableRange {
  const result: MutableRange = { bounds: { includeFrom: true, includeTo: true } };
  for (const [key, value] of Object.entries(body)) {
    const set = options[key];
    if (set === undefined) throw parsingError(`[range] query does not support [${key}]`);
    set(result, value);
  }
  return result;
}
