import type { Field, FieldType } from '../../../clickhouse/catalog/table';
import { param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import {
  illegalArgument,
  shardIllegalArgument,
  unsupported,
} from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { shardDateFormat } from '../../values/date-format';
import type { TimeZone } from '../../values/time-zone';
import { aggregatedField, numericTypes } from '../aggregated-field';
import { printDate } from '../date-text';
import type {
  AggregationContext,
  AggregationType,
  Bucket,
  BucketResult,
  EmptyBucket,
  Level,
} from '../definition';
import { eachValue, epochMillis } from '../instants';
import { missingNumber, missingOption } from '../missing-value';
import { substituted } from '../numeric-values';
import { checkOptions, integerOption, requiredField, textOption } from '../options';
import {
  autoGrid,
  type AutoGrid,
  autoKeys,
  type AutoUnit,
  autoUnits,
  intervalText,
  readAutoKey,
  unitStart,
} from './auto-interval';
import { parseZone } from './zone-option';

const name = 'auto_date_histogram';

const fieldTypes: readonly FieldType[] = [...numericTypes, 'boolean', 'date', 'date_nanos'];

/** 65,535 buckets of the finest interval, of which at most 30 become one. */
const mostBuckets = 2184;

interface AutoParams {
  readonly field: string;
  readonly buckets: number;
  readonly minimum: AutoUnit;
  readonly zone: TimeZone;
  readonly format: string | undefined;
  readonly missing: JsonValue | undefined;
}

/**
 * `{"auto_date_histogram": {"field": "@timestamp", "buckets": 20}}`: a date_histogram of the finest interval of which the documents
 * of the bucket around need no more buckets. They begin with the first document's unit, whatever the interval.
 * Refused: `script`, a field of several dates, numbers.
 */
export const autoDateHistogram: AggregationType = {
  name,
  parse(body, aggregation) {
    const params = parseAuto(body, aggregation);
    return {
      family: 'bucket',
      type: name,
      params,
      fillsGaps: true,
      level: (context) => autoLevel(params, context),
      assemble: (result, empty, context) => assemble(params, result, empty, context),
    };
  },
};

function parseAuto(body: JsonObject, aggregation: string): AutoParams {
  checkOptions(name, body, {
    used: ['field', 'buckets', 'minimum_interval', 'time_zone', 'format', 'missing'],
    ignored: ['value_type'],
    refused: ['script'],
  });
  const format = textOption(body, 'format', name);
  if (format !== undefined) shardDateFormat(format);
  const buckets = parseField(name, 'buckets', () => {
    const count = integerOption(body, 'buckets', name) ?? 10;
    if (count > 0) return count;
    throw illegalArgument(`buckets must be greater than 0 for [${aggregation}]`);
  });
  const minimum = parseField(name, 'minimum_interval', () =>
    unitOf(textOption(body, 'minimum_interval', name) ?? 'second'),
  );
  const field = requiredField(body, name);
  return {
    field,
    buckets,
    minimum,
    zone: parseZone(body, name),
    format,
    missing: missingOption(body, name),
  };
}

function unitOf(text: string): AutoUnit {
  const unit = autoUnits.find((known) => known === text);
  if (unit) return unit;
  throw illegalArgument(
    'minimum_interval must be one of [[day, month, year, minute, second, hour]]',
  );
}

/** Where a search begins that does not say it: no zone has moved by a part of an hour since, save Lord Howe. */
const recent = Date.UTC(1990, 0, 1);

function gridOf({ zone, field }: AutoParams, context: AggregationContext): AutoGrid {
  const { from = recent, to = context.now } = context.span(field);
  return autoGrid(zone, from, to);
}

function autoLevel(params: AutoParams, context: AggregationContext): Level | undefined {
  const { buckets, minimum } = params;
  if (buckets > mostBuckets)
    throw shardIllegalArgument(`buckets must be less than ${String(mostBuckets)}`);
  const field = dateField(params, context);
  const instants = instantsOf(field, params, context);
  if (!instants) return undefined;
  return {
    key: instants,
    keys: 'single',
    ofParent: autoKeys(gridOf(params, context), { buckets, minimum }),
    manyKeys: false,
    order: [{ by: 'key', direction: 'ASC' }],
    minDocCount: 1,
  };
}

function dateField({ field: wanted }: AutoParams, context: AggregationContext): Field | undefined {
  const field = aggregatedField(wanted, fieldTypes, name, context);
  if (!field || (field.time && !field.multiValued)) return field;
  const what = field.time ? 'of several dates' : `of type [${field.type}]`;
  throw unsupported(`aggregation [${name}] on field [${wanted}] ${what}`);
}

function instantsOf(
  field: Field | undefined,
  { missing, format, zone }: AutoParams,
  { now }: AggregationContext,
): Expr | undefined {
  const like: Pick<Field, 'type'> = field ?? { type: 'date' };
  const substitute =
    missing === undefined
      ? undefined
      : param(Math.trunc(missingNumber(missing, like, { format, zone, now })), 'Int64');
  const { time } = field ?? {};
  if (!field || !time) return substitute;
  const instants = eachValue(field, (value) => epochMillis(value, time));
  return substitute ? substituted(instants, substitute, field) : instants;
}

function assemble(
  params: AutoParams,
  { buckets }: BucketResult,
  empty: EmptyBucket,
  context: AggregationContext,
): JsonObject {
  const present = new Map(buckets.map((bucket) => [Number(bucket.key), bucket]));
  const keys = [...present.keys()].sort((a, b) => a - b);
  const [first] = keys;
  if (first === undefined)
    return { buckets: [], interval: intervalText({ unit: params.minimum, count: 1 }) };
  const { interval } = readAutoKey(first);
  const grid = gridOf(params, context);
  const count = ((keys.at(-1) ?? first) - first) / interval.count + 1;
  const filled = Array.from({ length: count }, (_, i): Bucket => {
    const key = first + i * interval.count;
    const start = unitStart(interval.unit, readAutoKey(key).start, grid);
    return { ...(present.get(key) ?? empty), key: start };
  });
  return {
    buckets: filled.map(({ key, docCount, subs }) => ({
      key_as_string: printDate(Number(key), params.format, params.zone),
      key,
      doc_count: docCount,
      ...subs,
    })),
    interval: intervalText(interval),
  };
}
