import {
  aggregate,
  array,
  binary,
  call,
  column,
  integer,
  lambda,
  param,
} from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { unsupported } from '../../../common/errors/catalogue';
import type { TimeZone } from '../../values/time-zone';
import type { ParentKeys } from '../definition';
import { dateRounding } from './date-rounding';
import { zoneOffsets } from './zone-offsets';

/** Units in which an auto_date_histogram counts, as `minimum_interval` names them, the finest first. */
export const autoUnits = ['second', 'minute', 'hour', 'day', 'month', 'year'] as const;

export type AutoUnit = (typeof autoUnits)[number];

/** One of the intervals that can be chosen: a number of units. */
export interface AutoInterval {
  readonly unit: AutoUnit;
  readonly count: number;
}

const counts: Readonly<Record<AutoUnit, readonly number[]>> = {
  second: [1, 5, 10, 30],
  minute: [1, 5, 10, 30],
  hour: [1, 3, 12],
  day: [1, 7],
  month: [1, 3],
  year: [1, 5, 10, 20, 50, 100],
};

/** All intervals, the finest first (Elasticsearch 7.17 `AutoDateHistogramAggregationBuilder.buildRoundings`). */
const intervals: readonly AutoInterval[] = autoUnits.flatMap((unit) =>
  counts[unit].map((count) => ({ unit, count })),
);

const letters: Readonly<Record<AutoUnit, string>> = {
  second: 's',
  minute: 'm',
  hour: 'h',
  day: 'd',
  month: 'M',
  year: 'y',
};

/** `30m`, `7d`, `3M`. */
export const intervalText = ({ unit, count }: AutoInterval): string =>
  `${String(count)}${letters[unit]}`;

const unitMs: Readonly<Partial<Record<AutoUnit, number>>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
};

/** How the intervals of a zone are counted. */
export interface AutoGrid {
  readonly zone: TimeZone;
  /** Part of an hour (ms) by which the zone's hours begin before those of UTC. */
  readonly shift: number;
}

/**
 * The grid of a zone between two instants (epoch ms). Refuses a zone whose clocks move by parts of an hour in between:
 * its hours have no one grid.
 */
export function autoGrid(zone: TimeZone, from: number, to: number): AutoGrid {
  const hour = 3_600_000;
  const offsets = zoneOffsets(zone).segments(Math.min(from, to), to);
  const [shift = 0, second] = new Set(offsets.map(({ offset }) => ((offset % hour) + hour) % hour));
  if (second !== undefined)
    throw unsupported(
      `aggregation [auto_date_histogram] in the time zone [${zone.id}], whose clocks move by a part of an hour`,
    );
  return { zone, shift };
}

/** A key is the number of the interval and that of its first unit, counted from 1970 on. */
const keyBase = 2 ** 40;
const keyOrigin = 2 ** 39;

/** The number of the unit that an instant (epoch ms, Int64) lies in, counted from 1970 on in local time. */
function unitNumber(unit: AutoUnit, instant: Expr, { zone, shift }: AutoGrid): Expr {
  const ms = unitMs[unit];
  if (ms !== undefined) {
    const moved = binary('+', instant, integer(unit === 'hour' ? shift : 0));
    const floor = binary('-', moved, call('positiveModulo', moved, integer(ms)));
    return call('intDiv', floor, integer(ms));
  }
  const local = localTime(instant, zone);
  if (unit === 'day') return call('toInt64', call('toInt32', call('toDate32', local)));
  const year = call('toInt64', call('toYear', local));
  if (unit === 'year') return year;
  return binary('+', binary('*', year, integer(12)), call('toMonth', local));
}

/** As a DateTime64 whose parts are those of the zone's clocks. */
function localTime(instant: Expr, { zone }: TimeZone): Expr {
  const isFixed = zone.isUniversal;
  const moved = isFixed ? binary('+', instant, integer(zone.offset(0) * 60_000)) : instant;
  return call('fromUnixTimestamp64Milli', moved, param(isFixed ? 'UTC' : zone.name, 'String'));
}

