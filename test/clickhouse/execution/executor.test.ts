import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { type EmbeddedClickHouse, startClickHouse } from '../../../dev/clickhouse/embedded';
import { changeableSettings } from '../../../dev/clickhouse/users';
import {
  type ClickHouseExecutor,
  createExecutor,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';
import { RequestAborted } from '../../../plugins/kibana-clickhouse/clickhouse/execution/errors';
import { sentSettings } from '../../../plugins/kibana-clickhouse/clickhouse/execution/settings';
import {
  aggregate,
  as,
  binary,
  call,
  column,
  eq,
  integer,
  literals,
  not,
  or,
  param,
} from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import {
  type CompiledStatement,
  compileSelect,
} from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { Expr } from '../../../plugins/kibana-clickhouse/clickhouse/sql/nodes';

let server: EmbeddedClickHouse;
let admin: ClickHouseClient;
let executor: ClickHouseExecutor;

beforeAll(async () => {
  server = await startClickHouse({
    users: [{ name: 'reader', password: 'secret', databases: ['default'] }],
  });
  admin = createClient({ url: server.url });
  await admin.command({ query: 'CREATE DATABASE hidden' });
  for (const table of ['default.t', 'hidden.t'])
    await admin.command({
      query: `CREATE TABLE ${table} (n UInt64, s String) ENGINE = MergeTree ORDER BY n AS SELECT number, 'x' FROM numbers(1000000)`,
    });
  executor = createExecutor({ url: server.url, user: 'reader', pass: 'secret' });
});
afterAll(async () => {
  await executor.close();
  await admin.close();
  await server.close();
});

const context = (signal = new AbortController().signal) => ({ signal, comment: 'the test' });

const select = (
  expr: Expr,
  options: { readonly table?: string; readonly database?: string; readonly where?: Expr } = {},
): CompiledStatement =>
  compileSelect({
    columns: [as('v', expr)],
    from: { kind: 'table', database: options.database ?? 'default', table: options.table ?? 't' },
    ...(options.where && { where: options.where }),
  });

const nested = (depth: number): Expr =>
  depth === 0 ? eq(column('n'), integer(1)) : not(nested(depth - 1));

const failure = (statement: CompiledStatement, by = executor): Promise<unknown> =>
  by.rows(statement, context()).then(
    () => new Error('it ran'),
    (error: unknown) => error,
  );

test('rows: values exact, summary complete', async () => {
  const { rows, summary } = await executor.rows(
    select(
      aggregate(
        'max',
        call('plus', call('intDiv', column('n'), param(2, 'UInt8')), param(2n ** 63n, 'UInt64')),
      ),
    ),
    context(),
  );
  expect(rows).toEqual([['9223372036855275807']]);
  expect(summary).toMatchObject({ readRows: 1_000_000, resultRows: 1 });
  expect(summary.elapsedMs).toBeGreaterThan(0);
  expect(summary.memoryBytes).toBeGreaterThan(0);
});

test('rows: none, infinities and line feeds in values', async () => {
  const none = await executor.rows(
    select(column('n'), { where: eq(column('n'), param(-1, 'Int64')) }),
    context(),
  );
  expect(none.rows).toEqual([]);
  const one = eq(column('n'), param(1, 'UInt64'));
  const text = await executor.rows(select(param('a\nb,[', 'String'), { where: one }), context());
  expect(text.rows).toEqual([['a\nb,[']]);
  const infinite = await executor.rows(
    select(param(Infinity, 'Float64'), { where: one }),
    context(),
  );
  expect(infinite.rows).toEqual([['inf']]);
});

test('lines come as ClickHouse wrote them, all of them', async () => {
  const { lines } = await executor.lines(select(column('n')), context());
  let count = 0;
  let sum = 0;
  for await (const batch of lines) {
    count += batch.length;
    for (const line of batch) sum += Number(/^\{"v":(\d+)\}$/.exec(line)?.[1]);
  }
  // blocks arrive in any order
  expect([count, sum]).toEqual([1_000_000, (1_000_000 * 999_999) / 2]);
});

const running = async (): Promise<number> => {
  const result = await admin.query({
    query: `SELECT count() FROM system.processes WHERE Settings['log_comment'] = 'the test'`,
    format: 'JSONCompactEachRow',
  });
  const [row] = await result.json<[string | number]>();
  return Number(row?.[0]);
};

const until = async (wanted: number): Promise<void> => {
  for (let i = 0; i < 400; i += 1) {
    if ((await running()) === wanted) return;
    await sleep(25);
  }
  throw new Error(`still ${String(await running())} statements run`);
};

// the statement would take 20 s and more: gone within 10 s, it was stopped
test.each([
  ['a readonly user', 'reader', 'secret'],
  ['a user who may write', 'default', ''],
])(
  'an aborted statement of %s stops in ClickHouse',
  async (_who, user, pass) => {
    const own = createExecutor({ url: server.url, user, pass });
    const controller = new AbortController();
    const slow = select(aggregate('sum', call('sleepEachRow', param(0.00004, 'Float64'))));
    const rows = own.rows(slow, context(controller.signal)).catch((error: unknown) => error);
    await until(1);
    controller.abort();
    expect(await rows).toBeInstanceOf(RequestAborted);
    await until(0);
    await own.close();
  },
  30_000,
);

test('nothing can be written, whatever the user may do', async () => {
  const own = createExecutor({ url: server.url });
  const statement = {
    ...select(column('n')),
    sql: 'INSERT INTO default.t SELECT 1, {p0:String}',
    parameters: { p0: 'x' },
  };
  expect(await failure(statement, own)).toMatchObject({ status: 503 });
  await own.close();
});

test('the readonly user of the development server may change every setting that is sent', () => {
  const needed = sentSettings.filter((name) => name !== 'wait_end_of_query');
  expect([...changeableSettings]).toEqual(expect.arrayContaining(needed));
});

describe('errors', () => {
  test.each<[string, () => CompiledStatement, object]>([
    [
      'a table that is gone',
      () => select(column('n'), { table: 'gone' }),
      { status: 404, type: 'index_not_found_exception', message: 'no such index [default.gone]' },
    ],
    [
      'a column that is gone',
      () => select(column('gone')),
      { status: 400, type: 'query_shard_exception' },
    ],
    [
      'a grant that is missing',
      () => select(column('n'), { database: 'hidden' }),
      { status: 503, message: 'the ClickHouse user lacks the grant SELECT ON hidden.t' },
    ],
    [
      'a bad regular expression',
      () => select(call('match', column('s'), param('(', 'String'))),
      { status: 400, type: 'illegal_argument_exception' },
    ],
    [
      'a statement longer than ClickHouse reads',
      () =>
        select(column('n'), {
          where: binary('IN', column('s'), literals(['x'.repeat(10_000_000)], 'String')),
        }),
      {
        status: 400,
        message: expect.stringMatching(/too complex for ClickHouse \[SYNTAX_ERROR\]/),
      },
    ],
    [
      'more conditions than ClickHouse takes',
      () =>
        select(column('n'), {
          where: or(Array.from({ length: 20_000 }, () => eq(column('n'), integer(1)))),
        }),
      { status: 400, message: expect.stringContaining('too complex for ClickHouse [TOO_BIG_AST]') },
    ],
    [
      'conditions within conditions',
      () => select(column('n'), { where: nested(600) }),
      { status: 400, message: expect.stringContaining('too complex for ClickHouse [TOO_') },
    ],
    [
      'anything else',
      () => select(call('throwIf', param(1, 'UInt8'))),
      {
        status: 500,
        type: 'exception',
        message: expect.stringContaining('[FUNCTION_THROW_IF_VALUE_IS_NON_ZERO]'),
      },
    ],
  ])('%s', async (_name, statement, expected) => {
    expect(await failure(statement())).toMatchObject(expected);
  });

  test('a reason holds neither statement nor values', async () => {
    const secret = 'value-4711';
    for (const fn of ['throwIf', 'noSuchFunction', 'toUInt8', 'match']) {
      const error = await failure(select(call(fn, param(secret, 'String'))));
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).not.toContain(secret);
      expect((error as Error).message).not.toContain('SELECT ');
    }
  });

  test('a statement at its time limit', async () => {
    const own = createExecutor({
      url: server.url,
      user: 'reader',
      pass: 'secret',
      maxExecutionSeconds: 1,
    });
    const slow = select(aggregate('sum', call('sleepEachRow', param(0.00001, 'Float64'))));
    expect(await failure(slow, own)).toMatchObject({ status: 400, type: 'timeout_exception' });
    await own.close();
  });

  test('a statement at its memory limit', async () => {
    const own = createExecutor({
      url: server.url,
      user: 'reader',
      pass: 'secret',
      settings: { max_memory_usage: 1_000_000 },
    });
    const large = select(
      aggregate('groupArray', call('repeat', column('s'), param(1000, 'UInt64'))),
    );
    expect(await failure(large, own)).toMatchObject({
      status: 400,
      type: 'circuit_breaking_exception',
    });
    await own.close();
  });

  test.each([
    ['reader', 'wrong'],
    ['nobody', 'x'],
  ])('user %s is refused', async (user, pass) => {
    const own = createExecutor({ url: server.url, user, pass });
    const expected = {
      status: 503,
      message: 'ClickHouse refuses the configured user: check user and password',
    };
    await expect(own.ping()).rejects.toMatchObject(expected);
    expect(await failure(select(column('n')), own)).toMatchObject(expected);
    await own.close();
  });

  test('nobody listens, or hangs up', async () => {
    const listener = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
    const address = listener.address() as { readonly port: number };
    const own = createExecutor({ url: `http://127.0.0.1:${String(address.port)}` });
    expect(await failure(select(column('n')), own)).toMatchObject({
      status: 503,
      type: 'no_shard_available_action_exception',
    });
    await new Promise((done) => listener.close(done));
    expect(await failure(select(column('n')), own)).toMatchObject({
      status: 503,
      message: 'ClickHouse is not reachable: connection refused',
    });
    await expect(own.ping()).rejects.toMatchObject({ status: 503 });
    await own.close();
  });
});
