import { illegalArgument } from '../../../common/errors/catalogue';
import type { CalendarUnit, DateInterval, DateRounding } from './date-rounding';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Units that always have one length (ms), and those of whole months. */
const lengths: Readonly<
  Record<CalendarUnit, { readonly ms: number } | { readonly months: number }>
> = {
  second: { ms: 1000 },
  minute: { ms: minute },
  hour: { ms: hour },
  day: { ms: day },
  week: { ms: 7 * day },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { months: 12 },
};

/**
 * How often a unit fits into the bucket that begins at `start` (epoch ms): days have 24 hours whatever clocks do, months the
 * length that they have (Elasticsearch `Rounding.roundingSize`). Throws its 400 for months in what is no calendar of months.
 */
export function unitsIn(unit: CalendarUnit, start: number, rounding: DateRounding): number {
  const wanted = lengths[unit];
  const own = lengthOf(rounding.interval);
  if ('ms' in wanted) return ('ms' in own ? own.ms : rounding.next(start) - start) / wanted.ms;
  if ('months' in own) return own.months / wanted.months;
  throw illegalArgument(noMonths(unit, rounding.interval));
}

const lengthOf = (interval: DateInterval): { readonly ms: number } | { readonly months: number } =>
  interval.kind === 'fixed' ? interval : lengths[interval.unit];

const noMonths = (unit: CalendarUnit, interval: DateInterval): string =>
  interval.kind === 'fixed'
    ? `Cannot use month-based rate unit [${unit}] with fixed interval based histogram, only week, day, hour, minute and second are supported for this histogram`
    : `Cannot use month-based rate unit [${unit}] with non-month based calendar interval histogram [${interval.unit}] only week, day, hour, minute and second are supported for this histogram`;
