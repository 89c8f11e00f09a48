import type {
  ExecutionContext,
  Executor,
  ResultSet,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/executor';
import { integer, as } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { compileSelect } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import {
  ResultCache,
  type SharedLevel,
} from '../../../plugins/kibana-clickhouse/gateway/execution/result-cache';
import { resultCached } from '../../../plugins/kibana-clickhouse/gateway/execution/result-cached';
import { Workplace } from '../settings/support';
import type { Settings } from '../../../schema/settings';

const summary = { readRows: 5, readBytes: 50, resultRows: 1, memoryBytes: 9, elapsedMs: 1 };

/** What nodes share, as one store has it. */
function sharedStore(): SharedLevel & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const expiresAt = Date.now() + 60_000;
  return {
    texts,
    read: (key) => {
      const text = texts.get(key);
      return Promise.resolve(text === undefined ? undefined : { text, expiresAt });
    },
    write: ({ key, text }) => void texts.set(key, text()),
  };
}

const workplace = new Workplace();
const defaults = workplace.open().current();
afterAll(() => workplace.close());

const settingsOf = (over: Partial<Settings['proxy']> = {}): Settings => {
  const { query, proxy, ...rest } = defaults;
  return { ...rest, query: { ...query, useCache: true }, proxy: { ...proxy, ...over } };
};

const closed = { table: 'default.logs', fingerprint: 'f', endMs: 0, structure: 's1' };
const contextOf = (over: Partial<ExecutionContext> = {}): ExecutionContext => ({
  signal: new AbortController().signal,
  comment: '',
  search: closed,
  ...over,
});
const statement = (value: number) =>
  compileSelect({
    columns: [as('n', integer(value))],
    from: { kind: 'table', database: 'default', table: 'logs' },
  });

/** A node of its own; gives its executor and how often ClickHouse was asked. */
function node(store: SharedLevel, settings = settingsOf(), origin = 'a') {
  const asked: string[] = [];
  const result: ResultSet = { rows: [['x']], summary };
  const connection: Executor = {
    ...(origin !== '' && { origin }),
    rows: ({ sql }) => {
      asked.push(sql);
      return Promise.resolve(result);
    },
    lines: ({ sql }) => {
      asked.push(sql);
      const lines = (async function* () {
        yield await Promise.resolve(['{"n":1}', '{"n":2}']);
      })();
      return Promise.resolve({ lines, summary });
    },
  };
  const cache = new ResultCache(undefined, store);
  const executor = resultCached(cache, { current: () => settings })(connection, connection);
  return { executor, asked, cache };
}

/** What another search differs in. */
interface Other {
  readonly settings?: Settings;
  readonly context?: Partial<ExecutionContext>;
  readonly value?: number;
  readonly origin?: string;
}

async function linesOf(executor: Executor): Promise<readonly string[]> {
  const { lines } = await executor.lines(statement(1), contextOf());
  const all: string[] = [];
  for await (const batch of lines) all.push(...batch);
  return all;
}

describe('results that nodes share', () => {
  it('are found by the next node: rows, and lines that were read to their end', async () => {
    const store = sharedStore();
    const [a, b] = [node(store), node(store)];
    const rows = await a.executor.rows(statement(1), contextOf());
    expect(await b.executor.rows(statement(1), contextOf())).toMatchObject({
      rows: rows.rows,
      summary: { cached: true, readRows: 0 },
    });
    expect(await linesOf(a.executor)).toEqual(await linesOf(b.executor));
    expect([a.asked.length, b.asked.length]).toEqual([2, 0]);
    expect(b.cache.status()).toMatchObject({ hits: 2, misses: 0 });
  });

  it.each([
    ['another statement', { value: 2 }],
    ['other settings', { settings: settingsOf({ textSearch: 'tokens' }) }],
    ['another ClickHouse', { origin: 'b' }],
    ['a ClickHouse that is not named', { origin: '' }],
    ['another structure of the table', { context: { search: { ...closed, structure: 's2' } } }],
    ['other limits', { context: { limits: { maxReadRows: 1 } } }],
    ['a range that still grows', { context: { search: { ...closed, endMs: Infinity } } }],
  ] as readonly (readonly [string, Other])[])('are not those of %s', async (_name, other) => {
    const store = sharedStore();
    await node(store).executor.rows(statement(1), contextOf());
    expect(store.texts.size).toBe(1);
    const second = node(store, other.settings, other.origin);
    await second.executor.rows(statement(other.value ?? 1), contextOf(other.context));
    expect(second.asked).toHaveLength(1);
  });

  it('say nothing of passwords in their keys, and are not taken in another form', async () => {
    const store = sharedStore();
    const pass = (word: string): Settings =>
      settingsOf({ ck: { ...settingsOf().proxy.ck, pass: word } });
    await node(store, pass('one')).executor.rows(statement(1), contextOf());
    await node(store, pass('two')).executor.rows(statement(1), contextOf());
    expect(store.texts.size).toBe(1);
    for (const text of ['', 'no JSON', '{}', '{"format":1,"kind":"rows","rows":[1]}', 'null']) {
      const [key = ''] = store.texts.keys();
      store.texts.set(key, text);
      const other = node(store, pass('one'));
      await other.executor.rows(statement(1), contextOf());
      expect(other.asked).toHaveLength(1);
    }
  });
});
