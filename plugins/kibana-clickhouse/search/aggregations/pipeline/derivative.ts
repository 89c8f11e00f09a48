import { reduceArgument, unsupported } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import type { AggregationType } from '../definition';
import { numberOf } from './bucket-value';
import { bucketValues, withAnswers } from './over-values';
import { readOptions } from './pipeline-options';
import { needsHistogram } from './placement';
import { simpleValue } from './simple-value';

const name = 'derivative';

/**
 * `{"derivative": {"buckets_path": "bytes", "unit": "1s"}}`: how far a value is from that of the bucket before; with `unit` also
 * per that time (`normalized_value`). None in the first bucket; null beside a gap (Elasticsearch 7.17
 * `DerivativePipelineAggregator`).
 */
export const derivative: AggregationType = {
  name,
  parse(body, aggregation) {
    const options = readOptions(body, {
      type: name,
      aggregation,
      extra: { unit: ['VALUE_STRING'] },
    });
    const unit = typeof body['unit'] === 'string' ? unitMillis(body['unit']) : undefined;
    return {
      family: 'pipeline',
      type: name,
      params: { ...options, unit },
      paths: options.paths,
      validate: needsHistogram(name, aggregation),
      overBuckets: (named, buckets, surroundings) => {
        const values = bucketValues(buckets, options, surroundings);
        const answers = buckets.map((bucket, i): JsonObject | undefined => {
          const [last, value] = [values[i - 1], values[i]];
          if (last === undefined || value === undefined) return undefined;
          const distance = numberOf(bucket['key']) - numberOf(buckets[i - 1]?.['key']);
          return write(value - last, unit && distance / unit, options.print);
        });
        return withAnswers(buckets, named, answers);
      },
    };
  },
};

const write = (
  difference: number,
  units: number | undefined,
  print: ((value: number) => string) | undefined,
): JsonObject => ({
  ...simpleValue(difference, print),
  ...(units !== undefined &&
    units > 0 &&
    simpleValue(difference / units, print, 'normalized_value')),
});

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000] as const;

/** Calendar units by their mean length, as Java's `ChronoUnit` has it. */
const calendarUnits: Readonly<Record<string, number>> = {
  second,
  '1s': second,
  minute,
  '1m': minute,
  hour,
  '1h': hour,
  day,
  '1d': day,
  week: 7 * day,
  '1w': 7 * day,
  month: 2_629_746_000,
  '1M': 2_629_746_000,
  quarter: 7_889_238_000,
  '1q': 7_889_238_000,
  year: 31_556_952_000,
  '1y': 31_556_952_000,
};

const timeUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: second,
  m: minute,
  h: hour,
  d: day,
};

/** A unit in ms. Throws what Elasticsearch says of a time value that is none. */
function unitMillis(text: string): number {
  const calendar = calendarUnits[text];
  if (calendar !== undefined) return calendar;
  const [, count, unit = ''] = /^(\d+)(ms|s|m|h|d)$/.exec(text.trim().toLowerCase()) ?? [];
  const millis = timeUnits[unit];
  if (count !== undefined && millis !== undefined) return Number(count) * millis;
  if (/^[\d.]+(?:micros|nanos|ms|s|m|h|d)$/.test(text))
    throw unsupported(`unit [${text}] of aggregation [${name}]`);
  throw reduceArgument(
    `failed to parse setting [DerivativePipelineAggregationBuilder.unit] with value [${text}] as a time value: unit is missing or unrecognized`,
  );
}
