import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  fromEpochNanos,
  localMs,
  toEpochNanos,
  toLocalDateTime,
} from '../../../plugins/kibana-clickhouse/search/values/calendar';
import { parseDateFormat } from '../../../plugins/kibana-clickhouse/search/values/date-format';
import { parseDateMath } from '../../../plugins/kibana-clickhouse/search/values/date-math';
import {
  findTimeZone,
  localToEpoch,
  offsetAt,
  parseTimeZone,
} from '../../../plugins/kibana-clickhouse/search/values/time-zone';

const anyMs = fc.integer({ min: Date.UTC(-200000, 0), max: Date.UTC(200000, 0) });

test('the calendar agrees with JavaScript', () => {
  fc.assert(
    fc.property(anyMs, (ms) => {
      const time = toLocalDateTime({ ms, nanos: 0 });
      const date = new Date(ms);
      expect([time.year, time.month, time.day, time.hour, time.minute, time.second]).toEqual([
        date.getUTCFullYear(),
        date.getUTCMonth() + 1,
        date.getUTCDate(),
        date.getUTCHours(),
        date.getUTCMinutes(),
        date.getUTCSeconds(),
      ]);
      expect(localMs(time)).toBe(ms);
      expect(fromEpochNanos(toEpochNanos({ ms, nanos: 7 }))).toEqual({ ms, nanos: 7 });
    }),
  );
});

const zone = (id: string) => parseTimeZone(id);
const millis = (text: string, format: string, options = {}): number | undefined =>
  parseDateFormat(format).parse(text, options)?.ms;
const utc = (text: string): number => Date.parse(text);

describe('reading', () => {
  test.each<[string, string, string]>([
    ['strict_date_optional_time', '2024', '2024-01-01T00:00:00Z'],
    ['strict_date_optional_time', '2024-02', '2024-02-01T00:00:00Z'],
    ['strict_date_optional_time', '2024-02-29', '2024-02-29T00:00:00Z'],
    ['strict_date_optional_time', '2024-02-29T', '2024-02-29T00:00:00Z'],
    ['strict_date_optional_time', '2024-02-29T12', '2024-02-29T12:00:00Z'],
    ['strict_date_optional_time', '2024-02-29T12:30', '2024-02-29T12:30:00Z'],
    ['strict_date_optional_time', '2024-02-29T12:30:15.1', '2024-02-29T12:30:15.100Z'],
    ['strict_date_optional_time', '2024-02-29T12:30:15,123', '2024-02-29T12:30:15.123Z'],
    [
      'strict_date_optional_time',
      '2024-02-29T12:30:15.123456789+01:00',
      '2024-02-29T11:30:15.123Z',
    ],
    ['strict_date_optional_time', '2024-02-29T12:30:15-0530', '2024-02-29T18:00:15Z'],
    ['strict_date_optional_time', '2024-02-29T12:30+02', '2024-02-29T10:30:00Z'],
    ['strict_date_optional_time', '2024-07-01T12:00:00Europe/Warsaw', '2024-07-01T10:00:00Z'],
    ['date_optional_time', '2024-2-9T1:2:3', '2024-02-09T01:02:03Z'],
    ['date_time', '2024-01-02T03:04:05.006Z', '2024-01-02T03:04:05.006Z'],
    ['strict_date_time', '2024-01-02T03:04:05.006+01:00', '2024-01-02T02:04:05.006Z'],
    ['strict_date_time_no_millis', '2024-01-02T03:04:05Z', '2024-01-02T03:04:05Z'],
    ['basic_date', '20240229', '2024-02-29T00:00:00Z'],
    ['yyyy-MM-dd HH:mm:ss.SSS', '2024-01-02 03:04:05.678', '2024-01-02T03:04:05.678Z'],
    ['dd/MMM/yyyy:HH:mm:ss Z', '10/Oct/2000:13:55:36 -0700', '2000-10-10T20:55:36Z'],
    ['MMMM d, uuuu h:mm a', 'March 5, 2024 3:07 PM', '2024-03-05T15:07:00Z'],
    ["yyyy'W'DDD", '2024W060', '2024-02-29T00:00:00Z'],
    ['epoch_millis', '1704067200123', '2024-01-01T00:00:00.123Z'],
    ['epoch_second', '1704067200.5', '2024-01-01T00:00:00.500Z'],
    ['yyyy||epoch_second', '1704067200', '2024-01-01T00:00:00Z'],
  ])('%s: %s', (format, text, expected) => {
    expect(millis(text, format)).toBe(utc(expected));
  });

  test.each<[string, string]>([
    ['strict_date_optional_time', '24-01-01'],
    ['strict_date_optional_time', '2024-1-1'],
    ['strict_date_optional_time', '2024-00-01'],
    ['strict_date_optional_time', '2023-02-29'],
    ['strict_date_optional_time', '2024-01-01 00:00:00'],
    ['strict_date_optional_time', '2024-01-01T24:00:00'],
    ['strict_date_optional_time', '2024-01-01T00:60'],
    ['strict_date_optional_time', '2024-01-01Z'],
    ['strict_date_optional_time', '12345-01-01'],
    ['strict_date_optional_time', '2024-01-01T00:00:00.1234567890'],
    ['strict_date_optional_time', '2024-01-01T00:00:00Mars/Base'],
    ['strict_date_time', '2024-01-02T03:04:05Z'],
    ['epoch_millis', '1.7E12'],
    ['epoch_millis', '-1500'],
    ['epoch_millis', ''],
    ['basic_date', '2024-02-29'],
  ])('%s refuses %s', (format, text) => {
    expect(millis(text, format)).toBeUndefined();
  });

  test.each<[string, string, string]>([
    ['strict_date_optional_time', '2024-02-30', '2024-02-29T23:59:59.999Z'],
    ['strict_date_optional_time', '2023-02-29T10:00', '2023-02-28T10:00:59.999Z'],
    ['dd/MM/yyyy', '31/04/2024', '2024-04-30T23:59:59.999Z'],
  ])('%s takes %s for the last day of the month where it rounds up', (format, text, expected) => {
    expect(millis(text, format, { roundUp: true })).toBe(utc(expected));
    expect(millis(text, format)).toBeUndefined();
    expect(millis(text.replace('30', '32').replace('31', '32').replace('29', '32'), format)).toBe(
      undefined,
    );
  });

  test.each(['', 'nonsense', 'yyyy-MM-dd]', "yyyy'T", 'strict_nothing', 'yyyy||'])(
    '[%s] is no format',
    (text) => {
      expect(() => parseDateFormat(text)).toThrow(/Invalid format|No date pattern/);
    },
  );
});

