import { illegalArgument, parsingError } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
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

/**
 * The interval of a date_histogram: exactly one of `fixed_interval`, `calendar_interval` and the
 * legacy `interval` (words and single units are calendar, else fixed). Throws Elasticsearch's errors.
 */
export function parseInterval(body: JsonObject): DateInterval {
  const given = ['calendar_interval', 'fixed_interval', 'interval'].filter(
    (key) => option(body, key) !== undefined,
  );
  if (given.length === 0)
    throw illegalArgument('Invalid interval specified, must be non-null and non-empty');
  if (given.length > 1)
    throw illegalArgument(
      `Cannot use [${given[1] ?? ''}] with [${given[0] ?? ''}] configuration option.`,
    );
  const key = given[0] ?? '';
  const text = textOption(body, key, name) ?? '';
  if (key === 'calendar_interval') return calendarInterval(text);
  if (key === 'fixed_interval') return fixedInterval(text, 'fixed_interval');
  return legacyInterval(body, text);
}

function calendarUnit(text: string): CalendarUnit | undefined {
  return Object.hasOwn(calendarWords, text) ? calendarWords[text] : undefined;
}

function calendarInterval(text: string): DateInterval {
  const unit = calendarUnit(text);
  if (unit === undefined)
    throw parsingError(
      `The supplied interval [${text}] could not be parsed as a calendar interval.`,
    );
  return { kind: 'calendar', unit };
}

function fixedInterval(text: string, setting: string): DateInterval {
  return { kind: 'fixed', ms: positive(timeMillis(text, setting, false), text) };
}

function legacyInterval(body: JsonObject, text: string): DateInterval {
  const value = option(body, 'interval');
  if (typeof value === 'number') return { kind: 'fixed', ms: positive(Math.trunc(value), text) };
  const unit = calendarUnit(text);
  return unit === undefined
    ? { kind: 'fixed', ms: positive(timeMillis(text, 'interval', false), text) }
    : { kind: 'calendar', unit };
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
  const ms = timeMillis(size, `${name}.offset`, true);
  return sign === '-' ? -ms : ms;
}

/** A whole number with a unit from ms to d. Throws as Elasticsearch's `TimeValue` does. */
function timeMillis(text: string, setting: string, allowZero: boolean): number {
  const [, digits, unit] = /^\s*(\d+)\s*(ms|s|m|h|d)\s*$/i.exec(text) ?? [];
  const factor =
    unit === undefined ? undefined : unitMillis[unit === 'M' ? '' : unit.toLowerCase()];
  if (allowZero && /^\s*0+\s*$/.test(text)) return 0;
  if (digits === undefined || factor === undefined)
    throw illegalArgument(
      `failed to parse setting [${setting}] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  return Number(digits) * factor;
}
