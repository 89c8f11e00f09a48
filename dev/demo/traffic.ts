const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** 14:00 UTC is the busiest hour of a day, Wednesday the busiest day of a week. */
const dayPeakMs = 14 * 3_600_000;
const weekPeakMs = 6 * dayMs + 12 * 3_600_000;
/** How much denser than the mean the peak is: 1 / (1 - 0.6) = 2.5 times in a day. */
const dayDepth = 0.6;
const weekDepth = 0.15;

const wave = (at: number, peak: number, period: number, depth: number): number =>
  ((depth * period) / (2 * Math.PI)) * Math.sin((2 * Math.PI * (at - peak)) / period);

/**
 * Even time into the time of a request, both in ms of the epoch: requests that come evenly in the
 * one crowd in the other around every day's peak. Grows everywhere, so the order stays.
 */
export const warp = (even: number): number =>
  even - wave(even, dayPeakMs, dayMs, dayDepth) - wave(even, weekPeakMs, weekMs, weekDepth);

/** The same as SQL over an expression in ms. */
export const warpSql = (even: string): string => {
  const term = (peak: number, period: number, depth: number): string =>
    `${String((depth * period) / (2 * Math.PI))} * sin(${String((2 * Math.PI) / period)} * (${even} - ${String(peak)}))`;
  return `${even} - ${term(dayPeakMs, dayMs, dayDepth)} - ${term(weekPeakMs, weekMs, weekDepth)}`;
};

/** The even time of a request's time, by halving. */
function unwarp(time: number): number {
  let low = time - 2 * dayMs;
  let high = time + 2 * dayMs;
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (warp(middle) < time) low = middle;
    else high = middle;
  }
  return low;
}

/** Seven days of requests, in ms of the epoch. */
export interface TrafficSpan {
  /** First and last moment of the requests. */
  readonly from: number;
  readonly to: number;
  /** The same in even time. */
  readonly evenFrom: number;
  readonly evenTo: number;
}

/** The seven days that end at `now` (ms of the epoch). */
export function trafficSpan(now: number): TrafficSpan {
  const from = now - weekMs;
  return { from, to: now, evenFrom: unwarp(from), evenTo: unwarp(now) };
}
