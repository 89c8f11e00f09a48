import { binary, call, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import {
  beginsAtMidnight,
  type DateRounding,
  instantsOf,
  localFloor,
  localNext,
  type LocalStep,
  localStep,
} from './date-rounding';
import {
  earliestInstant,
  latestInstant,
  type OffsetSegment,
  type ZoneOffsets,
} from './zone-offsets';

/** Instants that can occur, epoch ms, both ends inclusive; an open end is absent. */
export interface InstantRange {
  readonly from?: number;
  readonly to?: number;
}

const day = 86_400_000;
/** Below every instant of a table: ClickHouse's roundDown gives its lowest bound for what is below. */
const beforeAll = -(2 ** 53) + 1;

const int64 = (value: number): Expr => param(value, 'Int64');
const int64s = (values: readonly number[]): Expr => param(values, 'Array(Int64)');

/**
 * The start of an instant's bucket as SQL: the same number as `rounding.round`, for every instant
 * of the range.
 * `instant`: an expression of epoch ms, Int64. Where the zone's offset does not change within the
 * range it is plain arithmetic; else the segment's offset is looked up first, and the first bucket of
 * each segment, which the change of offset cuts or moves, is handed in as a number.
 */
export function bucketKey(instant: Expr, rounding: DateRounding, range: InstantRange): Expr {
  const step = localStep(rounding.interval);
  const from = range.from ?? earliestInstant;
  const to = Math.max(range.to ?? latestInstant, from);
  if (!step) return pieceKey(instant, piecesBetween(rounding, from, to));
  const segments = rounding.zone.segments(from - step.ms - 2 * day, to);
  return isOneGrid(segments, step, rounding)
    ? localGrid(instant, step, int64((segments[0]?.offset ?? 0) - step.anchor))
    : segmentKey(instant, step, segments, rounding);
}

/** Whether the steps of all segments are one grid in UTC: hours where clocks move by whole hours. */
function isOneGrid(
  segments: readonly OffsetSegment[],
  step: LocalStep,
  rounding: DateRounding,
): boolean {
  const shift = (segments[0]?.offset ?? 0) - step.anchor;
  return segments
    .slice(1)
    .every(
      ({ from, offset }) =>
        (offset - step.anchor - shift) % step.ms === 0 &&
        rounding.round(from) === localFloor(rounding.interval, from + offset) - offset,
    );
}

/** `x - positiveModulo(x + shift, step)`: floors before 1970 as well. */
const localGrid = (instant: Expr, step: LocalStep, shift: Expr): Expr =>
  binary('-', instant, call('positiveModulo', binary('+', instant, shift), int64(step.ms)));

function segmentKey(
  instant: Expr,
  step: LocalStep,
  segments: readonly OffsetSegment[],
  rounding: DateRounding,
): Expr {
  const starts = segments.map(({ from }, i) => (i === 0 ? beforeAll : from));
  const start = call('roundDown', instant, int64s(starts));
  const perSegment = (values: readonly number[]): Expr =>
    call('transform', start, int64s(starts), int64s(values));
  const shifts = segments.map(({ offset }) => offset - step.anchor);
  const candidate = localGrid(instant, step, perSegment(shifts));
  const firsts = segments.map(({ from }, i) => (i === 0 ? beforeAll : rounding.round(from)));
  const key = call('if', binary('<', candidate, start), perSegment(firsts), candidate);
  const repeated = repeatedMidnights(segments, rounding);
  if (repeated.length === 0) return key;
  return call(
    'transform',
    key,
    int64s(repeated.map(({ second }) => second)),
    int64s(repeated.map(({ first }) => first)),
  );
}

/** Midnights that clocks showed twice: the day begins at the first of the two. */
function repeatedMidnights(
  segments: readonly OffsetSegment[],
  rounding: DateRounding,
): readonly { readonly first: number; readonly second: number }[] {
  if (!beginsAtMidnight(rounding.interval)) return [];
  return segments.slice(1).flatMap(({ from, offset }, i) => {
    const overlapEnd = from + (segments[i]?.offset ?? offset);
    let midnight = localFloor(rounding.interval, from + offset);
    if (midnight < from + offset) midnight = localNext(rounding.interval, midnight);
    if (midnight >= overlapEnd) return [];
    return [{ first: rounding.round(midnight - offset), second: midnight - offset }];
  });
}

/** From `from` on, until the next piece, instants belong to the bucket `key`. */
interface Piece {
  readonly from: number;
  readonly key: number;
}

function pieceKey(instant: Expr, pieces: readonly Piece[]): Expr {
  const starts = pieces.map(({ from }) => from);
  const rounded = call('roundDown', instant, int64s(starts));
  if (pieces.every(({ from, key }) => from === key)) return rounded;
  return call('transform', rounded, int64s(starts), int64s(pieces.map(({ key }) => key)));
}

const allPieces = new WeakMap<ZoneOffsets, Map<string, readonly Piece[]>>();

/** Pieces of a range; those of all time are many, and kept. */
function piecesBetween(rounding: DateRounding, from: number, to: number): readonly Piece[] {
  const { zone, interval } = rounding;
  if (interval.kind === 'fixed' || from > earliestInstant || to < latestInstant)
    return monthPieces(rounding, from, to);
  const kept = allPieces.get(zone) ?? new Map<string, readonly Piece[]>();
  allPieces.set(zone, kept);
  const pieces = kept.get(interval.unit) ?? monthPieces(rounding, from, to);
  kept.set(interval.unit, pieces);
  return pieces;
}

/** The buckets over a range, and the hour or so of a bucket that a repeated midnight sets apart. */
function monthPieces(rounding: DateRounding, from: number, to: number): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let key = rounding.round(from); key <= to; key = rounding.next(key)) {
    pieces.push(...repeatedPieces(rounding, key), { from: key, key });
  }
  return pieces.sort((a, b) => a.from - b.from);
}

function repeatedPieces(rounding: DateRounding, key: number): readonly Piece[] {
  const { zone } = rounding;
  const midnight = key + zone.offsetAt(key);
  const second = instantsOf(midnight, zone)[1];
  if (second === undefined) return [];
  const change = zone.segments(key, second).at(-1)?.from ?? second;
  // a change at midnight itself repeats the day's first hour, not the end of the day before
  return change === second
    ? []
    : [
        { from: change, key: rounding.round(change) },
        { from: second, key },
      ];
}
