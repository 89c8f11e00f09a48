import type { Field } from '../../../clickhouse/catalog/table';
import { and, binary, call, column, lambda, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import {
  illegalArgument,
  shardIllegalArgument,
  tooManyBuckets,
} from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { aggregatedField } from '../aggregated-field';
import { parseOrder } from '../aggregation-order';
import { maxBuckets } from '../bucket-limit';
import type {
  AggregationContext,
  AggregationType,
  Bucket,
  BucketResult,
  EmptyBucket,
  Level,
  LevelOrder,
} from '../definition';
import { javaDouble } from '../../values/java-double';
import {
  measurableTypes,
  type NumericValues,
  numericValues,
  parseValues,
  type ValuesOptions,
  valuesOptions,
} from '../numeric-values';
import {
  booleanOption,
  checkOptions,
  doubleOption,
  minDocCountOption,
  objectOption,
  option,
} from '../options';
import { sortBuckets } from '../sort-buckets';
import { numberCell, type ValueFormat, valueFormat } from '../value-text';

const name = 'histogram';
const source = { types: measurableTypes, aggregation: name };
const byKey: readonly LevelOrder[] = [{ by: 'key', direction: 'ASC' }];

interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

interface HistogramParams extends ValuesOptions {
  readonly interval: number;
  readonly offset: number;
  readonly minDocCount: number;
  readonly extended: Bounds;
  readonly hard: Bounds;
  readonly keyed: boolean;
  readonly order: readonly LevelOrder[];
}

/**
 * `{"histogram": {"field": "bytes", "interval": 50, "offset": 10}}`: a bucket for each interval of numbers, empty ones between the
 * first and the last included unless `min_doc_count` says otherwise (Elasticsearch 7.17 `NumericHistogramAggregator`).
 * Refused: `script`.
 */
export const histogram: AggregationType = {
  name,
  parse(body, aggregation) {
    const params = parseHistogram(body, aggregation);
    return {
      family: 'bucket',
      type: name,
      params,
      fillsGaps: true,
      level: (context) => histogramLevel(params, context),
      assemble: (result, empty, context) => assemble(params, result, empty, context),
    };
  },
};

function parseHistogram(body: JsonObject, aggregation: string): HistogramParams {
  checkOptions(name, body, {
    used: [
      ...valuesOptions,
      'interval',
      'offset',
      'min_doc_count',
      'extended_bounds',
      'hard_bounds',
      'keyed',
      'order',
    ],
    ignored: ['value_type'],
    refused: ['script'],
  });
  const params: HistogramParams = {
    ...parseValues(body, name),
    interval: parseInterval(body, aggregation),
    offset: doubleOption(body, 'offset', name) ?? 0,
    minDocCount: minDocCountOption(body, { type: name, aggregation }) ?? 0,
    extended: parseBounds(body, 'extended_bounds'),
    hard: parseBounds(body, 'hard_bounds'),
    keyed: booleanOption(body, 'keyed', name) ?? false,
    order: parseField(name, 'order', () => parseOrder(option(body, 'order'), byKey)),
  };
  checkBounds(params);
  return params;
}

function parseInterval(body: JsonObject, aggregation: string): number {
  const interval = parseField(name, 'interval', () => {
    const given = doubleOption(body, 'interval', name);
    if (given === undefined || given > 0) return given;
    throw illegalArgument(`[interval] must be >0 for histogram aggregation [${aggregation}]`);
  });
  if (interval !== undefined) return interval;
  throw shardIllegalArgument('interval must be positive, got: 0.0');
}

function parseBounds(body: JsonObject, key: string): Bounds {
  const bounds = objectOption(body, key, name) ?? {};
  return parseField(name, key, () => {
    checkOptions('double_bounds', bounds, { used: ['min', 'max'] });
    const [min, max] = [
      doubleOption(bounds, 'min', 'double_bounds'),
      doubleOption(bounds, 'max', 'double_bounds'),
    ];
    if (min !== undefined && max !== undefined && max < min)
      throw illegalArgument(
        `max bound [${javaDouble(max)}] must be greater than min bound [${javaDouble(min)}]`,
      );
    return { min, max };
  });
}

function checkBounds({ extended, hard }: HistogramParams): void {
  const isOutside =
    (hard.max !== undefined && extended.max !== undefined && extended.max > hard.max) ||
    (hard.min !== undefined && extended.min !== undefined && extended.min < hard.min);
  if (!isOutside) return;
  const text = ({ min, max }: Bounds): string =>
    `[${min === undefined ? 'null' : javaDouble(min)}--${max === undefined ? 'null' : javaDouble(max)}]`;
  throw shardIllegalArgument(
    `Extended bounds have to be inside hard bounds, hard bounds: ${text(hard)}, extended bounds: ${text(extended)}`,
  );
}

const fieldOf = (params: HistogramParams, context: AggregationContext): Field | undefined =>
  aggregatedField(params.field, source.types, name, context);

function histogramLevel(params: HistogramParams, context: AggregationContext): Level | undefined {
  valueFormat(fieldOf(params, context), params.format);
  const values = numericValues(params, source, context);
  if (!values) return undefined;
  const { numbers, multiValued } = values;
  return {
    key: multiValued ? placesOf(numbers, params) : withinHard(placeOf(numbers, params), params),
    keys: multiValued ? 'expanded' : 'single',
    manyKeys: false,
    order: params.order,
    minDocCount: Math.max(params.minDocCount, 1),
  };
}

type Grid = Pick<HistogramParams, 'interval' | 'offset'>;

/** Which interval each number is in. */
export const placesOfNumbers = ({ numbers, multiValued }: NumericValues, grid: Grid): Expr =>
  multiValued
    ? call('arrayMap', lambda('x', placeOf(column('x'), grid)), numbers)
    : placeOf(numbers, grid);

/** Which interval a number is in, counted from the offset; the key follows from it without loss. */
function placeOf(value: Expr, { interval, offset }: Grid): Expr {
  const moved = offset === 0 ? value : binary('-', value, param(offset, 'Float64'));
  return call('floor', binary('/', moved, param(interval, 'Float64')));
}

function placesOf(numbers: Expr, params: HistogramParams): Expr {
  const places = call('arrayMap', lambda('x', placeOf(column('x'), params)), numbers);
  const inside = hardSides(column('x'), params);
  const kept = inside.length === 0 ? places : call('arrayFilter', lambda('x', and(inside)), places);
  return call('arrayDistinct', kept);
}

function withinHard(place: Expr, params: HistogramParams): Expr {
  const inside = hardSides(place, params);
  return inside.length === 0
    ? place
    : call('if', and(inside), place, param(null, 'Nullable(Float64)'));
}

/** The bounds of what is counted; Elasticsearch compares them with the key before the offset is added. */
function hardSides(place: Expr, { interval, hard }: HistogramParams): readonly Expr[] {
  const start = binary('*', place, param(interval, 'Float64'));
  return [
    ...(hard.min === undefined ? [] : [binary('>=', start, param(hard.min, 'Float64'))]),
    ...(hard.max === undefined ? [] : [binary('<=', start, param(hard.max, 'Float64'))]),
  ];
}

/** A bucket whose key is the number of its interval. */
interface PlacedBucket extends Bucket {
  readonly key: number;
}

function assemble(
  params: HistogramParams,
  result: BucketResult,
  empty: EmptyBucket,
  context: AggregationContext,
): JsonObject {
  const byPlace = result.buckets
    .map((bucket): PlacedBucket => ({ ...bucket, key: numberCell(bucket.key) }))
    .sort((a, b) => a.key - b.key);
  const complete =
    params.minDocCount === 0
      ? fillGaps(byPlace, params, { empty, most: maxBuckets(context) })
      : byPlace;
  const print = valueFormat(fieldOf(params, context), params.format);
  const buckets = sortBuckets(complete, params.order).map((bucket) =>
    writeBucket(bucket, params, print),
  );
  if (!params.keyed) return { buckets };
  const entries = buckets.map((bucket) => [(print ?? javaDouble)(bucket.key), bucket]);
  return { buckets: Object.fromEntries(entries) as JsonObject };
}

/** Buckets from the first to the last, widened to `extended_bounds`. Throws when there would be too many. */
function fillGaps(
  buckets: readonly PlacedBucket[],
  params: HistogramParams,
  { empty, most }: { readonly empty: EmptyBucket; readonly most: number },
): readonly PlacedBucket[] {
  const { min, max } = params.extended;
  if (buckets.length === 0 && (min === undefined || max === undefined)) return [];
  const place = (value: number | undefined): readonly number[] =>
    value === undefined ? [] : [Math.floor((value - params.offset) / params.interval)];
  const keys = buckets.map(({ key }) => key);
  const from = Math.min(...keys.slice(0, 1), ...place(min));
  const to = Math.max(...keys.slice(-1), ...place(max));
  if (to - from >= most) throw tooManyBuckets(most);
  const present = new Map(buckets.map((bucket) => [bucket.key, bucket]));
  return Array.from(
    { length: to - from + 1 },
    (_, i) => present.get(from + i) ?? { ...empty, key: from + i },
  );
}

function writeBucket(
  { key: place, docCount, subs }: PlacedBucket,
  { interval, offset }: HistogramParams,
  print: ValueFormat | undefined,
): JsonObject & { readonly key: number } {
  const key = place * interval + offset;
  return { ...(print && { key_as_string: print(key) }), key, doc_count: docCount, ...subs };
}
