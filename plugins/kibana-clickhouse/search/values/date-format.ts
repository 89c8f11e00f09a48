import { illegalArgument, ofShard, unsupported } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import {
  type Instant,
  type LocalDateTime,
  clampToMonth,
  daysSinceEpoch,
  isDateTime,
  localMs,
  toLocalDateTime,
} from './calendar';
import {
  type PatternMatch,
  type PatternToken,
  anyZoneLetter,
  compileReader,
  fourDigitYear,
  fractionLetter,
  monthNames,
  nanosLetter,
  parsePattern,
} from './date-pattern';
import { padded, printTokens } from './date-print';
import { type TimeZone, findTimeZone, localToEpoch, offsetAt, utc } from './time-zone';

/** A date format: one pattern or several joined by `||`. */
export interface DateFormat {
  /** As it was given. */
  readonly text: string;
  /**
   * Reads a date; undefined when the text is none. Missing parts of the time are its start, or with
   * `roundUp` its last ns; a missing month or day is 01 either way. With `roundUp` the 30th of February is its last
   * day, else it is no date. `zone` applies to texts without one.
   */
  parse(text: string, options?: ParseOptions): Instant | undefined;
  /** Prints in the first of the patterns. */
  print(instant: Instant, zone?: TimeZone): string;
  /** Prints a date and time in UTC in the first of the patterns, beyond what an `Instant` can hold, too. */
  printTime(time: LocalDateTime): string;
}

export interface ParseOptions {
  readonly roundUp?: boolean;
  readonly zone?: TimeZone;
  /** Whether numbers since 1970 are instants, whatever the zone (Elasticsearch 7.17 `DocValueFormat`); default: read as local time. */
  readonly absolute?: boolean;
}

interface Pattern {
  parse(text: string, options: ParseOptions): Instant | undefined;
  print(instant: Instant, zone: TimeZone): string;
  printTime(time: LocalDateTime): string;
}

/** The format of a `date` field's mapping, when it says none. */
export const defaultDateFormat = 'strict_date_optional_time||epoch_millis';
/** The same of a `date_nanos` field. */
export const defaultNanosFormat = 'strict_date_optional_time_nanos||epoch_millis';

const formats = new Map<string, DateFormat>();
const keptFormats = 500;

/** In UTF-16 units; no format that anybody means comes near. */
const maximumLength = 1000;

/**
 * The format of a text: Elasticsearch's names, Java patterns, lists with `||`. Anything else is a 400, and so is a text of more
 * than 1,000 characters.
 */
export function parseDateFormat(text: string): DateFormat {
  const known = formats.get(text);
  if (known) return known;
  if (text.length > maximumLength)
    throw unsupported(`a date format of more than ${String(maximumLength)} characters`);
  const patterns = text.split('||').map(parseSingle);
  const format: DateFormat = {
    text,
    parse: (value, options = {}) => {
      for (const pattern of patterns) {
        const instant = pattern.parse(value, options);
        if (instant) return instant;
      }
      return undefined;
    },
    print: (instant, zone = utc) => patterns[0]?.print(instant, zone) ?? '',
    printTime: (time) => patterns[0]?.printTime(time) ?? '',
  };
  if (formats.size < keptFormats) formats.set(text, format);
  return format;
}

/** As `parseDateFormat`, where Elasticsearch's shards read the format: what is none fails them. */
export function shardDateFormat(text: string): DateFormat {
  try {
    return parseDateFormat(text);
  } catch (error) {
    throw error instanceof ElasticsearchError ? ofShard(error) : error;
  }
}

function strictFormat(text: string): NamedFormat | undefined {
  if (!text.startsWith('strict_')) return undefined;
  const format = named[text.slice('strict_'.length)];
  // the only one of the pair that prints what is finer than a millisecond
  return text === 'strict_date_time' && format
    ? { ...format, print: "yyyy-MM-dd'T'HH:mm:ss%XXX" }
    : format;
}

