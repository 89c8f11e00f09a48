import type { ExecutionContext, Executor } from '../../clickhouse/execution/executor';
import { compileSelect } from '../../clickhouse/sql/compile';
import { type HitShape, hitWriter } from './assemble-hits';
import type { HitsPlan } from './plan-hits';

/** Hits as JSON texts, in batches, and whether there are any. */
export interface Hits {
  readonly any: boolean;
  /** How many there are. */
  readonly rows: number;
  readonly batches: AsyncIterable<readonly string[]>;
  /** Of a scroll, JSON text of the place of the last hit; known when all are read. Undefined where there is none. */
  readonly position: () => string | undefined;
  /** Stops the query where the hits will not be read. */
  readonly close: () => Promise<void>;
}

export const noHits: Hits = {
  any: false,
  rows: 0,
  batches: nothing(),
  position: () => undefined,
  close: () => Promise.resolve(),
};

/** Runs the statement of the hits and waits for its first rows: errors come before any answer. */
export async function readHits(
  plan: HitsPlan,
  shape: HitShape,
  executor: Executor,
  context: ExecutionContext,
): Promise<Hits> {
  const { lines, summary } = await executor.lines(compileSelect(plan.statement), context);
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return noHits;
  const toHit = hitWriter(plan, shape);
  let last: string | undefined;
  const write = (lines: readonly string[]): readonly string[] => {
    last = lines.at(-1) ?? last;
    return lines.map(toHit);
  };
  return {
    any: true,
    rows: summary.resultRows,
    batches: withFirst(first.value, iterator, write),
    position: () =>
      last === undefined ? undefined : plan.position?.(plan.columns.splitLine(last).cells),
    close: async () => {
      await iterator.return?.();
    },
  };
}

async function* withFirst(
  first: readonly string[],
  rest: AsyncIterator<readonly string[]>,
  write: (lines: readonly string[]) => readonly string[],
): AsyncGenerator<readonly string[]> {
  try {
    yield write(first);
    for (let next = await rest.next(); next.done !== true; next = await rest.next())
      yield write(next.value);
  } finally {
    // a reader that leaves early stops the query
    await rest.return?.();
  }
}

function nothing(): AsyncIterable<readonly string[]> {
  const end: IteratorResult<readonly string[]> = { done: true, value: undefined };
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(end) }) };
}
