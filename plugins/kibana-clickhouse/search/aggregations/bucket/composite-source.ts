import type { Field } from '../../../clickhouse/catalog/table';
import { param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import {
  contentParseError,
  illegalArgument,
  numberFormatError,
  parsingError,
} from '../../../common/errors/catalogue';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { shardDateFormat } from '../../values/date-format';
import { stringOf } from '../../values/field-value';
import { parseIp, printFullIpv6 } from '../../values/ip-value';
import { type TimeZone, utc } from '../../values/time-zone';
import { aggregatedField } from '../aggregated-field';
import { dateValue } from '../date-value';
import type { AggregationContext } from '../definition';
import { measurableTypes, numericValues } from '../numeric-values';
import { checkOptions, doubleOption, option, requiredField } from '../options';
import { asArgument } from '../plain-error';
import { typedValues } from '../typed-values';
import {
  commonOptions,
  type CompositeSource,
  parsePlacement,
  partFor,
} from './composite-placement';
import { tilesSource } from './composite-tiles';
import { dateBucketKeys, parseDateBuckets } from './date-histogram';
import { dateRounding } from './date-rounding';
import { placesOfNumbers } from './histogram';
import { partKind } from './part-kind';
import { termKey } from './term-key';
import { termTypes } from './term-types';

/** The option `sources`: a list of objects with one source each. Throws Elasticsearch's errors. */
export function parseSources(body: JsonObject, type: string): readonly CompositeSource[] {
  const given = option(body, 'sources');
  if (given === undefined) throw illegalArgument('Required [sources]');
  return parseField(type, 'sources', () => {
    const list = isJsonArray(given) ? given : [given];
    const sources = list.map(parseNamed);
    const names = sources.map(({ name }) => name);
    const twice = names.find((name, i) => names.indexOf(name) < i);
    const fault =
      sources.length === 0
        ? 'Composite [sources] cannot be null or empty'
        : twice === undefined
          ? undefined
          : `Composite source names must be unique, found duplicates: [${twice}]`;
    if (fault === undefined) return sources;
    throw contentParseError('Failed to build [composite] after last required field arrived', [
      { type: 'illegal_argument_exception', reason: fault },
    ]);
  });
}

function parseNamed(value: JsonValue): CompositeSource {
  const [named] = isJsonObject(value) ? Object.entries(value) : [];
  const [type, body] = named && isJsonObject(named[1]) ? (Object.entries(named[1])[0] ?? []) : [];
  if (!named || type === undefined || !isJsonObject(body))
    throw parsingError('a source of composite is an object of a name and a source');
  const [name] = named;
  switch (type) {
    case 'terms':
      return termsSource(name, body);
    case 'histogram':
      return histogramSource(name, body);
    case 'date_histogram':
      return dateSource(name, body);
    case 'geotile_grid':
      return tilesSource(name, body);
    default:
      throw parsingError(`invalid source type: ${type}`);
  }
}

function termsSource(name: string, body: JsonObject): CompositeSource {
  checkOptions('terms', body, {
    used: commonOptions,
    ignored: ['value_type'],
    refused: ['script'],
  });
  const placement = parsePlacement(body, 'terms');
  const fieldName = requiredField(body, 'terms');
  return {
    name,
    missingBucket: placement.missingBucket,
    resolve: (context) => {
      const field = aggregatedField(fieldName, termTypes, 'composite', context);
      const values = typedValues(field, undefined, context);
      const kind = partKind(field?.type);
      return {
        ...placement,
        kind,
        part: partFor(values, kind, placement),
        print: (text) => printTerm(text, field),
        read: (value) => readTerm(value, field, context),
      };
    },
  };
}

/** Booleans are words here, dates numbers. */
function printTerm(text: string, field: Field | undefined): JsonValue {
  if (field?.type === 'boolean') return text === 'true';
  return termKey(text, field, undefined)['key'] ?? null;
}

function readTerm(value: JsonValue, field: Field | undefined, { now }: AggregationContext): Expr {
  switch (partKind(field?.type)) {
    case 'text': {
      if (field?.type === 'boolean') return param(stringOf(value), 'String');
      if (typeof value !== 'string')
        throw illegalArgument(`invalid value, expected string, got ${javaType(value)}`);
      return param(value, 'String');
    }
    case 'ip':
      return param(printFullIpv6(asArgument(() => parseIp(stringOf(value)))), 'IPv6');
    case 'double':
      return param(numberOf(value), 'Float64');
    case 'integer':
      return field?.time
        ? param(dateOf(value, undefined, now, utc), 'Int64')
        : param(typeof value === 'bigint' ? value : Math.trunc(numberOf(value)), 'Int128');
  }
}

/** What Java calls the value of a JSON token. */
function javaType(value: JsonValue): string {
  if (typeof value === 'boolean') return 'Boolean';
  if (typeof value === 'bigint') return 'Long';
  return typeof value === 'number' && !Number.isInteger(value) ? 'Double' : 'Integer';
}

function numberOf(value: JsonValue): number {
  const number = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
  if (Number.isNaN(number)) throw numberFormatError(`For input string: "${stringOf(value)}"`);
  return number;
}

const dateOf = (
  value: JsonValue,
  format: string | undefined,
  now: number,
  zone: TimeZone,
): number =>
  typeof value === 'number' || typeof value === 'bigint'
    ? Number(value)
    : dateValue(stringOf(value), { format, now, zone });

function histogramSource(name: string, body: JsonObject): CompositeSource {
  checkOptions('histogram', body, {
    used: [...commonOptions, 'interval'],
    ignored: ['value_type'],
    refused: ['script', 'format'],
  });
  const placement = parsePlacement(body, 'histogram');
  const field = requiredField(body, 'histogram');
  const interval = doubleOption(body, 'interval', 'histogram') ?? 0;
  if (!(interval > 0))
    throw illegalArgument('[interval] must be greater than 0 for [histogram] source');
  return {
    name,
    missingBucket: placement.missingBucket,
    resolve: (context) => {
      const source = { types: measurableTypes, aggregation: 'composite' };
      const values = numericValues({ field }, source, context);
      const places = values && placesOfNumbers(values, { interval, offset: 0 });
      return {
        ...placement,
        kind: 'double',
        part: partFor(
          places && { expr: places, multiValued: values.multiValued, repeated: true },
          'double',
          placement,
        ),
        print: (text) => Number(text) * interval,
        read: (value) => param(Math.floor(numberOf(value) / interval), 'Float64'),
      };
    },
  };
}

function dateSource(name: string, body: JsonObject): CompositeSource {
  checkOptions('date_histogram', body, {
    used: [
      ...commonOptions,
      'fixed_interval',
      'calendar_interval',
      'interval',
      'time_zone',
      'offset',
      'format',
    ],
    ignored: ['value_type'],
    refused: ['script'],
  });
  const placement = parsePlacement(body, 'date_histogram');
  const options = Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'order'));
  const params = parseDateBuckets(options, name);
  const { format, zone } = params;
  return {
    name,
    missingBucket: placement.missingBucket,
    rounding: dateRounding(params.interval, zone),
    resolve: (context) => ({
      ...placement,
      kind: 'integer',
      part: partFor(dateBucketKeys(params, context), 'integer', placement),
      print: (text) =>
        format === undefined
          ? Number(text)
          : shardDateFormat(format).print({ ms: Number(text), nanos: 0 }, zone),
      read: (value) => param(dateOf(value, format, context.now, zone), 'Int64'),
    }),
  };
}
