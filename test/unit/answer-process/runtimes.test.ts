import { Runtimes } from '../../../plugins/kibana-clickhouse/gateway/answer-process/runtimes';
import type { Runtime } from '../../../plugins/kibana-clickhouse/gateway/runtime';
import type { PluginConfig } from '../../../schema/plugin-config';

const config: PluginConfig = { role: 'proxy', failure_mode: 'strict', log_level: 'info' };
const MINUTE = 60_000;

function counted() {
  let now = 0;
  const events: string[] = [];
  const runtimes = new Runtimes({
    now: () => now,
    create: () => {
      events.push('made');
      return { close: () => Promise.resolve(void events.push('closed')) } as unknown as Runtime;
    },
  });
  return { events, runtimes, after: (ms: number) => (now += ms) };
}

it('makes a runtime on first use only, and one for each configuration', () => {
  const { events, runtimes } = counted();
  runtimes.configure('a', config);
  expect(events).toEqual([]);
  const first = runtimes.lease('a');
  expect(runtimes.lease('a')?.runtime).toBe(first?.runtime);
  expect(events).toEqual(['made']);
  expect(runtimes.lease('b')).toBeUndefined();
});

it('closes after ten idle minutes, makes it again on use, forgets after an hour', async () => {
  const { events, runtimes, after } = counted();
  runtimes.configure('a', config);
  runtimes.lease('a')?.release();
  after(9 * MINUTE);
  await runtimes.sweep();
  expect(events).toEqual(['made']);
  after(MINUTE);
  await runtimes.sweep();
  expect(events).toEqual(['made', 'closed']);
  runtimes.lease('a')?.release();
  expect(events).toEqual(['made', 'closed', 'made']);
  after(59 * MINUTE);
  await runtimes.sweep();
  runtimes.configure('a', config);
  after(59 * MINUTE);
  await runtimes.sweep();
  expect(runtimes.lease('a')).toBeDefined();
});

it('forgets a configuration after an hour without use', async () => {
  const { runtimes, after } = counted();
  runtimes.configure('a', config);
  after(60 * MINUTE);
  await runtimes.sweep();
  expect(runtimes.lease('a')).toBeUndefined();
});

it('never closes under a request, however long it takes', async () => {
  const { events, runtimes, after } = counted();
  runtimes.configure('a', config);
  const lease = runtimes.lease('a');
  after(120 * MINUTE);
  await runtimes.sweep();
  expect(events).toEqual(['made']);
  lease?.release();
  lease?.release();
  after(10 * MINUTE);
  await runtimes.sweep();
  expect(events).toEqual(['made', 'closed']);
});
