import fc from 'fast-check';
import { IANAZone } from 'luxon';
import {
  type CalendarUnit,
  type DateInterval,
  dateRounding,
} from '../../../plugins/kibana-clickhouse/search/aggregations/bucket/date-rounding';
import { parseTimeZone } from '../../../plugins/kibana-clickhouse/search/values/time-zone';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const zones = [
  'Europe/Warsaw',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/New_York',
  'Asia/Tehran',
  'Africa/Abidjan',
  'Pacific/Apia',
  'UTC',
];

const fixed = (ms: number): DateInterval => ({ kind: 'fixed', ms });
const calendar = (unit: CalendarUnit): DateInterval => ({ kind: 'calendar', unit });
const rounding = (interval: DateInterval, zone: string) =>
  dateRounding(interval, parseTimeZone(zone));
const at = (text: string): number => Date.parse(text);

const quarterHour = 15 * minute;
const offsets = new Map<string, number>();

/** Offsets read independently of the product's way; since 1965 they change at quarters of an hour. */
function offset(zone: string, instant: number): number {
  const quarter = Math.floor(instant / quarterHour);
  const key = `${zone} ${String(quarter)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const found =
    zone === 'UTC' ? 0 : Math.round(IANAZone.create(zone).offset(quarter * quarterHour) * minute);
  offsets.set(key, found);
  return found;
}

const mod = (value: number, step: number): number => ((value % step) + step) % step;

/** Walks back minute by minute until the clock shows the start of a step, or has just jumped over one. */
function walkBack(instant: number, zone: string, step: number, jumpsCount: boolean): number {
  for (let t = instant - mod(instant, minute); ; t -= minute) {
    const local = t + offset(zone, t);
    if (mod(local, step) === 0) return t;
    const previous = t - minute + offset(zone, t - minute);
    const jumpedOver = Math.floor(previous / step) !== Math.floor(local / step);
    if (jumpsCount && local - previous > minute && jumpedOver) return t;
  }
}

/** The earliest minute at which the calendar shows the day, week, month, quarter or year of an instant. */
function firstMinute(instant: number, zone: string, unit: CalendarUnit): number {
  const name = (t: number): string => {
    const local = new Date(t + offset(zone, t));
    const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
    if (unit === 'day') return local.toISOString().slice(0, 10);
    if (unit === 'week') return String(Math.floor((local.getTime() - 4 * day) / (7 * day)));
    if (unit === 'month') return `${String(year)}-${String(month)}`;
    return unit === 'quarter' ? `${String(year)}-${String(Math.floor(month / 3))}` : String(year);
  };
  const length = { day: 2, week: 9, month: 33, quarter: 94, year: 368 }[unit as 'day'];
  const wanted = name(instant);
  const minutes = instant - mod(instant, minute);
  // by days to where it surely is not yet, then by minutes forward
  let t = minutes;
  while (minutes - t < length * day && name(t - day) === wanted) t -= day;
  for (t -= 2 * day; name(t) !== wanted; t += minute);
  return t;
}

/** Instants in minutes of 1971 to 2037, most of them within two days of a change of offset. */
function instants(zone: string): fc.Arbitrary<number> {
  const changes: number[] = [];
  for (let t = at('1971-01-01T00:00Z'); t < at('2037-01-01T00:00Z'); t += 5 * day) {
    if (offset(zone, t) !== offset(zone, t + 5 * day)) changes.push(t);
  }
  const anywhere = fc.integer({
    min: at('1965-01-01T00:00Z') / minute,
    max: at('2037-01-01T00:00Z') / minute,
  });
  if (changes.length === 0) return anywhere.map((m) => m * minute);
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -2 * 1440, max: 7 * 1440 }))
    .map(([change, minutes]) => change / minute + minutes);
  return fc
    .oneof({ weight: 1, arbitrary: anywhere }, { weight: 4, arbitrary: near })
    .map((m) => Math.floor(m) * minute);
}

describe.each(zones)('bucket starts in %s', (zone) => {
  const steps = [5, 15, 30, 45, 60, 90, 120, 180, 360, 720, 1440, 2880, 10_080].map(
    (minutes) => minutes * minute,
  );

  test('fixed intervals are found by walking back along the clock', () => {
    fc.assert(
      fc.property(instants(zone), fc.constantFrom(...steps), (instant, step) => {
        expect(rounding(fixed(step), zone).round(instant)).toBe(
          walkBack(instant, zone, step, true),
        );
      }),
      { numRuns: 40 },
    );
  });

  test('minutes and hours of the calendar do not begin in a gap', () => {
    fc.assert(
      fc.property(instants(zone), fc.constantFrom('minute', 'hour'), (instant, unit) => {
        expect(rounding(calendar(unit as CalendarUnit), zone).round(instant)).toBe(
          walkBack(instant, zone, unit === 'hour' ? hour : minute, false),
        );
      }),
      { numRuns: 80 },
    );
  });

  test('days and longer begin at the first minute of their first day', () => {
    const units: readonly CalendarUnit[] = ['day', 'week', 'month', 'quarter', 'year'];
    fc.assert(
      fc.property(instants(zone), fc.constantFrom(...units), (instant, unit) => {
        expect(rounding(calendar(unit), zone).round(instant)).toBe(
          firstMinute(instant, zone, unit),
        );
      }),
      { numRuns: 40 },
    );
  });

  test('the next start is the first one that rounds to itself', () => {
    const intervals = [
      ...steps.map(fixed),
      ...(['minute', 'hour', 'day', 'week', 'month'] as const).map(calendar),
    ];
    fc.assert(
      fc.property(instants(zone), fc.constantFrom(...intervals), (instant, interval) => {
        const { round, next } = rounding(interval, zone);
        const key = round(instant);
        const following = next(key);
        expect(following).toBeGreaterThan(instant);
        expect(round(following)).toBe(following);
        expect(round(following - 1)).toBe(key);
      }),
      { numRuns: 80 },
    );
  });
});

describe('what Elasticsearch 7.17 answered', () => {
  const keys = (interval: DateInterval, zone: string, from: string, count: number): string[] => {
    const { round, next } = rounding(interval, zone);
    const found = [round(at(from))];
    while (found.length < count) found.push(next(found.at(-1) ?? 0));
    return found.map((key) => {
      const shift = offset(zone, key);
      const local = new Date(key + shift).toISOString().slice(0, 16);
      return `${local}${shift < 0 ? '-' : '+'}${String(Math.abs(shift) / hour)}`;
    });
  };

  test('a step that falls into the gap of spring begins at the change', () => {
    expect(keys(fixed(2 * hour), 'Europe/Warsaw', '2026-03-28T23:30Z', 3)).toEqual([
      '2026-03-29T00:00+1',
      '2026-03-29T03:00+2',
      '2026-03-29T04:00+2',
    ]);
  });

  test('the repeated hour of autumn has two starts', () => {
    expect(keys(fixed(2 * hour), 'Europe/Warsaw', '2026-10-24T22:30Z', 3)).toEqual([
      '2026-10-25T00:00+2',
      '2026-10-25T02:00+2',
      '2026-10-25T02:00+1',
    ]);
  });

  test('a step that began before the repeated hour is longer', () => {
    expect(keys(fixed(3 * hour), 'Europe/Warsaw', '2026-10-24T22:30Z', 2)).toEqual([
      '2026-10-25T00:00+2',
      '2026-10-25T03:00+1',
    ]);
  });

  test('steps of seven days begin on Thursdays, weeks on Mondays', () => {
    expect(
      new Date(rounding(fixed(7 * day), 'UTC').round(at('2026-11-21T12:00Z'))).getUTCDay(),
    ).toBe(4);
    expect(keys(calendar('week'), 'UTC', '2026-11-21T12:00Z', 1)).toEqual(['2026-11-16T00:00+0']);
  });

  test('hours begin at half past in UTC where the zone is half an hour off', () => {
    expect(rounding(fixed(hour), 'Asia/Kolkata').round(at('2026-01-01T10:45Z'))).toBe(
      at('2026-01-01T10:30Z'),
    );
  });

  test('a day without midnight begins at one', () => {
    expect(keys(calendar('day'), 'America/Sao_Paulo', '2018-11-04T12:00Z', 1)).toEqual([
      '2018-11-04T01:00-2',
    ]);
  });

  test('half an hour that is skipped belongs to the hour before', () => {
    expect(rounding(calendar('hour'), 'Australia/Lord_Howe').round(at('2026-10-03T15:45Z'))).toBe(
      at('2026-10-03T14:30Z'),
    );
  });

  test('a day begins at the first of two midnights', () => {
    const first = at('2009-11-01T02:30Z');
    const { round } = rounding(calendar('day'), 'America/St_Johns');
    // 00:00:30, then after the clock went back 23:30 of the day before, then 00:30
    expect(round(first + 30_000)).toBe(first);
    expect(round(at('2009-11-01T03:00Z'))).toBe(first - day);
    expect(round(at('2009-11-01T04:00Z'))).toBe(first);
  });

  test('instants before 1970 are rounded down', () => {
    expect(rounding(fixed(hour), 'UTC').round(-1)).toBe(-hour);
  });
});