describe('printing', () => {
  const instant = { ms: utc('2024-03-31T01:30:05.040Z'), nanos: 500_000 };
  test.each<[string, string, string]>([
    ['strict_date_optional_time', 'Z', '2024-03-31T01:30:05.040Z'],
    ['strict_date_optional_time||epoch_millis', '+01:00', '2024-03-31T02:30:05.040+01:00'],
    ['strict_date_optional_time', 'Europe/Warsaw', '2024-03-31T03:30:05.040+02:00'],
    ['strict_date_optional_time_nanos', 'Z', '2024-03-31T01:30:05.0405Z'],
    ['date_time', 'Z', '2024-03-31T01:30:05.040Z'],
    ['strict_date_time', 'Z', '2024-03-31T01:30:05.0405Z'],
    ['strict_date', '-02:00', '2024-03-30'],
    ['epoch_millis', 'Z', '1711848605040.5'],
    ['epoch_second', 'Z', '1711848605.0405'],
    ['yyyy-MM-dd HH:mm:ss.SSS Z', '-03:30', '2024-03-30 22:00:05.040 -0330'],
    ['EEE, d MMM yy h:m a', 'Z', 'Sun, 31 Mar 24 1:30 AM'],
    ["yyyy 'o''clock' QQ", 'Z', "2024 o'clock 01"],
    ['yyyy-MM-dd[ HH]', 'Z', '2024-03-31 01'],
  ])('%s in %s', (format, id, expected) => {
    expect(parseDateFormat(format).print(instant, zone(id))).toBe(expected);
  });

  test('years beyond four digits and before 0', () => {
    const format = parseDateFormat('strict_date_optional_time');
    expect(format.print({ ms: 8640000000000000, nanos: 0 })).toBe('+275760-09-13T00:00:00.000Z');
    expect(format.print({ ms: utc('-000044-03-15T00:00:00Z'), nanos: 0 })).toBe(
      '-0044-03-15T00:00:00.000Z',
    );
    expect(format.print({ ms: -1, nanos: 0 })).toBe('1969-12-31T23:59:59.999Z');
  });

  test('what is printed reads as the same moment', () => {
    const format = parseDateFormat('strict_date_optional_time_nanos');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Date.UTC(9000, 0) }),
        fc.nat(999_999),
        fc.constantFrom('Z', '+05:45', '-11:00'),
        (ms, nanos, id) => {
          expect(format.parse(format.print({ ms, nanos }, zone(id)))).toEqual({ ms, nanos });
        },
      ),
    );
  });
});

describe('time zones', () => {
  test.each([
    'UTC',
    'Z',
    '+1',
    '+01',
    '+0100',
    '-01:30',
    'UTC+2',
    'GMT-3',
    'Europe/Warsaw',
    'Asia/Kolkata',
    'America/Argentina/Buenos_Aires',
  ])('%s is one', (id) => {
    expect(findTimeZone(id)?.id).toBe(id);
  });
  test.each(['', 'europe/warsaw', 'Mars/Base', '+19:00', '+1:60', 'now', '1', 'EUROPE/WARSAW'])(
    '[%s] is none',
    (id) => {
      expect(findTimeZone(id)).toBeUndefined();
      expect(() => parseTimeZone(id)).toThrow('Unknown time-zone ID');
    },
  );
  test('a gap moves forward, an overlap is the earlier one', () => {
    const warsaw = zone('Europe/Warsaw');
    expect(localToEpoch(utc('2024-03-31T02:30:00Z'), warsaw)).toBe(utc('2024-03-31T01:30:00Z'));
    expect(localToEpoch(utc('2024-10-27T02:30:00Z'), warsaw)).toBe(utc('2024-10-27T00:30:00Z'));
  });
  test('local time and instant are one another’s inverse away from changes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Date.UTC(2037, 0) }),
        fc.constantFrom('Europe/Warsaw', 'America/St_Johns', 'Pacific/Apia', '+05:45'),
        (ms, id) => {
          const there = zone(id);
          const offset = offsetAt(there, ms);
          fc.pre([-1, 1].every((sign) => offsetAt(there, ms + sign * 86_400_000) === offset));
          expect(localToEpoch(ms + offset, there)).toBe(ms);
          expect(offset).toBe(DateTime.fromMillis(ms, { zone: there.zone }).offset * 60_000);
        },
      ),
    );
  });
});

