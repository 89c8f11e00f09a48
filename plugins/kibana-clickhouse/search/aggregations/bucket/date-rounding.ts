import type { TimeZone } from '../../values/time-zone';
import { type OffsetSegment, type ZoneOffsets, zoneOffsets } from './zone-offsets';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
/** No offset of the time zone database, nor a jump between two, is longer (ms). */
const widestOffset = 26 * hour;
/** The Monday from which calendar weeks are counted (epoch ms of its local midnight). */
const firstMonday = 4 * day;

export type CalendarUnit =
  'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** How wide buckets are: a number of ms, or a unit of the calendar. */
export type DateInterval =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'calendar'; readonly unit: CalendarUnit };

/** Bucket starts of an interval in a time zone, as Elasticsearch 7.17 rounds (`Rounding`). */
export interface DateRounding {
  readonly interval: DateInterval;
  readonly zone: ZoneOffsets;
  /** Start of the bucket that holds an instant; epoch ms both. */
  readonly round: (instant: number) => number;
  /** Start of the bucket after the one that starts at `key`. */
  readonly next: (key: number) => number;
}

/** Steps of equal length in local time; months, quarters and years have none. */
export interface LocalStep {
  readonly ms: number;
  /** A local time at which a step begins. */
  readonly anchor: number;
}

const unitSteps: Readonly<Partial<Record<CalendarUnit, LocalStep>>> = {
  second: { ms: second, anchor: 0 },
  minute: { ms: minute, anchor: 0 },
  hour: { ms: hour, anchor: 0 },
  day: { ms: day, anchor: 0 },
  week: { ms: week, anchor: firstMonday },
};
const monthsOf: Readonly<Partial<Record<CalendarUnit, number>>> = {
  month: 1,
  quarter: 3,
  year: 12,
};

/** The step of an interval in local time, where it has one. */
export const localStep = (interval: DateInterval): LocalStep | undefined =>
  interval.kind === 'fixed' ? { ms: interval.ms, anchor: 0 } : unitSteps[interval.unit];

/** Days and longer begin at the first midnight of their first day, whatever the clock did. */
export const beginsAtMidnight = (interval: DateInterval): boolean =>
  interval.kind === 'calendar' && !['second', 'minute', 'hour'].includes(interval.unit);

/** Rounds to the starts of buckets in a time zone. */
export function dateRounding(interval: DateInterval, timeZone: TimeZone): DateRounding {
  const zone = zoneOffsets(timeZone);
  if (beginsAtMidnight(interval)) return midnightRounding(interval, zone);
  const step = localStep(interval) ?? { ms: day, anchor: 0 };
  const round =
    interval.kind === 'fixed'
      ? (instant: number) => roundInterval(instant, step.ms, zone)
      : (instant: number) => roundTime(instant, step.ms, zone);
  return { interval, zone, round, next: (key) => nextStart(key, step.ms, zone, round) };
}

const floorTo = (value: number, step: number): number => Math.floor(value / step) * step;

/** The local time at which the bucket of a local time begins. */
export function localFloor(interval: DateInterval, local: number): number {
  const step = localStep(interval);
  return step ? floorTo(local - step.anchor, step.ms) + step.anchor : floorMonths(interval, local);
}

/** The local time at which the bucket after the one that begins at `start` begins. */
export function localNext(interval: DateInterval, start: number): number {
  const step = localStep(interval);
  if (step) return start + step.ms;
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthCount(interval), 1);
}

function floorMonths(interval: DateInterval, local: number): number {
  const date = new Date(local);
  const month = floorTo(date.getUTCMonth(), monthCount(interval));
  return Date.UTC(date.getUTCFullYear(), month, 1);
}

const monthCount = (interval: DateInterval): number =>
  interval.kind === 'calendar' ? (monthsOf[interval.unit] ?? 1) : 1;

const around = (instant: number, zone: ZoneOffsets): readonly OffsetSegment[] =>
  zone.segments(instant - 2 * widestOffset, instant + 2 * widestOffset);

/** The instants at which clocks show a local time, earliest first: none in a gap, two in an overlap. */
export const instantsOf = (local: number, zone: ZoneOffsets): readonly number[] =>
  around(local, zone)
    .filter(({ from, to, offset }) => local - offset >= from && local - offset < to)
    .map(({ offset }) => local - offset);

/** The instant at which clocks jumped over a local time. */
function gapStart(local: number, zone: ZoneOffsets): number {
  const segments = around(local, zone);
  const after = segments.find(
    ({ from, offset }, i) =>
      local < from + offset && local >= from + (segments[i - 1]?.offset ?? Infinity),
  );
  return after?.from ?? local - zone.offsetAt(local);
}

/** The last change of the offset in `(since, instant]`. */
function lastChange(instant: number, since: number, zone: ZoneOffsets): number | undefined {
  const segments = zone.segments(since, instant);
  return segments.length > 1 ? segments.at(-1)?.from : undefined;
}

/** Elasticsearch's `TimeIntervalRounding`. */
function roundInterval(instant: number, step: number, zone: ZoneOffsets): number {
  const local = floorTo(instant + zone.offsetAt(instant), step);
  const starts = instantsOf(local, zone);
  if (starts.length === 0) return gapStart(local, zone);
  const change = lastChange(instant, instant - step - widestOffset, zone);
  for (const start of starts.toReversed()) {
    // rounding over a change can miss the bucket of the instant before it
    if (change !== undefined && start < change) return roundInterval(change - 1, step, zone);
    if (start <= instant) return start;
  }
  return starts[0] ?? instant;
}

/** Elasticsearch's `TimeUnitRounding` for units below a day. */
function roundTime(instant: number, step: number, zone: ZoneOffsets): number {
  const local = floorTo(instant + zone.offsetAt(instant), step);
  const start = instantsOf(local, zone).findLast((candidate) => candidate <= instant);
  const change = lastChange(instant, instant - step - widestOffset, zone);
  if (start !== undefined && (change === undefined || change <= start)) return start;
  return change === undefined ? instant : roundTime(change - 1, step, zone);
}

/** The first start after `key`: on the grid of its offset, or where the offset changes. */
function nextStart(
  key: number,
  step: number,
  zone: ZoneOffsets,
  round: (instant: number) => number,
): number {
  let start = key;
  for (;;) {
    const offset = zone.offsetAt(start);
    const aligned = floorTo(start + offset, step) + step - offset;
    const [here] = zone.segments(start, aligned);
    start = here ? here.to : aligned;
    if (start > key && round(start) === start) return start;
  }
}

/** Elasticsearch's `TimeUnitRounding` for days and longer. */
function midnightRounding(interval: DateInterval, zone: ZoneOffsets): DateRounding {
  const firstTimeOn = (midnight: number): number =>
    instantsOf(midnight, zone)[0] ?? gapStart(midnight, zone);
  const startOf = (instant: number): number =>
    localFloor(interval, instant + zone.offsetAt(instant));
  return {
    interval,
    zone,
    round: (instant) => firstTimeOn(startOf(instant)),
    next: (key) => firstTimeOn(localNext(interval, startOf(key))),
  };
}
