import type { Field } from '../../../clickhouse/catalog/table';
import { param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { contentParseError } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { defaultDateFormat, shardDateFormat } from '../../values/date-format';
import { stringOf } from '../../values/field-value';
import { findTimeZone, type TimeZone, unknownZone, utc } from '../../values/time-zone';
import { aggregatedField } from '../aggregated-field';
import { dateValue } from '../date-value';
import type { AggregationContext, AggregationType } from '../definition';
import { javaDouble } from '../../values/java-double';
import { printed } from '../metric/stats';
import { missingNumber } from '../missing-value';
import {
  measurableTypes,
  numericValues,
  parseValues,
  type ValuesOptions,
  valuesOptions,
} from '../numeric-values';
import { booleanOption, checkOptions, option, textOption } from '../options';
import { type ValueFormat, valueFormat } from '../value-text';
import { inRange, parseRange, parseRanges, type WantedRange, writeRanges } from './ranges';

interface RangeParams extends ValuesOptions {
  readonly type: 'range' | 'date_range';
  readonly ranges: readonly WantedRange[];
  readonly keyed: boolean;
  readonly zone: TimeZone;
}

/**
 * `{"range": {"field": "bytes", "ranges": [{"to": 1000}, {"from": 1000, "key": "large"}]}}`: a bucket for each range, empty and
 * reversed ones too, in the order of their ends; `from` inclusive, `to` exclusive (Elasticsearch 7.17
 * `RangeAggregationBuilder`). Refused: `script`.
 */
export const range: AggregationType = {
  name: 'range',
  parse(body, aggregation) {
    checkOptions('range', body, {
      used: [...valuesOptions, 'ranges', 'keyed'],
      ignored: ['value_type'],
      refused: ['script'],
    });
    return rangeNode(parseParams(body, { type: 'range', aggregation }));
  },
};

/**
 * `{"date_range": {"field": "@timestamp", "format": "yyyy-MM-dd", "ranges": [{"from": "now-1w/w"}]}}`: the same for dates, whose ends
 * are read in `format`, or the field's own, as date math rounded down in `time_zone`. Refused: `script`.
 */
export const dateRange: AggregationType = {
  name: 'date_range',
  parse(body, aggregation) {
    checkOptions('date_range', body, {
      used: [...valuesOptions, 'ranges', 'keyed', 'time_zone'],
      ignored: ['value_type'],
      refused: ['script'],
    });
    return rangeNode(parseParams(body, { type: 'date_range', aggregation }));
  },
};

function parseParams(
  body: JsonObject,
  names: { readonly type: RangeParams['type']; readonly aggregation: string },
): RangeParams {
  const { type } = names;
  return {
    ...parseValues(body, type),
    type,
    ranges: parseRanges(body, names, (one) => parseRange(one, type)),
    keyed: booleanOption(body, 'keyed', type) ?? false,
    zone: parseZone(body, type),
  };
}

function parseZone(body: JsonObject, type: string): TimeZone {
  if (option(body, 'time_zone') === undefined) return utc;
  const id = textOption(body, 'time_zone', type) ?? '';
  const zone = findTimeZone(id);
  if (zone) return zone;
  throw contentParseError(`[${type}] failed to parse field [time_zone]`, [unknownZone(id)]);
}

const rangeNode = (params: RangeParams): ReturnType<AggregationType['parse']> => ({
  family: 'fixed',
  type: params.type,
  params,
  single: false,
  conditions: (context) => {
    const isFloat = fieldOf(params, context)?.type === 'float';
    // a float is compared with what a float can be
    const end = (value: number): Expr => param(isFloat ? Math.fround(value) : value, 'Float64');
    const source = { types: measurableTypes, aggregation: params.type };
    const values = numericValues(params, source, context);
    const numbers = values && { expr: values.numbers, multiValued: values.multiValued };
    return rangesOf(params, context).map(({ from, to }) =>
      inRange(numbers, {
        from: from === -Infinity ? undefined : end(from),
        to: to === Infinity ? undefined : end(to),
      }),
    );
  },
  disjoint: (context) => {
    const ranges = rangesOf(params, context);
    const isApart = ranges.slice(1).every(({ from }, i) => (ranges[i]?.to ?? Infinity) <= from);
    return isApart && fieldOf(params, context)?.multiValued !== true;
  },
  assemble: (buckets, context) => {
    const print = printOf(params, context);
    const heads = rangesOf(params, context).map((one) => writeHead(one, print));
    return writeRanges(heads, buckets, params.keyed);
  },
});

const fieldOf = ({ field, type }: RangeParams, context: AggregationContext): Field | undefined =>
  aggregatedField(field, measurableTypes, type, context);

interface NumberRange {
  readonly key: string | undefined;
  /** -Infinity where open. */
  readonly from: number;
  /** Infinity where open. */
  readonly to: number;
}

/** The ranges between numbers, by their lower, then their upper ends. */
function rangesOf(params: RangeParams, context: AggregationContext): readonly NumberRange[] {
  const field = fieldOf(params, context);
  const end = (value: JsonValue | undefined, open: number): number =>
    value === undefined ? open : boundOf(value, field, params, context);
  return params.ranges
    .map(({ key, from, to }) => ({ key, from: end(from, -Infinity), to: end(to, Infinity) }))
    .sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
}

/** Not a - b: the difference of infinities is no number. */
const compare = (a: number, b: number): number => Number(a > b) - Number(a < b);

function boundOf(
  value: JsonValue,
  field: Field | undefined,
  { type, format, zone }: RangeParams,
  { now }: AggregationContext,
): number {
  const isDate = isDateRange(type, field);
  if (isDate && type === 'date_range') return dateValue(textOf(value), { format, now, zone });
  return missingNumber(value, field, { format, zone, now });
}

/** Elasticsearch reads a number as the text of its integer. */
const textOf = (value: JsonValue): string =>
  stringOf(typeof value === 'number' ? Math.trunc(value) : value);

/** An unmapped field is a date to date_range, else a number. */
const isDateRange = (type: RangeParams['type'], field: Field | undefined): boolean =>
  field === undefined
    ? type === 'date_range'
    : field.type === 'date' || field.type === 'date_nanos';

function printOf(params: RangeParams, context: AggregationContext): ValueFormat | undefined {
  const { type, format, zone } = params;
  const field = fieldOf(params, context);
  if (field === undefined && type === 'date_range') {
    const dates = shardDateFormat(format ?? defaultDateFormat);
    return (value) => dates.print({ ms: value, nanos: 0 }, zone);
  }
  return valueFormat(field, format, zone);
}

function writeHead(
  { key, from, to }: NumberRange,
  print: ValueFormat | undefined,
): JsonObject & { readonly key: string } {
  const text = (value: number): string =>
    Number.isFinite(value) ? (print ?? javaDouble)(value) : '*';
  return {
    key: key ?? `${text(from)}-${text(to)}`,
    ...(Number.isFinite(from) && { from, ...(print && { from_as_string: printed(from, print) }) }),
    ...(Number.isFinite(to) && { to, ...(print && { to_as_string: printed(to, print) }) }),
  };
}