describe('date math', () => {
  const now = utc('2024-05-15T10:20:30.400Z');
  const at = (text: string, round: 'down' | 'up' = 'down', id?: string): string => {
    const format = parseDateFormat('strict_date_optional_time||epoch_millis');
    const { ms } = parseDateMath(text, {
      format,
      now,
      round,
      ...(id !== undefined && { zone: zone(id) }),
    });
    return new Date(ms).toISOString();
  };
  test.each<[string, string, string]>([
    ['now', '2024-05-15T10:20:30.400Z', '2024-05-15T10:20:30.400Z'],
    ['now-15m', '2024-05-15T10:05:30.400Z', '2024-05-15T10:05:30.400Z'],
    ['now+1h-1s', '2024-05-15T11:20:29.400Z', '2024-05-15T11:20:29.400Z'],
    ['now/s', '2024-05-15T10:20:30.000Z', '2024-05-15T10:20:30.999Z'],
    ['now/m', '2024-05-15T10:20:00.000Z', '2024-05-15T10:20:59.999Z'],
    ['now/H', '2024-05-15T10:00:00.000Z', '2024-05-15T10:59:59.999Z'],
    ['now/d', '2024-05-15T00:00:00.000Z', '2024-05-15T23:59:59.999Z'],
    ['now/w', '2024-05-13T00:00:00.000Z', '2024-05-19T23:59:59.999Z'],
    ['now/M', '2024-05-01T00:00:00.000Z', '2024-05-31T23:59:59.999Z'],
    ['now/y', '2024-01-01T00:00:00.000Z', '2024-12-31T23:59:59.999Z'],
    ['now-1M/M', '2024-04-01T00:00:00.000Z', '2024-04-30T23:59:59.999Z'],
    ['2024-01-31||+1M', '2024-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
    ['2024-01||/M+1d', '2024-01-02T00:00:00.000Z', '2024-02-01T23:59:59.999Z'],
    ['2024', '2024-01-01T00:00:00.000Z', '2024-01-01T23:59:59.999Z'],
    ['2024-02', '2024-02-01T00:00:00.000Z', '2024-02-01T23:59:59.999Z'],
    ['2024-02-03T04', '2024-02-03T04:00:00.000Z', '2024-02-03T04:59:59.999Z'],
    ['2024-02-03T04:05:06', '2024-02-03T04:05:06.000Z', '2024-02-03T04:05:06.999Z'],
    ['2024-02-03T04:05:06.1', '2024-02-03T04:05:06.100Z', '2024-02-03T04:05:06.100Z'],
  ])('%s', (text, down, up) => {
    expect([at(text), at(text, 'up')]).toEqual([down, up]);
  });

  test('rounding up ends with the last ms, missing parts with the last ns', () => {
    const up = (text: string) =>
      parseDateMath(text, {
        format: parseDateFormat('strict_date_optional_time_nanos'),
        now: 0,
        round: 'up',
      });
    expect(up('2024-02||/M')).toEqual({ ms: utc('2024-02-29T23:59:59.999Z'), nanos: 0 });
    expect(up('2024-02-29')).toEqual({ ms: utc('2024-02-29T23:59:59.999Z'), nanos: 999_999 });
    expect(() => up('2024-02-29T23:59')).toThrow('failed to parse date field');
  });

  test('days of a zone have 23, 24 or 25 hours', () => {
    expect(at('2024-03-31T12:00||/d', 'down', 'Europe/Warsaw')).toBe('2024-03-30T23:00:00.000Z');
    expect(at('2024-03-31T12:00||/d', 'up', 'Europe/Warsaw')).toBe('2024-03-31T21:59:59.999Z');
    expect(at('2024-10-27T12:00||/d', 'up', 'Europe/Warsaw')).toBe('2024-10-27T22:59:59.999Z');
    expect(at('now', 'down', 'Europe/Warsaw')).toBe('2024-05-15T10:20:30.400Z');
    expect(at('1704067200000', 'down', '+01:00')).toBe('2023-12-31T23:00:00.000Z');
  });

  test.each(['now-', 'now/', 'now1d', 'now/2d', 'now-1q', 'now--1d', '2024||*', 'nowish', '||+1d'])(
    '%s is refused',
    (text) => {
      expect(() => at(text)).toThrow(/date math|rounding|failed to parse date field|empty date/);
    },
  );
});