function parseSingle(text: string): Pattern {
  if (text === '') throw illegalArgument('No date pattern provided');
  if (text === 'epoch_millis') return epochMillis;
  if (text === 'epoch_second') return epochSecond;
  const strict = strictFormat(text);
  const format = strict ?? looseFormat(text);
  if (format !== undefined) return namedPattern(text, format, strict !== undefined);
  const tokens = parsePattern(text);
  return tokenPattern(tokens, tokens);
}

const looseFormat = (text: string): NamedFormat | undefined =>
  text === 'date_optional_time_nanos' ? undefined : named[text];

function namedPattern(text: string, format: NamedFormat, isStrict: boolean): Pattern {
  const tokens = expand((isStrict ? format.strict : undefined) ?? format.pattern);
  const fixed = isStrict || text === 'iso8601' || text.startsWith('basic_');
  const printed = expand(format.print ?? format.pattern);
  const pattern = tokenPattern(fixed ? tokens : tokens.map(loosen), printed);
  return format.zone === undefined ? pattern : inZone(pattern, format.zone);
}

/** Reads dates as of a zone, whatever zone a request asks for; rounded up, Elasticsearch 7.17 reads them in the latter. */
const inZone = (pattern: Pattern, zone: TimeZone): Pattern => ({
  ...pattern,
  parse: (text, options) =>
    pattern.parse(text, options.roundUp === true ? options : { ...options, zone }),
});

/** `yyyy` is a year of four digits here; `#` stands for the fraction of any length, `@` for any zone, `%` for a printed fraction. */
const expand = (pattern: string): readonly PatternToken[] =>
  parsePattern(
    pattern
      .replaceAll('yyyy', fourDigitYear)
      .replaceAll('#', fractionLetter)
      .replaceAll('@', anyZoneLetter)
      .replaceAll('%', nanosLetter),
  );

/** Formats without `strict_` take fewer digits as well. */
function loosen(token: PatternToken): PatternToken {
  if (token.kind === 'optional') return { ...token, tokens: token.tokens.map(loosen) };
  if (token.kind === 'field' && token.letter === fourDigitYear)
    return { ...token, letter: 'y', width: 1 };
  return token.kind === 'field' && 'yMdHms'.includes(token.letter) ? { ...token, width: 1 } : token;
}

interface NamedFormat {
  readonly pattern: string;
  /** Where it prints otherwise than it reads. */
  readonly print?: string;
  /** Where the strict one of the pair reads otherwise. */
  readonly strict?: string;
  /** Where it has one of its own. */
  readonly zone?: TimeZone;
}

const optionalTime = "yyyy[-MM[-dd]]['T'[HH[:mm[:ss[#]]][@]]]";

