import type { TimeZone } from '../../values/time-zone';

const hour = 3_600_000;
const day = 24 * hour;
/** ClickHouse's DateTime64 reaches from 1900 to 2299; outside, the nearest offset goes on. */
const firstYear = 1900;
const lastYear = 2299;
/**
 * How far two looks at an offset are apart: less than any period of an offset in the time zone database
 * lasts. Past the years it knows, only yearly rules go on (the shortest: Morocco's Ramadan, 30 days).
 */
const stride = (year: number): number => (year < 2040 ? 4 : 14) * day;

/** A stretch of time with one offset from UTC: `from` inclusive, `to` exclusive, epoch ms. */
export interface OffsetSegment {
  readonly from: number;
  readonly to: number;
  /** Local time minus UTC in ms. */
  readonly offset: number;
}

interface Change {
  readonly at: number;
  readonly offset: number;
}

/** A year of UTC. */
interface ZoneYear {
  readonly startOffset: number;
  readonly changes: readonly Change[];
}

/** The offsets of one time zone, as the time zone database has them. */
export interface ZoneOffsets {
  /** Local time minus UTC in ms at an instant (epoch ms). */
  offsetAt(instant: number): number;
  /** The segments that meet `[from, to]`, in order; the first and the last are cut there. */
  segments(from: number, to: number): readonly OffsetSegment[];
}

export const earliestInstant = Date.UTC(firstYear, 0, 1);
export const latestInstant = Date.UTC(lastYear, 11, 31, 23, 59, 59, 999);

const known = new Map<string, ZoneOffsets>();

/** The offsets of a time zone, from the runtime's own time zone database (ICU), found once a year. */
export function zoneOffsets({ zone }: TimeZone): ZoneOffsets {
  const cached = known.get(zone.name);
  if (cached) return cached;
  const made = zone.isUniversal
    ? constantOffset(zone.offset(0) * 60_000)
    : changingOffsets(zone.name);
  known.set(zone.name, made);
  return made;
}

/** `+01:00`, `-04:56:02` in ms; undefined for what is no offset. */
function offsetOfText(text: string): number | undefined {
  const parts = /^([+-])(\d{2}):?(\d{2})(?::(\d{2}))?$/.exec(text);
  if (!parts) return undefined;
  const [, sign, hours, minutes, seconds = '0'] = parts;
  const size = Number(hours) * hour + Number(minutes) * 60_000 + Number(seconds) * 1000;
  return sign === '-' ? -size : size;
}

const constantOffset = (offset: number): ZoneOffsets => ({
  offsetAt: () => offset,
  segments: (from, to) => [{ from, to, offset }],
});

function changingOffsets(zone: string): ZoneOffsets {
  const read = offsetReader(zone);
  const years = new Map<number, ZoneYear>();
  const yearAt = (year: number): ZoneYear => {
    const found = years.get(year) ?? readYear(read, year);
    years.set(year, found);
    return found;
  };
  const offsetAt = (instant: number): number => {
    const { changes, startOffset } = yearAt(yearOf(instant));
    return changes.findLast(({ at }) => at <= instant)?.offset ?? startOffset;
  };
  const segments = (from: number, to: number): readonly OffsetSegment[] => {
    const found: OffsetSegment[] = [];
    let open = { from, offset: offsetAt(from) };
    for (let year = yearOf(from); year <= yearOf(to); year += 1) {
      for (const change of yearAt(year).changes) {
        if (change.at <= from || change.at > to) continue;
        found.push({ ...open, to: change.at });
        open = { from: change.at, offset: change.offset };
      }
    }
    return [...found, { ...open, to }];
  };
  return { offsetAt, segments };
}

const yearOf = (instant: number): number =>
  Math.min(Math.max(new Date(clamp(instant)).getUTCFullYear(), firstYear), lastYear);

const clamp = (instant: number): number =>
  Math.min(Math.max(instant, earliestInstant), latestInstant);

function offsetReader(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'longOffset',
    hour: 'numeric',
  });
  // text such as `1 AM GMT+01:00`; whole seconds, because local mean time has them
  return (instant) => {
    const text = format.format(clamp(instant));
    return offsetOfText(text.slice(text.indexOf('GMT') + 3)) ?? 0;
  };
}

/** The changes within a year, each found to the second. */
function readYear(offsetAt: (instant: number) => number, year: number): ZoneYear {
  // a change at the first second of a year belongs to it
  const start = Date.UTC(year, 0, 1) - 1000;
  const end = Date.UTC(year + 1, 0, 1) - 1000;
  const startOffset = offsetAt(start);
  const changes: Change[] = [];
  let [from, before] = [start, startOffset];
  while (from < end) {
    const to = Math.min(from + stride(year), end);
    const after = offsetAt(to);
    if (after !== before) changes.push({ at: firstSecondWith(offsetAt, from, to), offset: after });
    [from, before] = [to, after];
  }
  return { startOffset, changes };
}

function firstSecondWith(offsetAt: (instant: number) => number, from: number, to: number): number {
  const old = offsetAt(from);
  let [low, high] = [from, to];
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (offsetAt(middle) === old) low = middle;
    else high = middle;
  }
  return high;
}
