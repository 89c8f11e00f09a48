import type { Field, FieldType } from '../../../clickhouse/catalog/table';
import { and, binary, call, column, lambda, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { shardIllegalArgument, unsupported } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { shardDateFormat } from '../../values/date-format';
import type { TimeZone } from '../../values/time-zone';
import { parseField } from '../../request/parse-field';
import { aggregatedField } from '../aggregated-field';
import { parseOrder } from '../aggregation-order';
import { printDate } from '../date-text';
import type {
  AggregationContext,
  AggregationType,
  BucketResult,
  EmptyBucket,
  FieldMinutes,
  Level,
  LevelOrder,
} from '../definition';
import { eachValue, epochMillis } from '../instants';
import { missingNumber, missingOption } from '../missing-value';
import { substituted } from '../numeric-values';
import {
  booleanOption,
  checkOptions,
  minDocCountOption,
  option,
  requiredField,
  textOption,
} from '../options';
import { sortBuckets } from '../sort-buckets';
import { bucketKey, type InstantRange } from './date-bucket-key';
import { maxBuckets } from '../bucket-limit';
import { type DateBucket, fillGaps } from './date-gaps';
import { beginsWithMinutes } from './date-minutes';
import { parseInterval, parseOffset } from './date-interval';
import { type DateInterval, dateRounding } from './date-rounding';
import {
  type BoundInstants,
  boundInstants,
  type ExtendedBounds,
  parseExtendedBounds,
} from './extended-bounds';
import { parseZone } from './zone-option';

const name = 'date_histogram';
const types: readonly FieldType[] = ['date', 'date_nanos'];
const byKey: readonly LevelOrder[] = [{ by: 'key', direction: 'ASC' }];

export interface DateHistogramParams {
  /** The aggregation's name. */
  readonly aggregation: string;
  readonly field: string;
  readonly interval: DateInterval;
  readonly zone: TimeZone;
  /** ms by which buckets are moved. */
  readonly offset: number;
  readonly minDocCount: number;
  readonly bounds: ExtendedBounds | undefined;
  readonly hardBounds: ExtendedBounds | undefined;
  /** Stands for the date of a document that has none. */
  readonly missing: JsonValue | undefined;
  readonly format: string | undefined;
  readonly keyed: boolean;
  readonly order: readonly LevelOrder[];
}

/**
 * `{"date_histogram": {"field": "@timestamp", "fixed_interval": "30s", "time_zone": "Europe/Warsaw"}}`:
 * a bucket for each interval of local time, empty ones between the first and the last included unless
 * `min_doc_count` says otherwise. `calendar_interval` and the legacy `interval` are taken, too.
 * Refused: `script`.
 */
export const dateHistogram: AggregationType = {
  name,
  parse(body, aggregation) {
    const params = parseDateHistogram(body, aggregation);
    return {
      family: 'bucket',
      type: name,
      params,
      fillsGaps: true,
      rounding: {
        by: dateRounding(params.interval, params.zone),
        start: (key) => Number(key) - params.offset,
      },
      level: (context) => dateHistogramLevel(params, context),
      levelOfMinutes: (minutes, context) => minuteLevel(params, minutes, context),
      assemble: (result, empty, context) => assemble(params, result, empty, context),
    };
  },
};

function parseDateHistogram(body: JsonObject, aggregation: string): DateHistogramParams {
  checkOptions(name, body, {
    used: [
      'field',
      'fixed_interval',
      'calendar_interval',
      'interval',
      'time_zone',
      'offset',
      'min_doc_count',
      'extended_bounds',
      'hard_bounds',
      'missing',
      'format',
      'keyed',
      'order',
    ],
    ignored: ['value_type'],
    refused: ['script', 'params'],
  });
  return parseDateBuckets(body, aggregation);
}

/** The options of a date_histogram, of which others have some, too. Their names are checked by the caller. */
export function parseDateBuckets(body: JsonObject, aggregation: string): DateHistogramParams {
  const format = textOption(body, 'format', name);
  // a wrong pattern is an error even where nothing is printed
  if (format !== undefined) shardDateFormat(format);
  const minDocCount = minDocCountOption(body, { type: name, aggregation }) ?? 0;
  return {
    aggregation,
    field: requiredField(body, name),
    interval: parseInterval(body),
    zone: parseZone(body, name),
    offset: parseField(name, 'offset', () => parseOffset(body)),
    minDocCount,
    bounds: parseExtendedBounds(body, 'extended_bounds', name),
    hardBounds: parseExtendedBounds(body, 'hard_bounds', name),
    missing: missingOption(body, name),
    format,
    keyed: booleanOption(body, 'keyed', name) ?? false,
    order: parseField(name, 'order', () => parseOrder(option(body, 'order'), byKey)),
  };
}

const dateField = (params: DateHistogramParams, context: AggregationContext): Field | undefined => {
  const field = aggregatedField(params.field, [...types, ...integerTypes], name, context);
  if (field === undefined || field.time !== undefined) return field;
  if (!params.zone.zone.isUniversal || params.zone.zone.offset(0) !== 0)
    throw shardIllegalArgument(
      `Field [${params.field}] of type [${field.type}] does not support custom time zones`,
    );
  throw unsupported(`aggregation [${name}] on field [${params.field}] of type [${field.type}]`);
};

/** Elasticsearch takes numbers as epoch ms. */
const integerTypes: readonly FieldType[] = ['byte', 'short', 'integer', 'long', 'boolean'];

function dateHistogramLevel(
  params: DateHistogramParams,
  context: AggregationContext,
): Level | undefined {
  const field = dateField(params, context);
  checkHardBounds(params, context);
  const key = keysOf(field, params, context);
  return (
    key && {
      key: field?.multiValued === true ? call('arrayDistinct', key) : key,
      keys: field?.multiValued === true ? 'expanded' : 'single',
      manyKeys: false,
      order: params.order,
      minDocCount: Math.max(params.minDocCount, 1),
    }
  );
}

/** Every document has a value where it has a minute: what is missing has no part in it. */
function minuteLevel(
  params: DateHistogramParams,
  { field: name, start }: FieldMinutes,
  context: AggregationContext,
): Level | undefined {
  const field = dateField(params, context);
  if (field?.name !== name || field.multiValued) return undefined;
  const range = rangeOf(field, undefined, params, context);
  const rounding = dateRounding(params.interval, params.zone);
  if (!beginsWithMinutes({ rounding, offset: params.offset }, range)) return undefined;
  return {
    key: withinHard(keyOf(start, params, range), hardKeys(params, context)),
    keys: 'single',
    manyKeys: false,
    order: params.order,
    minDocCount: Math.max(params.minDocCount, 1),
  };
}

/** The starts of the buckets that a row is in, in epoch ms: one, or an array. */
export function dateBucketKeys(
  params: DateHistogramParams,
  context: AggregationContext,
): { readonly expr: Expr; readonly multiValued: boolean } | undefined {
  const field = dateField(params, context);
  const expr = keysOf(field, params, context);
  return expr && { expr, multiValued: field?.multiValued ?? false };
}

function keysOf(
  field: Field | undefined,
  params: DateHistogramParams,
  context: AggregationContext,
): Expr | undefined {
  const { missing, format, zone } = params;
  const hard = hardKeys(params, context);
  const substitute =
    missing === undefined
      ? undefined
      : Math.trunc(missingNumber(missing, dateLike(field), { format, zone, now: context.now }));
  const { time } = field ?? {};
  if (!field || !time) {
    if (substitute === undefined) return undefined;
    const range = { from: substitute, to: substitute };
    return withinHard(keyOf(param(substitute, 'Int64'), params, range), hard);
  }
  const range = rangeOf(field, substitute, params, context);
  const keys = eachValue(field, (value) => keyOf(epochMillis(value, time), params, range));
  if (substitute === undefined) return hardened(keys, field, hard);
  const own = keyOf(param(substitute, 'Int64'), params, range);
  return hardened(substituted(keys, own, field), field, hard);
}

/** An unmapped field is one of dates. */
const dateLike = (field: Field | undefined): Pick<Field, 'type'> => field ?? { type: 'date' };

/** The keys that `hard_bounds` leave: from that of `min` on, before that of `max` (Elasticsearch 7.17 `LongBounds.contain`). */
function hardKeys(params: DateHistogramParams, context: AggregationContext): BoundInstants {
  const { min, max } = instantsOf(params.hardBounds, params, context);
  const rounding = dateRounding(params.interval, params.zone);
  const key = (instant: number | undefined): number | undefined =>
    instant === undefined ? undefined : rounding.round(instant) + params.offset;
  return { min: key(min), max: key(max) };
}

const instantsOf = (
  bounds: ExtendedBounds | undefined,
  { format, zone, aggregation }: DateHistogramParams,
  { now }: AggregationContext,
): BoundInstants => boundInstants(bounds, format, { now, zone, aggregation });

function checkHardBounds(params: DateHistogramParams, context: AggregationContext): void {
  const { bounds, hardBounds } = params;
  if (!bounds || !hardBounds) return;
  const [inner, outer] = [
    instantsOf(bounds, params, context),
    instantsOf(hardBounds, params, context),
  ];
  const isInside =
    (inner.max ?? -Infinity) <= (outer.max ?? Infinity) &&
    (inner.min ?? Infinity) >= (outer.min ?? -Infinity);
  if (isInside) return;
  const text = ({ min, max }: ExtendedBounds): string =>
    `[${String(min ?? '')}--${String(max ?? '')}]`;
  throw shardIllegalArgument(
    `Extended bounds have to be inside hard bounds, hard bounds: ${text(hardBounds)}, extended bounds: ${text(bounds)}`,
  );
}

const insideHard = (key: Expr, { min, max }: BoundInstants): readonly Expr[] => [
  ...(min === undefined ? [] : [binary('>=', key, param(min, 'Int64'))]),
  ...(max === undefined ? [] : [binary('<', key, param(max, 'Int64'))]),
];

function withinHard(key: Expr, bounds: BoundInstants): Expr {
  const inside = insideHard(key, bounds);
  return inside.length === 0 ? key : call('if', and(inside), key, param(null, 'Nullable(Int64)'));
}

/** The keys of a row within the bounds. */
function hardened(keys: Expr, field: Field, bounds: BoundInstants): Expr {
  if (!field.multiValued) return withinHard(keys, bounds);
  const inside = insideHard(column('x'), bounds);
  return inside.length === 0 ? keys : call('arrayFilter', lambda('x', and(inside)), keys);
}

/** What the query leaves of a field's instants; of several values in a document it binds only one. */
function rangeOf(
  field: Field,
  substitute: number | undefined,
  params: DateHistogramParams,
  context: AggregationContext,
): InstantRange {
  // nor does it bind a document that has none
  if (field.multiValued || substitute !== undefined) return {};
  const { from, to } = context.span(params.field);
  return {
    ...(from !== undefined && { from: from - params.offset }),
    ...(to !== undefined && { to: to - params.offset }),
  };
}

function keyOf(instant: Expr, params: DateHistogramParams, range: InstantRange): Expr {
  const rounding = dateRounding(params.interval, params.zone);
  if (params.offset === 0) return bucketKey(instant, rounding, range);
  const offset = param(params.offset, 'Int64');
  return binary('+', bucketKey(binary('-', instant, offset), rounding, range), offset);
}

function assemble(
  params: DateHistogramParams,
  result: BucketResult,
  empty: EmptyBucket,
  context: AggregationContext,
): JsonObject {
  const byStart = result.buckets
    .map((bucket): DateBucket => ({ ...bucket, key: Number(bucket.key) }))
    .sort((a, b) => a.key - b.key);
  const { zone } = params;
  const bounds = instantsOf(params.bounds, params, context);
  const grid = { rounding: dateRounding(params.interval, zone), offset: params.offset };
  const filling = { empty, most: maxBuckets(context) };
  const complete = params.minDocCount === 0 ? fillGaps(byStart, bounds, grid, filling) : byStart;
  const buckets = sortBuckets(complete, params.order).map((bucket) => writeBucket(bucket, params));
  if (!params.keyed) return { buckets };
  return { buckets: Object.fromEntries(buckets.map((bucket) => [bucket.key_as_string, bucket])) };
}

const writeBucket = (
  { key, docCount, subs }: DateBucket,
  { format, zone }: DateHistogramParams,
) => ({
  key_as_string: printDate(key, format, zone),
  key,
  doc_count: docCount,
  ...subs,
});