/**
 * Keys by the finest interval of which the documents of a bucket need no more than `buckets`. The interval and its first unit
 * follow from the bucket's first and last document; they are found in the statement, so that nothing is asked twice.
 */
export function autoKeys(
  grid: AutoGrid,
  { buckets, minimum }: { readonly buckets: number; readonly minimum: AutoUnit },
): ParentKeys {
  const allowed = intervals.flatMap(({ unit }, number) =>
    autoUnits.indexOf(unit) >= autoUnits.indexOf(minimum) ? [number] : [],
  );
  const last = allowed.at(-1) ?? 0;
  const limits = intervals.map(({ count }) => integer(count * buckets));
  const unitOf = (number: Expr): Expr => oneOf(unitPlaces, number);
  return {
    summary: (instant) => {
      const from = unitNumbers(aggregate('min', instant), grid);
      const to = unitNumbers(aggregate('max', instant), grid);
      const number = column('number');
      const steps = binary('-', oneOf(to, unitOf(number)), oneOf(from, unitOf(number)));
      const fits = binary('<', steps, oneOf(limits, number));
      const candidates = array(allowed.slice(0, -1).map(integer));
      const found = call('arrayFirstOrNull', lambda('number', fits), candidates);
      const chosen = call('ifNull', found, integer(last));
      const first = binary('+', oneOf(from, unitOf(chosen)), integer(keyOrigin));
      return call('ifNull', binary('+', binary('*', chosen, integer(keyBase)), first), integer(0));
    },
    key: (instant, summary) => {
      const number = call('intDiv', summary, integer(keyBase));
      const first = binary('-', call('modulo', summary, integer(keyBase)), integer(keyOrigin));
      const unit = oneOf(unitNumbers(instant, grid), unitOf(number));
      const count = oneOf(
        intervals.map((interval) => integer(interval.count)),
        number,
      );
      const start = binary('-', unit, call('positiveModulo', binary('-', unit, first), count));
      const base = binary('+', binary('*', number, integer(keyBase)), integer(keyOrigin));
      return binary('+', base, start);
    },
  };
}

/** For each interval the place of its unit. */
const unitPlaces: readonly Expr[] = intervals.map(({ unit }) => integer(autoUnits.indexOf(unit)));

const unitNumbers = (instant: Expr, grid: AutoGrid): readonly Expr[] =>
  autoUnits.map((unit) => unitNumber(unit, instant, grid));

/** One of some values, by its place from 0 on. */
const oneOf = (values: readonly Expr[], place: Expr): Expr =>
  call('arrayElement', array(values), binary('+', place, integer(1)));

/** What a key stands for. */
export interface AutoKey {
  readonly interval: AutoInterval;
  /** Number of the first unit. */
  readonly start: number;
}

/** Reads a key back. */
export function readAutoKey(key: number): AutoKey {
  const interval = intervals[Math.floor(key / keyBase)] ?? { unit: 'second', count: 1 };
  return { interval, start: (key % keyBase) - keyOrigin };
}

/** The instant (epoch ms) at which a unit begins. */
export function unitStart(unit: AutoUnit, number: number, { zone, shift }: AutoGrid): number {
  const ms = unitMs[unit];
  if (ms !== undefined) return number * ms - (unit === 'hour' ? shift : 0);
  const noon = localNoon(unit, number);
  const rounding = dateRounding({ kind: 'calendar', unit }, zone);
  return rounding.round(noon - rounding.zone.offsetAt(noon));
}

/** Midday of a unit's first day, as ms of the same date and time in UTC. */
function localNoon(unit: AutoUnit, number: number): number {
  const half = 43_200_000;
  if (unit === 'day') return number * 2 * half + half;
  if (unit === 'year') return Date.UTC(number, 0, 1) + half;
  const month = number - 1;
  return Date.UTC(Math.floor(month / 12), month % 12, 1) + half;
}
