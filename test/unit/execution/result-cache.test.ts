import { RequestAborted } from '../../../plugins/kibana-clickhouse/clickhouse/execution/errors';
import type { ResultSet } from '../../../plugins/kibana-clickhouse/clickhouse/execution/executor';
import { ResultCache } from '../../../plugins/kibana-clickhouse/gateway/execution/result-cache';
import { resultLifetimeMs } from '../../../plugins/kibana-clickhouse/gateway/execution/result-cache-lifetime';

const summary = { readRows: 5, readBytes: 50, resultRows: 1, memoryBytes: 9, elapsedMs: 1 };
const one: ResultSet = { rows: [['1', 'text']], summary };
const { signal } = new AbortController();
const hour = { key: 'k', lifetimeMs: 3_600_000 };

/** A result that comes when the test says so. */
function withResolvers(): {
  readonly promise: Promise<ResultSet>;
  readonly resolve: (result: ResultSet) => void;
} {
  let resolve: (result: ResultSet) => void = () => undefined;
  const promise = new Promise<ResultSet>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('how long a result lives', () => {
  const now = Date.UTC(2026, 0, 1);
  const rounding = { stepMs: 20_000 };
  test.each([
    ['a range that ended before the last minute', { endMs: now - 60_001 }, undefined, 600_000],
    ['a range that ended a minute ago', { endMs: now - 60_000 }, undefined, 0],
    ['the same, rounded', { endMs: now - 60_000 }, rounding, 20_000],
    ['a range to now, rounded', { endMs: now }, rounding, 20_000],
    ['no end, rounded', {}, rounding, 20_000],
    ['no end', {}, undefined, 0],
  ])('%s', (_name, search, step, expected) => {
    expect(resultLifetimeMs(search, step, now)).toBe(expected);
  });
});

describe('rows', () => {
  test('are asked for once, and then known', async () => {
    const cache = new ResultCache();
    expect(await cache.rows(hour, signal, () => Promise.resolve(one))).toBe(one);
    const again = await cache.rows(hour, signal, () => Promise.reject(new Error('asked again')));
    expect(again).toEqual({
      rows: one.rows,
      summary: {
        readRows: 0,
        readBytes: 0,
        resultRows: 1,
        memoryBytes: 0,
        elapsedMs: 0,
        cached: true,
      },
    });
    expect(cache.status()).toMatchObject({ hits: 1, misses: 1 });
    expect(cache.status().bytes).toBeGreaterThan(0);
  });

  test('without a life, of a failure, after a change of the settings, or too large, are not kept', async () => {
    const cache = new ResultCache(1_000);
    const runs: string[] = [];
    const run =
      (name: string, result = one) =>
      () => {
        runs.push(name);
        return Promise.resolve(result);
      };
    const now = { key: 'now', lifetimeMs: 0 };
    await cache.rows(now, signal, run('now'));
    await cache.rows(now, signal, run('now again'));
    await expect(
      cache.rows(hour, signal, () => Promise.reject(new Error('failed'))),
    ).rejects.toThrow('failed');
    await cache.rows(hour, signal, run('after the failure'));
    cache.clear();
    await cache.rows(hour, signal, run('after the change'));
    const large = { rows: [['x'.repeat(1_000)]], summary };
    await cache.rows({ ...hour, key: 'large' }, signal, run('large', large));
    await cache.rows({ ...hour, key: 'large' }, signal, run('large again', large));
    expect(runs).toEqual([
      'now',
      'now again',
      'after the failure',
      'after the change',
      'large',
      'large again',
    ]);
  });

  test('that were asked for before a change of the settings are not kept after it', async () => {
    const cache = new ResultCache();
    const { promise, resolve } = withResolvers();
    const before = cache.rows(hour, signal, () => promise);
    cache.clear();
    const after = cache.rows(hour, signal, () => Promise.resolve({ rows: [['2']], summary }));
    resolve(one);
    expect((await before).rows).toEqual(one.rows);
    expect((await after).rows).toEqual([['2']]);
    const later = await cache.rows(hour, signal, () => Promise.reject(new Error('asked again')));
    expect(later.rows).toEqual([['2']]);
  });

  test('several who ask at the same time share one statement, also when the first goes away', async () => {
    const cache = new ResultCache();
    const { promise, resolve } = withResolvers();
    const shared: AbortSignal[] = [];
    const run = (running: AbortSignal) => {
      shared.push(running);
      return promise;
    };
    const first = new AbortController();
    const leaving = cache.rows(hour, first.signal, run);
    const staying = cache.rows(hour, signal, run);
    first.abort();
    await expect(leaving).rejects.toBeInstanceOf(RequestAborted);
    expect(shared.map(({ aborted }) => aborted)).toEqual([false]);
    resolve(one);
    expect(await staying).toMatchObject({ rows: one.rows, summary: { cached: true } });
  });

  test('when all go away the statement is stopped, and the next begins anew', async () => {
    const cache = new ResultCache();
    const shared: AbortSignal[] = [];
    const never = (running: AbortSignal) => {
      shared.push(running);
      return new Promise<ResultSet>((_resolve, reject) => {
        running.addEventListener('abort', () => {
          reject(new RequestAborted());
        });
      });
    };
    const leaving = [new AbortController(), new AbortController()];
    const asked = leaving.map(({ signal: own }) => cache.rows(hour, own, never));
    for (const controller of leaving) controller.abort();
    for (const one of asked) await expect(one).rejects.toBeInstanceOf(RequestAborted);
    expect(shared.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await cache.rows(hour, signal, () => Promise.resolve(one))).toBe(one);
  });
});

describe('lines', () => {
  async function* batches(): AsyncGenerator<readonly string[]> {
    yield await Promise.resolve(['{"a":1}', '{"a":2}']);
    yield ['{"a":3}'];
  }
  const run = () => Promise.resolve({ lines: batches(), summary });
  const refuse = () => Promise.reject(new Error('asked again'));
  const read = async (lines: AsyncIterable<readonly string[]>, limit = Infinity) => {
    const all: string[] = [];
    for await (const batch of lines) {
      all.push(...batch);
      if (all.length >= limit) break;
    }
    return all;
  };

  test('are kept once they were read to their end', async () => {
    const cache = new ResultCache();
    const all = ['{"a":1}', '{"a":2}', '{"a":3}'];
    await read((await cache.lines(hour, run)).lines, 1);
    expect(await read((await cache.lines(hour, run)).lines)).toEqual(all);
    const kept = await cache.lines(hour, refuse);
    expect(kept.summary.cached).toBe(true);
    expect(await read(kept.lines)).toEqual(all);
  });
});
