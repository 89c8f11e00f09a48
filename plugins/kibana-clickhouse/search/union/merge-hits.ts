import { unsupported } from '../../common/errors/catalogue';
import { isJsonArray, type JsonValue } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';
import { writeJson } from '../../common/json/write-json';
import type { SortKey } from '../request/hit-options';
import { parseIp } from '../values/ip-value';

/** How two values of a sort key are compared. */
export interface MergedKey {
  readonly key: SortKey;
  /** Whether its values are addresses. */
  readonly isAddress: boolean;
  /** Whether hits show it; a value that is only compared is not. */
  readonly isShown: boolean;
  /** Whether its order is that of its values; a date that is printed is followed by its number. */
  readonly isCompared: boolean;
}

/** The page of hits that an answer shows. */
export interface MergedPage {
  readonly keys: readonly MergedKey[];
  readonly from: number;
  readonly size: number;
}

type Batches = AsyncIterable<readonly string[]>;

/** Hits of one index on their way. */
interface Stream {
  readonly iterator: AsyncIterator<readonly string[]>;
  batch: readonly string[];
  at: number;
  /** Of the hit at hand. */
  values: readonly JsonValue[];
}

const BATCH = 500;

/**
 * The hits of several indexes, each in the order of the keys, as one page in that order. Equal ones stand in the order of
 * the indexes, as in Elasticsearch, and hits without a sort all do. Leaving the loop ends all of them.
 */
export async function* mergeHits(
  sources: readonly Batches[],
  page: MergedPage,
): AsyncGenerator<readonly string[]> {
  const streams = sources.map((source): Stream => ({
    ...{ iterator: source[Symbol.asyncIterator](), batch: [], at: -1, values: [] },
  }));
  try {
    const open: Stream[] = [];
    for (const stream of streams) if (await advance(stream)) open.push(stream);
    let out: string[] = [];
    for (let place = 0; place < page.from + page.size && open.length > 0; place++) {
      const next = open.reduce((best, one) => (compare(one, best, page.keys) < 0 ? one : best));
      if (place >= page.from) out.push(shown(next, page.keys));
      if (!(await advance(next))) open.splice(open.indexOf(next), 1);
      if (out.length < BATCH) continue;
      yield out;
      out = [];
    }
    if (out.length > 0) yield out;
  } finally {
    for (const { iterator } of streams) await iterator.return?.();
  }
}

/** Goes to the next hit; false when there is none. */
async function advance(stream: Stream): Promise<boolean> {
  stream.at += 1;
  while (stream.at >= stream.batch.length) {
    const next = await stream.iterator.next();
    if (next.done === true) return false;
    stream.batch = next.value;
    stream.at = 0;
  }
  stream.values = sortValues(stream.batch[stream.at] ?? '').values;
  return true;
}

const sortKey = ',"sort":[';

/** The sort values stand at the end of a hit; within a string such a quoted key cannot be. */
function sortValues(hit: string): {
  readonly values: readonly JsonValue[];
  readonly start: number;
} {
  const start = hit.lastIndexOf(sortKey);
  if (start < 0) return { values: [], start: hit.length - 1 };
  const values = parseJson(hit.slice(start + sortKey.length - 1, -1));
  return { values: isJsonArray(values) ? values : [], start };
}

function shown(stream: Stream, keys: readonly MergedKey[]): string {
  const hit = stream.batch[stream.at] ?? '';
  if (keys.every(({ isShown }) => isShown)) return hit;
  const { values, start } = sortValues(hit);
  const kept = values.filter((_value, i) => keys[i]?.isShown ?? true);
  return `${hit.slice(0, start)}${sortKey}${kept.map(writeJson).join(',')}]}`;
}

function compare(a: Stream, b: Stream, keys: readonly MergedKey[]): number {
  for (const [i, key] of keys.entries()) {
    const [x, y] = [a.values[i], b.values[i]];
    if (!key.isCompared || x === undefined || y === undefined || x === y) continue;
    const order = compareValues(x, y, key);
    if (order !== 0) return order;
  }
  return 0;
}

/** `null` is a missing value: behind all others, or before them. */
function compareValues(x: JsonValue, y: JsonValue, { key, isAddress }: MergedKey): number {
  if (x === null || y === null) {
    const isFirst = key.kind === 'field' && key.missing.kind === 'first';
    return (x === null) === isFirst ? -1 : 1;
  }
  return (key.order === 'desc' ? -1 : 1) * comparePresent(x, y, isAddress);
}

function comparePresent(x: JsonValue, y: JsonValue, isAddress: boolean): number {
  const [left, right] = [amount(x), amount(y)];
  if (left !== undefined && right !== undefined) return ordered(left, right);
  if (typeof x !== 'string' || typeof y !== 'string')
    throw unsupported('a sort by a field that is text in one index and a number in another');
  if (isAddress) return ordered(parseIp(x), parseIp(y));
  return Buffer.compare(Buffer.from(x), Buffer.from(y));
}

/** Numbers, and how JSON spells those that it has not. */
function amount(value: JsonValue): bigint | number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  return value === 'Infinity' || value === '-Infinity' ? Number(value) : undefined;
}

const ordered = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : Number(a > b));
