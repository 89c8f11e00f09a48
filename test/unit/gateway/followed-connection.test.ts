import { storeUnavailable } from '../../../plugins/kibana-clickhouse/common/errors/catalogue';
import { FollowedConnection } from '../../../plugins/kibana-clickhouse/gateway/connections/followed-connection';

/** Connections are their own addresses; those in `broken` do not answer. */
function followed(times = { probeLimitMs: 5_000, tryAgainMs: 10_000 }) {
  const events: string[] = [];
  const broken = new Set<string>();
  let answer: (() => void) | undefined;
  const connection = new FollowedConnection<string, string>(
    {
      open: (address) => {
        events.push(`open ${address}`);
        return address;
      },
      probe: async (address) => {
        events.push(`probe ${address}`);
        if (address === 'slow') await new Promise<void>((done) => (answer = done));
        if (broken.has(address)) throw storeUnavailable(`[kibana-clickhouse] ${address} is down`);
      },
      close: (address) => Promise.resolve(void events.push(`close ${address}`)),
    },
    'first',
    times,
  );
  return { connection, events, broken, answer: () => answer?.() };
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));
const inUse = ({ connection }: ReturnType<typeof followed>): string => {
  const lease = connection.take();
  lease.release();
  return lease.connection;
};

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

it('opens nothing before it is used, and then by the latest settings, without a try', async () => {
  const one = followed();
  one.connection.follow('second');
  await settled();
  expect(one.events).toEqual([]);
  expect(inUse(one)).toBe('second');
  expect(one.events).toEqual(['open second']);
});

it('tries a new address, and closes the one before with its last request', async () => {
  const one = followed();
  const running = one.connection.take();
  one.connection.follow('second');
  await settled();
  expect(inUse(one)).toBe('second');
  expect(one.events).toEqual(['open first', 'open second', 'probe second']);
  running.release();
  running.release();
  expect(one.events.at(-1)).toBe('close first');
  expect(one.events.filter((event) => event.startsWith('close'))).toHaveLength(1);
});

it('keeps the working one while the new one fails, says why, and tries again every 10 s', async () => {
  const one = followed();
  inUse(one);
  one.broken.add('second');
  one.connection.follow('second');
  await settled();
  expect(inUse(one)).toBe('first');
  expect(one.connection.problem).toBe('second is down');
  expect(one.events.at(-1)).toBe('close second');
  jest.advanceTimersByTime(9_999);
  await settled();
  expect(one.events.filter((event) => event === 'probe second')).toHaveLength(1);
  one.broken.clear();
  jest.advanceTimersByTime(1);
  await settled();
  expect(inUse(one)).toBe('second');
  expect(one.connection.problem).toBeUndefined();
});

it('forgets an attempt that the settings have overtaken', async () => {
  const one = followed();
  inUse(one);
  one.connection.follow('slow');
  await settled();
  one.connection.follow('third');
  one.answer();
  await settled();
  expect(inUse(one)).toBe('third');
  expect(one.events).toContain('close slow');
  one.broken.add('fourth');
  one.connection.follow('fourth');
  await settled();
  one.connection.follow('third');
  expect(one.connection.problem).toBeUndefined();
  jest.advanceTimersByTime(60_000);
  await settled();
  expect(inUse(one)).toBe('third');
});

it('gives a silent address up after its time', async () => {
  jest.useRealTimers();
  const one = followed({ probeLimitMs: 20, tryAgainMs: 60_000 });
  inUse(one);
  one.connection.follow('slow');
  await new Promise((done) => setTimeout(done, 100));
  expect(one.connection.problem).toBe('it does not answer in time');
  expect(inUse(one)).toBe('first');
  await one.connection.close();
  expect(one.events.at(-1)).toBe('close first');
});
