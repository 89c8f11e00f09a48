import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';

/** The times of a dataset's documents, epoch ms, ascending; at least one. */
export type Timeline = readonly number[];

/** A time range, epoch ms, both ends inclusive; Infinity where it is open. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const DAY = 86_400_000;
const datePart = /(?<!\d)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/g;
const epochPart = /(?<!\d)1\d{12}(?!\d)/g;
const isEpoch = (value: number): boolean => value >= 1e12 && value < 2e12;

/**
 * Moves all times of a request onto a dataset, and nothing else. Absolute ones (dates, epoch ms, also within texts) move
 * together, by the whole days that bring the most documents into the request's widest time range. `now` in a bound becomes
 * the time of the dataset's middle document, and a recording's `#{startTime}` and `#{endTime}` those of its first and last.
 */
export function moveTimes(value: JsonValue, timeline: Timeline): JsonValue {
  const days = bestDays(widestRange(value), timeline);
  return mapValues(value, (one, key) => {
    if (typeof one === 'number') return isEpoch(one) ? one + days * DAY : one;
    return typeof one === 'string' ? movedText(one, key, { days, timeline }) : one;
  });
}

interface Move {
  readonly days: number;
  readonly timeline: Timeline;
}

const bounds: readonly string[] = ['gte', 'gt', 'from', 'lte', 'lt', 'to', 'min', 'max'];
const iso = (instant: number): string => new Date(instant).toISOString();

function movedText(text: string, key: string, { days, timeline }: Move): string {
  if (text === '#{startTime}') return iso(timeline[0] ?? 0);
  if (text === '#{endTime}') return iso(timeline.at(-1) ?? 0);
  const math = /^now(.*)$/.exec(text)?.[1];
  if (math !== undefined && bounds.includes(key)) {
    const now = iso(timeline[Math.floor(timeline.length / 2)] ?? 0);
    return math === '' ? now : `${now}||${math}`;
  }
  return text
    .replaceAll(datePart, (date) => iso(Date.parse(date) + days * DAY).slice(0, 10))
    .replaceAll(epochPart, (digits) => String(Number(digits) + days * DAY));
}

/** Of several moves that are as good, the shortest. */
function bestDays(range: Span | undefined, timeline: Timeline): number {
  if (range === undefined) return 0;
  const { from, to } = range;
  const [first = 0, last = 0] = [timeline[0], timeline.at(-1)];
  const ends = [from, to].filter(Number.isFinite);
  const least = Math.floor((first - Math.max(...ends)) / DAY);
  const most = Math.ceil((last - Math.min(...ends)) / DAY);
  const moves = Array.from({ length: most - least + 1 }, (_, i) => least + i);
  const held = (days: number): number =>
    countBelow(timeline, to + days * DAY + 1) - countBelow(timeline, from + days * DAY);
  return moves
    .map((days) => ({ days, count: held(days) }))
    .reduce((best, one) =>
      one.count > best.count ||
      (one.count === best.count && Math.abs(one.days) < Math.abs(best.days))
        ? one
        : best,
    ).days;
}

function countBelow(timeline: Timeline, limit: number): number {
  let [low, high] = [0, timeline.length];
  while (low < high) {
    const half = (low + high) >>> 1;
    if ((timeline[half] ?? Infinity) < limit) low = half + 1;
    else high = half;
  }
  return low;
}

function widestRange(value: JsonValue): Span | undefined {
  const width = ({ from, to }: Span): number => to - from;
  return rangesIn(value).reduce<Span | undefined>(
    (widest, range) => (widest === undefined || width(range) > width(widest) ? range : widest),
    undefined,
  );
}

/** Every object that bounds a time. */
function rangesIn(value: JsonValue): readonly Span[] {
  if (isJsonArray(value)) return value.flatMap(rangesIn);
  if (!isJsonObject(value)) return [];
  const from = instantOf(value['gte'] ?? value['gt'] ?? value['from']);
  const to = instantOf(value['lte'] ?? value['lt'] ?? value['to']);
  const isRange = from !== undefined || to !== undefined;
  const own = isRange ? [{ from: from ?? -Infinity, to: to ?? Infinity }] : [];
  return [...own, ...Object.values(value).flatMap(rangesIn)];
}

function instantOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return isEpoch(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^1\d{12}$/.test(value)) return Number(value);
  if (!/^\d{4}-\d\d-\d\d/.test(value)) return undefined;
  const instant = Date.parse(/^.{10}[T ].*[^Z]$/.test(value) ? `${value}Z` : value);
  return Number.isNaN(instant) ? Date.parse(value.slice(0, 10)) : instant;
}

type Change = (value: JsonValue, key: string) => JsonValue;

function mapValues(value: JsonValue, change: Change, key = ''): JsonValue {
  if (isJsonArray(value)) return value.map((item) => mapValues(item, change, key));
  if (!isJsonObject(value)) return change(value, key);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]): [string, JsonValue] => [
      name,
      mapValues(member, change, name),
    ]),
  ) satisfies JsonObject;
}
