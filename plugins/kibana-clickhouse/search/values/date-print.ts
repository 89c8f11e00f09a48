import { type LocalDateTime, dayOfWeek, daysSinceEpoch } from './calendar';
import {
  type PatternToken,
  anyZoneLetter,
  dayNames,
  fourDigitYear,
  fractionLetter,
  monthNames,
  nanosLetter,
} from './date-pattern';
import type { TimeZone } from './time-zone';

/** What a date and time is apart from UTC: ms, and the zone that says so. */
export interface Offset {
  readonly offset: number;
  readonly zone: TimeZone;
}

/** Prints a date and time of a zone by a pattern: every field of it, optional ones too. */
export function printTokens(
  tokens: readonly PatternToken[],
  time: LocalDateTime,
  offset: Offset,
): string {
  const print = (token: PatternToken): string => {
    if (token.kind === 'text') return token.text;
    if (token.kind === 'optional') return token.tokens.map(print).join('');
    const printer = printers[token.letter];
    return printer ? printer(time, token.width, offset) : '';
  };
  return tokens.map(print).join('');
}

type Printer = (time: LocalDateTime, width: number, offset: Offset) => string;

/** Digits with zeros before them. */
export const padded = (value: number, width: number): string => String(value).padStart(width, '0');

const printYear: Printer = ({ year }, width) => {
  if (width === 2) return padded(Math.abs(year) % 100, 2);
  const digits = padded(Math.abs(year), width);
  if (year < 0) return `-${digits}`;
  return width >= 4 && digits.length > width ? `+${digits}` : digits;
};

/** Java's `y` counts the years before 1 from 1 on, backwards. */
const printYearOfEra: Printer = (time, width, offset) =>
  printYear(time.year > 0 ? time : { ...time, year: 1 - time.year }, width, offset);

const printMonth: Printer = ({ month }, width) => {
  if (width < 3) return padded(month, width);
  const name = monthNames[month - 1] ?? '';
  return width === 3 ? name.slice(0, 3) : name;
};

const weekday: Printer = ({ year, month, day }, width) => {
  const name = dayNames[dayOfWeek(daysSinceEpoch(year, month, day)) - 1] ?? '';
  return width < 4 ? name.slice(0, 3) : name;
};

function printOffset(offsetMs: number, separator: string, zero: string): string {
  const minutes = Math.abs(Math.trunc(offsetMs / 60_000));
  if (minutes === 0 && zero !== '') return zero;
  const sign = offsetMs < 0 ? '-' : '+';
  return `${sign}${padded(Math.floor(minutes / 60), 2)}${separator}${padded(minutes % 60, 2)}`;
}

/** At least three digits, at most nine, without zeros at the end. */
const printFraction: Printer = ({ nano }) => `.${padded(nano, 9).replace(/0{1,6}$/, '')}`;

const printZoneName: Printer = (_time, _width, { offset, zone }) =>
  zone.zone.type === 'iana' ? zone.id : printOffset(offset, ':', 'Z');

const printers: Readonly<Record<string, Printer>> = {
  y: printYearOfEra,
  u: printYear,
  M: printMonth,
  L: printMonth,
  d: ({ day }, width) => padded(day, width),
  D: ({ year, month, day }, width) =>
    padded(daysSinceEpoch(year, month, day) - daysSinceEpoch(year, 1, 1) + 1, width),
  H: ({ hour }, width) => padded(hour, width),
  k: ({ hour }, width) => padded(hour === 0 ? 24 : hour, width),
  K: ({ hour }, width) => padded(hour % 12, width),
  h: ({ hour }, width) => padded(hour % 12 === 0 ? 12 : hour % 12, width),
  a: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  m: ({ minute }, width) => padded(minute, width),
  s: ({ second }, width) => padded(second, width),
  S: ({ nano }, width) => padded(nano, 9).slice(0, width).padEnd(width, '0'),
  n: ({ nano }, width) => padded(nano, width),
  E: weekday,
  Q: ({ month }, width) => padded(Math.ceil(month / 3), width),
  X: (_time, width, { offset }) => printOffset(offset, width >= 3 ? ':' : '', 'Z'),
  x: (_time, width, { offset }) => printOffset(offset, width >= 3 ? ':' : '', ''),
  Z: (_time, width, { offset }) =>
    printOffset(offset, width >= 5 ? ':' : '', width >= 5 ? 'Z' : ''),
  z: printZoneName,
  V: printZoneName,
  [fourDigitYear]: (time, _width, offset) => printYear(time, 4, offset),
  [fractionLetter]: printFraction,
  [nanosLetter]: printFraction,
  [anyZoneLetter]: (_time, _width, { offset }) => printOffset(offset, ':', 'Z'),
};
