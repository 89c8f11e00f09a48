import { DateTime } from 'luxon';
import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseTimeValue } from '../../../plugins/kibana-clickhouse/common/time/time-value';
import { stringOf } from '../../../plugins/kibana-clickhouse/search/values/field-value';
import type { AggregationRewrite, DateBucket } from './definition';
import { at } from './json-path';

/** A unit that has always the same length (ms), or one of whole months. */
interface Unit {
  readonly ms?: number;
  readonly months?: number;
}

const units: ReadonlyMap<string, Unit> = new Map(
  (
    [
      [['second', '1s'], { ms: 1000 }],
      [['minute', '1m'], { ms: 60_000 }],
      [['hour', '1h'], { ms: 3_600_000 }],
      [['day', '1d'], { ms: 86_400_000 }],
      [['week', '1w'], { ms: 604_800_000 }],
      [['month', '1M'], { months: 1 }],
      [['quarter', '1q'], { months: 3 }],
      [['year', '1y'], { months: 12 }],
    ] as const
  ).flatMap(([names, unit]) => names.map((name): [string, Unit] => [name, unit])),
);

/**
 * `rate` by a sum, a number of values or the number of documents, divided by how often its unit fits into the bucket. Days
 * and weeks count as 24 and 168 hours whatever clocks do; months have the length they have (`Rounding.roundingSize`).
 */
export const rate: AggregationRewrite = {
  type: 'rate',
  judged: ({ field, mode, missing, script }) => {
    if (field === undefined && script === undefined) return { filter: { match_all: {} } };
    const source = {
      ...(field !== undefined && { field }),
      ...(script !== undefined && { script }),
      ...(missing !== undefined && { missing }),
    };
    return mode === 'value_count' ? { value_count: source } : { sum: source };
  },
  restored: (answer, { unit }, { dateBucket }) => {
    const counted = at(answer, 'doc_count') ?? at(answer, 'value');
    if (dateBucket === undefined || typeof counted !== 'number') return answer;
    return {
      value:
        counted === 0
          ? 0
          : counted / divisor(unit === undefined ? undefined : stringOf(unit), dateBucket),
    };
  },
};

/** NaN, which no answer has, where Elasticsearch refuses the unit. */
function divisor(name: string | undefined, { histogram, key }: DateBucket): number {
  if (name === undefined) return 1;
  const { ms = 0, months = 0 } = units.get(name) ?? {};
  const bucket = intervalOf(histogram);
  if (bucket.ms !== undefined) return ms > 0 ? bucket.ms / ms : Number.NaN;
  const length = bucket.months ?? 0;
  return months > 0 ? length / months : monthsMillis(histogram, key, length) / ms;
}

function intervalOf(histogram: JsonObject): Unit {
  const { fixed_interval: fixed, calendar_interval: calendar, interval } = histogram;
  const words = calendar ?? interval;
  const unit = words === undefined ? undefined : units.get(stringOf(words));
  return unit ?? { ms: parseTimeValue(stringOf(fixed ?? interval ?? ''), 'interval') };
}

function monthsMillis(histogram: JsonObject, key: number, months: number): number {
  const { time_zone: zone = 'UTC' } = histogram;
  const start = DateTime.fromMillis(key, { zone: stringOf(zone) });
  return start.plus({ months }).toMillis() - key;
}
