import type { TimeSpan } from './queries/definition';

/** How the bounds of a search's time range are rounded. */
export interface TimeRounding {
  /** ms; bounds become multiples of it since the epoch. */
  readonly stepMs: number;
  /** ms; only longer spans are rounded. */
  readonly minPeriodMs: number;
}

/**
 * What the settings `proxy.round` (1 to 999: s; from 1,000: ms; 0: off) and `proxy.roundAbleMinPeriod`
 * (ms) say; undefined where nothing is rounded.
 */
export const timeRounding = (settings: {
  readonly round: number;
  readonly roundAbleMinPeriod: number;
}): TimeRounding | undefined =>
  settings.round === 0
    ? undefined
    : {
        stepMs: settings.round < 1_000 ? settings.round * 1_000 : settings.round,
        minPeriodMs: settings.roundAbleMinPeriod,
      };

/**
 * Both bounds of a span rounded down, the upper one after min(now, upper), so that the searches of
 * some seconds ask the same; undefined for a span that stays as it is. No row is left out that is
 * older than the upper bound, or than now, by a step or more. An open bound stays open; a span that is
 * short, or begins after now, stays. `now`: epoch ms.
 */
export function roundedSpan(
  span: TimeSpan,
  { stepMs, minPeriodMs }: TimeRounding,
  now: number,
): TimeSpan | undefined {
  if (!isRounded(span, minPeriodMs, now)) return undefined;
  const { field, from, to, before } = span;
  const floor = (ms: number): number => Math.floor(ms / stepMs) * stepMs;
  const last = floor(Math.min(now, before ?? to ?? now));
  const isExclusive = before !== undefined && before <= now;
  return {
    field,
    ...(from !== undefined && { from: floor(from) }),
    ...(to !== undefined && (isExclusive ? { to: last - 1, before: last } : { to: last })),
  };
}

function isRounded({ from, to }: TimeSpan, minPeriodMs: number, now: number): boolean {
  if (from === undefined) return to !== undefined;
  return from <= now && (to ?? now) - from > minPeriodMs;
}
