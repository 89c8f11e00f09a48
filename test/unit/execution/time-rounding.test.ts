import fc from 'fast-check';
import { roundedSpan, timeRounding } from '../../../plugins/kibana-clickhouse/search/time-rounding';

const now = Date.UTC(2026, 0, 1, 12, 0, 7, 345);
const field = 'at';
const rounding = { stepMs: 20_000, minPeriodMs: 120_000 };
const at = (hour: number, minute: number, second = 0, ms = 0): number =>
  Date.UTC(2026, 0, 1, hour, minute, second, ms);

test.each([
  [0, undefined],
  [1, 1_000],
  [20, 20_000],
  [999, 999_000],
  [1_000, 1_000],
  [20_000, 20_000],
  [3_600_000, 3_600_000],
])('a setting of %d is a step of %p ms', (round, stepMs) => {
  expect(timeRounding({ round, roundAbleMinPeriod: 5 })?.stepMs).toBe(stepMs);
});

test.each([
  [
    'both bounds go down',
    { from: at(10, 0, 33), to: at(11, 0, 59, 999) },
    { from: at(10, 0, 20), to: at(11, 0, 40) },
  ],
  [
    'an upper bound behind now is now first',
    { from: at(11, 0), to: at(23, 0) },
    { from: at(11, 0), to: at(12, 0) },
  ],
  [
    'an exclusive bound stays one',
    { from: at(10, 0, 1), to: at(11, 0, 0) - 1, before: at(11, 0, 0) },
    { from: at(10, 0), to: at(11, 0) - 1, before: at(11, 0) },
  ],
  ['an open end stays open', { from: at(10, 0, 1) }, { from: at(10, 0) }],
  ['an open beginning stays open', { to: at(10, 0, 1) }, { to: at(10, 0) }],
  ['a span of just the period stays', { from: at(10, 0, 1), to: at(10, 2, 1) }, undefined],
  [
    '1 ms more is rounded',
    { from: at(10, 0, 1), to: at(10, 2, 1, 1) },
    { from: at(10, 0), to: at(10, 2) },
  ],
  ['a span after now stays', { from: at(13, 0, 1), to: at(14, 0, 1) }, undefined],
  ['an empty span stays', { from: at(11, 0, 1), to: at(10, 0, 1) }, undefined],
  ['no bounds, no change', {}, undefined],
  [
    'before 1970 it is down as well',
    { from: -30_001, to: 200_000 },
    { from: -40_000, to: 200_000 },
  ],
])('%s', (_name, span, expected) => {
  const rounded = roundedSpan({ field, ...span }, rounding, now);
  expect(rounded).toEqual(expected && { field, ...expected });
});

test('a step that does not divide a minute counts from the epoch', () => {
  const rounded = roundedSpan(
    { field, from: at(10, 0), to: at(11, 0) },
    { ...rounding, stepMs: 7_000 },
    now,
  );
  expect((rounded?.from ?? 1) % 7_000).toBe(0);
  expect((rounded?.to ?? 1) % 7_000).toBe(0);
});

const spans = fc.record({
  from: fc.integer({ min: -10_000_000, max: now }),
  length: fc.integer({ min: 0, max: 2 * now }),
  isExclusive: fc.boolean(),
  step: fc.integer({ min: 1, max: 3_600 }),
  later: fc.integer({ min: 0, max: 3_600_000 }),
});

test('the lag is less than a step, nothing older than the lower bound is lost, the upper bound never rises', () => {
  fc.assert(
    fc.property(spans, ({ from, length, isExclusive, step, later }) => {
      const stepMs = step * 1_000;
      const to = from + length;
      const span = { field, from, to, ...(isExclusive && { before: to + 1 }) };
      const rounded = roundedSpan(span, { stepMs, minPeriodMs: 60_000 }, now + later);
      if (rounded === undefined) {
        expect(length).toBeLessThanOrEqual(60_000);
        return;
      }
      const { from: first = Infinity, to: last = -Infinity } = rounded;
      const newest = Math.min(to, now + later);
      expect(first).toBeLessThanOrEqual(from);
      expect(from - first).toBeLessThan(stepMs);
      expect(last).toBeLessThanOrEqual(newest);
      expect(newest - last).toBeLessThanOrEqual(stepMs);
      expect(Math.abs(first % stepMs)).toBe(0);
    }),
  );
});

test('searches of one step ask the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 19_999 }), (later) => {
      const start = at(12, 0);
      const ask = (moment: number): unknown =>
        roundedSpan({ field, from: moment - 900_000, to: moment }, rounding, moment);
      expect(ask(start + later)).toEqual(ask(start));
    }),
  );
});
