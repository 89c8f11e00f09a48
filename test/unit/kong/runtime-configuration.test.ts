import { RuntimeConfiguration } from '../../../plugins/kibana-clickhouse/kong/runtime-configuration';
import type { PluginConfig } from '../../../schema/plugin-config';

const WITHOUT_STORE: PluginConfig = {
  role: 'proxy',
  failure_mode: 'strict',
  log_level: 'info',
  settings: { proxy: { whiteIndexList: ['logs', '.kibana'], blackIndexList: ['old'] } },
};
const CONFIG: PluginConfig = { ...WITHOUT_STORE, metadata_config: { hosts: ['es:9200'] } };

const named = ({ served }: RuntimeConfiguration): readonly string[] => [...served];
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

it('serves what kong.yml says until it is told otherwise', () => {
  const one = new RuntimeConfiguration('r', CONFIG);
  expect(named(one)).toEqual(['logs']);
  one.take({ names: ['metrics'], overlay: {} });
  expect(named(one)).toEqual(['metrics']);
  one.take({ names: ['later'], overlay: { proxy: { round: 1 } } });
  expect(named(one)).toEqual(['later']);
  expect(one.lastKnown).toEqual({ proxy: { round: 1 } });
});

it('lets nobody wait where there is no store', () => {
  expect(new RuntimeConfiguration('r', WITHOUT_STORE).isSettled).toBe(true);
  const inFile = { ...WITHOUT_STORE, state_file: '/var/lib/settings.json' };
  expect(new RuntimeConfiguration('r', inFile).isSettled).toBe(false);
});

it('all who wait share two seconds, and nobody waits after them', async () => {
  const one = new RuntimeConfiguration('r', CONFIG);
  let over = 0;
  const wait = (): void => void one.settled().then(() => over++);
  wait();
  jest.advanceTimersByTime(1_500);
  wait();
  jest.advanceTimersByTime(499);
  await settled();
  expect(over).toBe(0);
  jest.advanceTimersByTime(1);
  await settled();
  expect([over, one.isSettled]).toEqual([2, true]);
});

it('the first word ends the waiting, also that the store could not be read', async () => {
  const one = new RuntimeConfiguration('r', CONFIG);
  const waiting = one.settled();
  one.take({ names: ['logs'] });
  await waiting;
  expect(one.isSettled).toBe(true);
});

it('what was read is not replaced by what was not', () => {
  const one = new RuntimeConfiguration('r', CONFIG);
  one.take({ names: ['metrics'], overlay: {} });
  one.take({ names: ['logs'] });
  expect(named(one)).toEqual(['metrics']);
});

it('after a long silence the next request waits again, and what was known holds meanwhile', async () => {
  const one = new RuntimeConfiguration('r', CONFIG);
  one.take({ names: ['metrics'], overlay: {} });
  one.doubt();
  expect(one.isSettled).toBe(false);
  const waiting = one.settled();
  jest.advanceTimersByTime(2_000);
  await waiting;
  expect(named(one)).toEqual(['metrics']);
});
