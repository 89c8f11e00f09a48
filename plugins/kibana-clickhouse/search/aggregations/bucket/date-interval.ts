import { illegalArgument, shardIllegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
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

const unitMillis: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
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
  if (key === 'interval' && second === undefined) return legacyInterval(body, text);
  return parseField(name, second ?? key, () => {
    if (second !== undefined)
      throw illegalArgument(`Cannot use [${second}] with [${key}] configuration option.`);
    return key === 'calendar_interval' ? calendarInterval(text) : fixedInterval(text);
  });
}

function calendarUnit(text: string): CalendarUnit | undefined {
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
  ms: positive(readTime(text, `${name}.fixedInterval`), text),
});

function legacyInterval(body: JsonObject, text: string): DateInterval {
  const value = option(body, 'interval');
  if (typeof value === 'number') return { kind: 'fixed', ms: positive(Math.trunc(value), text) };
  const unit = calendarUnit(text);
  if (unit !== undefined) return { kind: 'calendar', unit };
  const ms = timeMillis(text);
  if (ms === undefined) throw shardIllegalArgument(`Unable to parse interval [${text}]`);
  return { kind: 'fixed', ms: positive(ms, text) };
}

function positive(ms: number, text: string): number {
  if (ms <= 0) throw illegalArgument(`Zero or negative time interval not supported: [${text}]`);
  return ms;
}

/** `+6h`, `-1d`, or a number of ms, as ms: how far buckets are moved. */
export function parseOffset(body: JsonObject): number {
  const value = option(body, 'offset');
  if (value === undefined) return 0;
  if (typeof value === 'number') return Math.trunc(value);
  const text = textOption(body, 'offset', name) ?? '';
  const [, sign = '', size = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (/^\s*0+\s*$/.test(size)) return 0;
  const ms = readTime(size, 'DateHistogramAggregationBuilder.parseOffset', text);
  return sign === '-' ? -ms : ms;
}

/** The time that a setting's text means. Throws as Elasticsearch's `TimeValue` does. */
function readTime(text: string, setting: string, shown = text): number {
  const ms = timeMillis(text);
  if (ms !== undefined) return ms;
  throw illegalArgument(
    `failed to parse setting [${setting}] with value [${shown}] as a time value: unit is missing or unrecognized`,
  );
}

/** A whole number with a unit from ms to d, in ms. */
function timeMillis(text: string): number | undefined {
  const [, digits, unit] = /^\s*(\d+)\s*(ms|s|m|h|d)\s*$/i.exec(text) ?? [];
  const factor =
    unit === undefined ? undefined : unitMillis[unit === 'M' ? '' : unit.toLowerCase()];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}
