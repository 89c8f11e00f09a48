/** A moment: whole ms since 1970 and the ns within that ms (0 to 999,999). */
export interface Instant {
  readonly ms: number;
  readonly nanos: number;
}

/** A date and time without zone; month and day count from 1. */
export interface LocalDateTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 to 999,999,999. */
  readonly nano: number;
}

const dayMs = 86_400_000;
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeapYear = (year: number): boolean =>
  year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysOfMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (monthDays[month - 1] ?? 0);

/** Whether there is such a date and time (proleptic Gregorian calendar, no leap seconds). */
export const isDateTime = ({ year, month, day, hour, minute, second }: LocalDateTime): boolean =>
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= daysOfMonth(year, month) &&
  hour <= 23 &&
  minute <= 59 &&
  second <= 59;

/** A date of the 29th to the 31st in a month that ends before: its last day. Other dates stay as they are. */
export function clampToMonth(time: LocalDateTime): LocalDateTime {
  const last = daysOfMonth(time.year, time.month);
  return time.day > last && time.day <= 31 && last > 0 ? { ...time, day: last } : time;
}

/** Days since 1970-01-01 of a date (after Howard Hinnant's public-domain `days_from_civil`). */
export function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * 146_097 + dayOfEra + dayOfYear - 719_468;
}

/** A date and time as ms since 1970 if its zone were UTC; what is finer than a ms is left out. */
export const localMs = (time: LocalDateTime): number =>
  daysSinceEpoch(time.year, time.month, time.day) * dayMs +
  time.hour * 3_600_000 +
  time.minute * 60_000 +
  time.second * 1000 +
  Math.floor(time.nano / 1e6);

/** The other way: ms since 1970 in UTC, and ns within the ms, as date and time. */
export function toLocalDateTime({ ms, nanos }: Instant): LocalDateTime {
  const days = Math.floor(ms / dayMs);
  const rest = ms - days * dayMs;
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    hour: Math.floor(rest / 3_600_000),
    minute: Math.floor(rest / 60_000) % 60,
    second: Math.floor(rest / 1000) % 60,
    nano: (rest % 1000) * 1e6 + nanos,
  };
}

/** Day of the week, 1 (Monday) to 7, of days since 1970. */
export const dayOfWeek = (days: number): number => ((((days + 3) % 7) + 7) % 7) + 1;

/** Nanoseconds since 1970. */
export const toEpochNanos = ({ ms, nanos }: Instant): bigint =>
  BigInt(ms) * 1_000_000n + BigInt(nanos);

/** The instant of nanoseconds since 1970. */
export function fromEpochNanos(value: bigint): Instant {
  const nanos = ((value % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return { ms: Number((value - nanos) / 1_000_000n), nanos: Number(nanos) };
}