/** Elasticsearch 7.17 DateFormatters, without the `strict_` of the strict ones; date_optional_time_nanos is strict only. */
const named: Readonly<Record<string, NamedFormat>> = {
  date_optional_time: { pattern: optionalTime, print: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX" },
  // a time only as a whole
  date_optional_time_nanos: {
    pattern: "yyyy[-MM[-dd]]['T'HH:mm:ss[#][@]]",
    print: "yyyy-MM-dd'T'HH:mm:ss%XXX",
  },
  iso8601: { pattern: optionalTime, print: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX" },
  date_time: { pattern: "yyyy-MM-dd'T'HH:mm:ss#@", print: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX" },
  date_time_no_millis: {
    pattern: "yyyy-MM-dd'T'HH:mm:ss[@]",
    strict: "yyyy-MM-dd'T'HH:mm:ss@",
    print: "yyyy-MM-dd'T'HH:mm:ssXXX",
  },
  date: { pattern: 'yyyy-MM-dd' },
  date_hour: { pattern: "yyyy-MM-dd'T'HH" },
  date_hour_minute: { pattern: "yyyy-MM-dd'T'HH:mm" },
  date_hour_minute_second: { pattern: "yyyy-MM-dd'T'HH:mm:ss" },
  date_hour_minute_second_fraction: {
    pattern: "yyyy-MM-dd'T'HH:mm:ss#",
    print: "yyyy-MM-dd'T'HH:mm:ss.SSS",
  },
  date_hour_minute_second_millis: {
    pattern: "yyyy-MM-dd'T'HH:mm:ss#",
    print: "yyyy-MM-dd'T'HH:mm:ss.SSS",
  },
  hour: { pattern: 'HH' },
  hour_minute: { pattern: 'HH:mm' },
  hour_minute_second: { pattern: 'HH:mm:ss' },
  hour_minute_second_millis: { pattern: 'HH:mm:ss#', print: 'HH:mm:ss.SSS' },
  year: { pattern: 'yyyy', print: 'u' },
  year_month: { pattern: 'yyyy-MM' },
  year_month_day: { pattern: 'yyyy-MM-dd' },
  ordinal_date: { pattern: 'yyyy-DDD' },
  // three letters print a year beyond 9999 without a sign
  basic_date: { pattern: 'yyyyMMdd', print: 'uuuMMdd', zone: utc },
  basic_date_time: { pattern: "yyyyMMdd'T'HHmmss#@", print: "uuuMMdd'T'HHmmss.SSSXX" },
  basic_date_time_no_millis: { pattern: "yyyyMMdd'T'HHmmss@", print: "uuuMMdd'T'HHmmssXX" },
};

function tokenPattern(
  parseTokens: readonly PatternToken[],
  printed: readonly PatternToken[],
): Pattern {
  const read = compileReader(parseTokens);
  return {
    parse: (text, options) => {
      const match = read(text);
      return match && toInstant(match, options);
    },
    print: (instant, zone) => {
      const offset = offsetAt(zone, instant.ms);
      const time = toLocalDateTime({ ms: instant.ms + offset, nanos: instant.nanos });
      return printTokens(printed, time, { offset, zone });
    },
    printTime: (time) => printTokens(printed, time, { offset: 0, zone: utc }),
  };
}

function toInstant({ values }: PatternMatch, options: ParseOptions): Instant | undefined {
  const [minute, second] = ['m', 's'].map((letter) => numberAt(values, letter));
  const missing = options.roundUp === true ? lastMoment : firstMoment;
  const given: LocalDateTime = {
    ...dateOf(values),
    hour: hourOf(values) ?? missing.hour,
    minute: minute ?? missing.minute,
    second: second ?? missing.second,
    nano: nanosOf(values) ?? missing.nano,
  };
  // Elasticsearch 7.17 rounds up by a parser that is less strict (ResolverStyle.SMART)
  const time = options.roundUp === true ? clampToMonth(given) : given;
  const zone = zoneOf(values, options);
  if (zone === undefined || !isDateTime(time)) return undefined;
  return { ms: localToEpoch(localMs(time), zone), nanos: time.nano % 1e6 };
}

const firstMoment = { hour: 0, minute: 0, second: 0, nano: 0 };
const lastMoment = { hour: 23, minute: 59, second: 59, nano: 999_999_999 };

function numberAt(values: ReadonlyMap<string, string>, letter: string): number | undefined {
  const value = values.get(letter);
  return value === undefined ? undefined : Number(value);
}

function zoneOf(values: ReadonlyMap<string, string>, options: ParseOptions): TimeZone | undefined {
  const text = values.get(anyZoneLetter);
  return text === undefined ? (options.zone ?? utc) : findTimeZone(text);
}

function dateOf(
  values: ReadonlyMap<string, string>,
): Pick<LocalDateTime, 'year' | 'month' | 'day'> {
  const yearText = values.get('y');
  const base = yearText?.length === 2 ? 2000 : 0;
  const year = yearText === undefined ? 1970 : base + Number(yearText);
  const ordinal = values.get('D');
  if (ordinal !== undefined) {
    const days = daysSinceEpoch(year, 1, 1) + Number(ordinal) - 1;
    return toLocalDateTime({ ms: days * 86_400_000, nanos: 0 });
  }
  return { year, month: monthOf(values.get('M')) ?? 1, day: Number(values.get('d') ?? 1) };
}

function monthOf(text: string | undefined): number | undefined {
  if (text === undefined || /^\d/.test(text)) return text === undefined ? undefined : Number(text);
  return monthNames.findIndex((name) => name.startsWith(text)) + 1;
}

function hourOf(values: ReadonlyMap<string, string>): number | undefined {
  const whole = values.get('H') ?? values.get('k');
  if (whole !== undefined) return Number(whole) % (values.has('k') ? 24 : 100);
  const half = values.get('h') ?? values.get('K');
  return half === undefined ? undefined : (Number(half) % 12) + (values.get('a') === 'PM' ? 12 : 0);
}

function nanosOf(values: ReadonlyMap<string, string>): number | undefined {
  const fraction = values.get('S')?.replace(/^[.,]/, '');
  if (fraction !== undefined) return Number(fraction.padEnd(9, '0').slice(0, 9));
  const nanos = values.get('n');
  return nanos === undefined ? undefined : Number(nanos);
}

/**
 * Digits, or ms with a fraction. A negative number of ms counts only in whole seconds: Elasticsearch
 * 7.17 refuses others. A given zone moves it as if it were local time.
 */
const epochMillis: Pattern = {
  parse: (text, { roundUp = false, zone = utc, absolute = false }) => {
    const match = /^(-?\d{1,16})(?:\.(\d{1,6}))?$/.exec(text);
    if (match === null) return undefined;
    const value = Number(match[1]);
    if (text.startsWith('-') && (value % 1000 !== 0 || match[2] !== undefined)) return undefined;
    const nanos =
      match[2] === undefined ? (roundUp ? 999_999 : 0) : Number(match[2].padEnd(6, '0'));
    if (!inRange(value)) return undefined;
    return { ms: absolute ? value : localToEpoch(value, zone), nanos };
  },
  print: printMillis,
  printTime: (time) => printMillis(instantOf(time)),
};

function printMillis({ ms, nanos }: Instant): string {
  return `${String(ms)}${decimals(padded(nanos, 6), nanos)}`;
}

/** Seconds, with a fraction of up to nine digits. */
const epochSecond: Pattern = {
  parse: (text, { roundUp = false, zone = utc, absolute = false }) => {
    const match = /^(-?\d{1,13})(?:\.(\d{1,9}))?$/.exec(text);
    if (match === null || (text.startsWith('-') && match[2] !== undefined)) return undefined;
    const value = Number(match[1]) * 1000;
    const nano =
      match[2] === undefined ? (roundUp ? 999_999_999 : 0) : Number(match[2].padEnd(9, '0'));
    if (!inRange(value)) return undefined;
    const ms = value + Math.floor(nano / 1e6);
    return { ms: absolute ? ms : localToEpoch(ms, zone), nanos: nano % 1e6 };
  },
  print: printSeconds,
  printTime: (time) => printSeconds(instantOf(time)),
};

function printSeconds({ ms, nanos }: Instant): string {
  const second = Math.floor(ms / 1000);
  const nano = (ms - second * 1000) * 1e6 + nanos;
  return `${String(second)}${decimals(padded(nano, 9), nano)}`;
}

const instantOf = (time: LocalDateTime): Instant => ({
  ms: localMs(time),
  nanos: time.nano % 1e6,
});

const decimals = (digits: string, value: number): string =>
  value === 0 ? '' : `.${digits.replace(/0+$/, '')}`;

/** What luxon and JavaScript's Date can calculate with: 100 million days around 1970. */
const inRange = (ms: number): boolean => Math.abs(ms) <= 8.64e15;
