import type { InstantRange } from './date-bucket-key';
import type { DateGrid } from './date-gaps';
import { localStep } from './date-rounding';
import { earliestInstant, latestInstant } from './zone-offsets';

const minute = 60_000;
const day = 86_400_000;

/**
 * Whether all buckets that instants of a range can be in begin at whole minutes of UTC: the interval, the offset by which
 * buckets are moved, and the time zone's offsets and the changes between them. Local mean times are no whole minutes.
 */
export function beginsWithMinutes({ rounding, offset }: DateGrid, range: InstantRange): boolean {
  const step = localStep(rounding.interval) ?? { ms: day, anchor: 0 };
  if (![step.ms, offset].every(isWhole)) return false;
  const from = range.from ?? earliestInstant;
  const to = Math.max(range.to ?? latestInstant, from);
  // what begins a bucket can lie before the range
  const segments = rounding.zone.segments(from - step.ms - 2 * day, to);
  return segments.every(
    (segment, i) => isWhole(segment.offset) && (i === 0 || isWhole(segment.from)),
  );
}

const isWhole = (ms: number): boolean => ms % minute === 0;
