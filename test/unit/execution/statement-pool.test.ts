import { RequestAborted } from '../../../plugins/kibana-clickhouse/clickhouse/execution/errors';
import {
  type PoolSizes,
  StatementPool,
} from '../../../plugins/kibana-clickhouse/gateway/execution/statement-pool';

/** Statements that end when they are told to, and the order in which they started. */
class Statements {
  readonly started: string[] = [];
  readonly #ends = new Map<string, () => void>();
  sizes: PoolSizes;
  readonly pool: StatementPool;

  constructor(coreSize: number, queueSize = 100) {
    this.sizes = { coreSize, queueSize };
    this.pool = new StatementPool('threadPool.test', () => this.sizes);
  }

  /** A statement of the consumer that its name begins with: `a1`. */
  ask(name: string, signal: AbortSignal = new AbortController().signal): Promise<string> {
    return this.pool.run({ consumer: name.charAt(0), signal }, async () => {
      this.started.push(name);
      await new Promise<void>((resolve) => this.#ends.set(name, resolve));
      return name;
    });
  }

  /** Ends a statement that runs; resolves when what its place was for has started. */
  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    this.#ends.delete(name);
    await turns();
  }

  /** Ends all, in the order in which they start. */
  async endAll(): Promise<void> {
    await turns();
    // the list grows meanwhile
    for (const name of this.started) await this.end(name);
  }
}

/** Resolves when all that can start has started. */
const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const idle = { active: 0, queued: 0 };

test('no more than coreSize run at once, the others in their order', async () => {
  const statements = new Statements(2);
  const asked = ['a1', 'a2', 'a3', 'a4'].map((name) => statements.ask(name));
  await turns();
  expect(statements.started).toEqual(['a1', 'a2']);
  expect(statements.pool.status()).toEqual({ active: 2, queued: 2, rejected: 0 });
  await statements.end('a2');
  expect(statements.started).toEqual(['a1', 'a2', 'a3']);
  await statements.endAll();
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect(statements.pool.status()).toMatchObject(idle);
});

test('consumers take turns: one with many does not hold up the others', async () => {
  const statements = new Statements(1);
  const names = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1'];
  const asked = names.map((name) => statements.ask(name));
  await statements.endAll();
  expect(statements.started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5']);
  await Promise.all(asked);
});

test('a full queue refuses with 429 and names sizes and setting', async () => {
  const statements = new Statements(1, 1);
  const asked = [statements.ask('a1'), statements.ask('a2')];
  await expect(statements.ask('b1')).rejects.toMatchObject({
    status: 429,
    type: 'es_rejected_execution_exception',
    message: expect.stringMatching(/\[threadPool\.test\] lets \[1\] run and \[1\] wait/) as unknown,
  });
  expect(statements.pool.status()).toEqual({ active: 1, queued: 1, rejected: 1 });
  await statements.endAll();
  await Promise.all(asked);
  const again = statements.ask('b1');
  await statements.endAll();
  expect(await again).toBe('b1');
});

test('without a queue a statement runs at once or not at all', async () => {
  const statements = new Statements(1, 0);
  const first = statements.ask('a1');
  await expect(statements.ask('a2')).rejects.toMatchObject({ status: 429 });
  await statements.endAll();
  await first;
});

test('whom nobody waits for any more leaves the queue', async () => {
  const statements = new Statements(1, 2);
  const client = new AbortController();
  const asked = [statements.ask('a1'), statements.ask('a3')];
  const gone = statements.ask('a2', client.signal);
  client.abort();
  await expect(gone).rejects.toBeInstanceOf(RequestAborted);
  expect(statements.pool.status()).toEqual({ active: 1, queued: 1, rejected: 0 });
  await statements.endAll();
  expect(statements.started).toEqual(['a1', 'a3']);
  await Promise.all(asked);
  expect(statements.pool.status()).toMatchObject(idle);
  await expect(statements.ask('a4', client.signal)).rejects.toBeInstanceOf(RequestAborted);
  expect(statements.pool.status()).toMatchObject(idle);
});

test('a client that goes while its statement runs frees the place only when that has ended', async () => {
  const statements = new Statements(1);
  const client = new AbortController();
  const running = statements.ask('a1', client.signal);
  const next = statements.ask('b1');
  client.abort();
  expect(statements.pool.status()).toMatchObject({ active: 1, queued: 1 });
  await statements.endAll();
  await Promise.all([running, next]);
});

test('a statement that fails frees its place', async () => {
  const statements = new Statements(1);
  const { signal } = new AbortController();
  const failing = statements.pool.run({ consumer: 'a', signal }, () =>
    Promise.reject(new Error('no table')),
  );
  const next = statements.ask('b1');
  await expect(failing).rejects.toThrow('no table');
  await statements.endAll();
  expect(await next).toBe('b1');
  expect(statements.pool.status()).toMatchObject(idle);
});

test('sizes change while statements run and wait', async () => {
  const statements = new Statements(1);
  const asked = ['a1', 'a2', 'a3', 'a4'].map((name) => statements.ask(name));
  statements.sizes = { coreSize: 3, queueSize: 100 };
  statements.pool.startWaiting();
  expect(statements.pool.status()).toMatchObject({ active: 3, queued: 1 });
  statements.sizes = { coreSize: 1, queueSize: 100 };
  await turns();
  await statements.end('a1');
  await statements.end('a2');
  expect(statements.started).toEqual(['a1', 'a2', 'a3']);
  await statements.endAll();
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'a4']);
});
