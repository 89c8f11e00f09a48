import * as fc from 'fast-check';

const hour = 3_600_000;
const day = 24 * hour;

/** Instants around which days have 23 or 25 hours somewhere, years begin, and leap days lie. */
const interesting = [
  '1969-12-31T23:59:59.000Z',
  '1970-01-01T00:00:00.000Z',
  '2024-02-29T00:00:00.000Z',
  '2024-03-10T07:00:00.000Z',
  '2024-03-31T01:00:00.000Z',
  '2024-04-06T15:00:00.000Z',
  '2024-10-27T01:00:00.000Z',
  '2024-11-03T06:00:00.000Z',
  '2024-12-31T23:59:59.999Z',
].map((text) => Date.parse(text));

/** Time that the documents cover, in epoch ms. */
export interface Spread {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** A span of time that documents lie in: an hour around a change of clocks, days, months, years. */
export const spreads: fc.Arbitrary<Spread> = fc
  .tuple(
    fc.constantFrom(...interesting),
    fc.constantFrom(hour, 6 * hour, 3 * day, 40 * day, 400 * day, 3000 * day),
  )
  .map(([middle, length]) => ({ firstMs: middle - length / 2, lastMs: middle + length / 2 }));

/** Whole seconds, minutes and days more often than others, and the ends of the day. */
const rough = (ms: number, unit: number): number => Math.floor(ms / unit) * unit;

/** Instants within a span; before 1970 whole seconds, because Elasticsearch refuses others as epoch numbers. */
export function instants(spread: Spread): fc.Arbitrary<number> {
  const any = fc.integer({ min: spread.firstMs, max: spread.lastMs });
  const inside = (ms: number): number => Math.min(Math.max(ms, spread.firstMs), spread.lastMs);
  return fc
    .oneof(
      any,
      any.map((ms) => inside(rough(ms, 60_000))),
      any.map((ms) => inside(rough(ms, hour))),
      any.map((ms) => inside(rough(ms, day) + day - 1)),
      fc.constantFrom(...interesting).map(inside),
    )
    .map((ms) => (ms < 0 ? rough(ms, 1000) : ms));
}
