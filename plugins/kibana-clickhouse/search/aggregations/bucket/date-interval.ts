import { illegalArgument, shardIllegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import { parseTimeValue } from '../../../common/time/time-value';
import { parseField } from '../../request/parse-field';
import { option, textOption } from '../options';
import type { CalendarUnit, DateInterval } from './date-rounding';

const name = 'date_histogram';

const calendarWords: Readonly<Record<string, CalendarUnit>> = {
  '1s': 'second',
  second: 'second',
  '1m': 'minute',
  minute: 'minute',
  '1h': 'hour',
  hour: 'hour',
  '1d': 'day',
  day: 'day',
  '1w': 'week',
  week: 'week',
  '1M': 'month',
  month: 'month',
  '1q': 'quarter',
  quarter: 'quarter',
  '1y': 'year',
  year: 'year',
};

const intervalKeys = ['calendar_interval', 'fixed_interval', 'interval'];

/**
 * The interval of a date_histogram: exactly one of `fixed_interval`, `calendar_interval` and the
 * legacy `interval` (words and single units are calendar, else fixed). Throws Elasticsearch's errors.
 */
export function parseInterval(body: JsonObject): DateInterval {
  const given = Object.keys(body).filter(
    (key) => intervalKeys.includes(key) && option(body, key) !== undefined,
  );
  const [key, second] = given;
  if (key === undefined)
    throw shardIllegalArgument('Invalid interval specified, must be non-null and non-empty');
  const text = textOption(body, key, name) ?? '';
  if (key === 'interval' && second === undefined) return positive(legacyInterval(body, text));
  const interval = parseField(name, second ?? key, () => {
    if (second !== undefined)
      throw illegalArgument(`Cannot use [${second}] with [${key}] configuration option.`);
    return key === 'calendar_interval' ? calendarInterval(text) : fixedInterval(text);
  });
  return positive(interval);
}

/** The unit of a calendar interval: `month`, `1M`; undefined for other texts. */
export function calendarUnit(text: string): CalendarUnit | undefined {
  return Object.hasOwn(calendarWords, text) ? calendarWords[text] : undefined;
}

function calendarInterval(text: string): DateInterval {
  const unit = calendarUnit(text);
  if (unit === undefined)
    throw illegalArgument(
      `The supplied interval [${text}] could not be parsed as a calendar interval.`,
    );
  return { kind: 'calendar', unit };
}

const fixedInterval = (text: string): DateInterval => ({
  kind: 'fixed',
  ms: parseTimeValue(text, `${name}.fixedInterval`),
});

/** The interval itself; a shard refuses one that is not above zero. */
function positive(interval: DateInterval): DateInterval {
  if (interval.kind === 'fixed' && interval.ms <= 0)
    throw shardIllegalArgument('Zero or negative time interval not supported');
  return interval;
}

function legacyInterval(body: JsonObject, text: string): DateInterval {
  const value = option(body, 'interval');
  if (typeof value === 'number') return { kind: 'fixed', ms: wholeInterval(value) };
  const unit = calendarUnit(text);
  if (unit !== undefined) return { kind: 'calendar', unit };
  try {
    return fixedInterval(text);
  } catch {
    throw shardIllegalArgument(`Unable to parse interval [${text}]`);
  }
}

/** A bare number is one of milliseconds. */
const wholeInterval = (value: number): number =>
  parseField(name, 'interval', () => {
    const ms = Math.trunc(value);
    if (ms >= 1) return ms;
    throw illegalArgument(`[interval] must be 1 or greater for aggregation [${name}]`);
  });

/** `+6h`, `-1d`, or a number of ms, as ms: how far buckets are moved. */
export function parseOffset(body: JsonObject): number {
  const value = option(body, 'offset');
  if (value === undefined) return 0;
  if (typeof value === 'number') return Math.trunc(value);
  const text = textOption(body, 'offset', name) ?? '';
  const [, sign = '', size = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const ms = parseTimeValue(size, 'DateHistogramAggregationBuilder.parseOffset');
  return sign === '-' ? -ms : ms;
}
