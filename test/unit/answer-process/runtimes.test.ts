import type { ServedMessage } from '../../../plugins/kibana-clickhouse/gateway/answer-process/messages';
import { Runtimes } from '../../../plugins/kibana-clickhouse/gateway/answer-process/runtimes';
import { ServedChannel } from '../../../plugins/kibana-clickhouse/gateway/answer-process/served-channel';
import type { Lease, Runtime } from '../../../plugins/kibana-clickhouse/gateway/runtime';
import type { SettingsService } from '../../../plugins/kibana-clickhouse/metadata/settings/settings-service';
import type { PluginConfig } from '../../../schema/plugin-config';
import type { PartialSettings, Settings } from '../../../schema/settings';

const config: PluginConfig = { role: 'proxy', failure_mode: 'strict', log_level: 'info' };
const MINUTE = 60_000;

/** Settings whose whitelist a test sets; nothing is stored anywhere. */
class TestSettings {
  names: readonly string[] = ['first'];
  isRead = true;
  listeners = new Set<() => void>();

  service(events: string[]): SettingsService {
    return {
      current: () => ({ proxy: { whiteIndexList: this.names } }) as unknown as Settings,
      overlay: () => ({ proxy: { whiteIndexList: [...this.names] } }),
      sources: () => new Map(),
      ready: () => Promise.resolve(),
      update: () => {
        this.change(['updated']);
        return Promise.resolve({ changed: [], version: 1 });
      },
      onChange: (listener) => {
        const call = (): void => {
          listener({} as Settings, {} as Settings);
        };
        this.listeners.add(call);
        return () => this.listeners.delete(call);
      },
      status: () => ({ store: 'file', read: this.isRead }),
      close: () => Promise.resolve(void events.push('settings closed')),
    };
  }

  change(names: readonly string[]): void {
    this.names = names;
    for (const listener of this.listeners) listener();
  }
}

function counted() {
  let now = 0;
  const events: string[] = [];
  const told: ServedMessage[] = [];
  const given: (PartialSettings | undefined)[] = [];
  const settings = new TestSettings();
  const services: SettingsService[] = [];
  let isKeepingOldConnection = false;
  const channel = new ServedChannel((message) => {
    if (message.kind === 'served') told.push(message);
  });
  const runtimes = new Runtimes({
    now: () => now,
    channel,
    openSettings: (_config, lastKnown) => {
      given.push(lastKnown);
      return settings.service(events);
    },
    create: (_config, service) => {
      services.push(service);
      events.push('made');
      const runtime = { settings: service } as unknown as Runtime;
      return {
        lease: () => ({ runtime, release: () => undefined }),
        get isKeepingOldConnection() {
          return isKeepingOldConnection;
        },
        isWorking: false,
        close: () => Promise.resolve(void events.push('closed')),
      };
    },
  });
  const acknowledge = (): void => {
    for (const { runtime, serial } of told) channel.taken(runtime, serial);
  };
  return {
    events,
    runtimes,
    told,
    given,
    settings,
    acknowledge,
    keepOldConnection: (keeps: boolean) => (isKeepingOldConnection = keeps),
    after: (ms: number) => (now += ms),
  };
}

const caller = { role: 'proxy' } as const;

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

async function leased(runtimes: Runtimes, id: string): Promise<Lease> {
  const lease = await runtimes.lease(id, caller);
  if (!lease) throw new Error('not known');
  return lease;
}

afterEach(() => {
  jest.useRealTimers();
});

it('makes a runtime on first use only, and one for each configuration', async () => {
  const { events, runtimes, acknowledge } = counted();
  runtimes.configure('a', config);
  expect(events).toEqual([]);
  const first = await runtimes.lease('a', caller);
  expect((await runtimes.lease('a', caller))?.runtime).toBe(first?.runtime);
  expect(events).toEqual(['made']);
  expect(await runtimes.lease('b', caller)).toBeUndefined();
  acknowledge();
});

it('closes connections after ten idle minutes, never the settings of an instance', async () => {
  const { events, runtimes, told, settings, after, acknowledge } = counted();
  runtimes.configure('a', config);
  (await leased(runtimes, 'a')).release();
  after(9 * MINUTE);
  await runtimes.sweep();
  expect(events).toEqual(['made']);
  after(MINUTE);
  await runtimes.sweep();
  expect(events).toEqual(['made', 'closed']);
  settings.change(['later']);
  expect(told.at(-1)).toMatchObject({ runtime: 'a', names: ['later'] });
  after(24 * 60 * MINUTE);
  await runtimes.sweep();
  (await leased(runtimes, 'a')).release();
  expect(events).toEqual(['made', 'closed', 'made']);
  acknowledge();
});

it('keeps an old connection that the settings do not name, however idle', async () => {
  const { events, runtimes, after, keepOldConnection, acknowledge } = counted();
  runtimes.configure('a', config);
  (await leased(runtimes, 'a')).release();
  keepOldConnection(true);
  after(20 * MINUTE);
  await runtimes.sweep();
  expect(events).toEqual(['made']);
  keepOldConnection(false);
  await runtimes.sweep();
  expect(events).toEqual(['made', 'closed']);
  acknowledge();
});

it('a released configuration stays known for an hour, its settings for a minute', async () => {
  const { events, runtimes, after, acknowledge } = counted();
  runtimes.configure('a', config);
  (await leased(runtimes, 'a')).release();
  runtimes.release('a');
  await runtimes.sweep();
  expect(events).toEqual(['made']);
  after(MINUTE);
  await runtimes.sweep();
  expect(events).toEqual(['made', 'closed', 'settings closed']);
  after(30 * MINUTE);
  (await leased(runtimes, 'a')).release();
  expect(events).toEqual(['made', 'closed', 'settings closed', 'made']);
  after(60 * MINUTE);
  await runtimes.sweep();
  expect(await runtimes.lease('a', caller)).toBeUndefined();
  acknowledge();
});

it('one that no request has used is closed at once', async () => {
  const { events, runtimes } = counted();
  runtimes.configure('a', config);
  runtimes.release('a');
  await settled();
  expect(events).toEqual(['settings closed']);
});

it('forgets the oldest of too many released configurations', async () => {
  const { runtimes, acknowledge } = counted();
  for (let i = 0; i < 1_100; i++) {
    runtimes.configure(String(i), config);
    runtimes.release(String(i));
  }
  await runtimes.sweep();
  expect(await runtimes.lease('99', caller)).toBeUndefined();
  expect(await runtimes.lease('100', caller)).toBeDefined();
  await runtimes.close();
  acknowledge();
});

it('never closes under a request, however long it takes', async () => {
  const { events, runtimes, after, acknowledge } = counted();
  runtimes.configure('a', config);
  const lease = await leased(runtimes, 'a');
  runtimes.release('a');
  after(120 * MINUTE);
  await runtimes.sweep();
  expect(events).toEqual(['made']);
  lease.release();
  lease.release();
  after(10 * MINUTE);
  await runtimes.sweep();
  expect(events).toEqual(['made', 'closed', 'settings closed']);
  acknowledge();
});

it('tells what is served when it is configured, when it changes and when it is configured again', async () => {
  const { runtimes, told, given, settings, acknowledge } = counted();
  const lastKnown = { proxy: { whiteIndexList: ['known'] } };
  runtimes.configure('a', config, lastKnown);
  await settled();
  const overlay = { proxy: { whiteIndexList: ['first'] } };
  expect(told).toEqual([{ kind: 'served', runtime: 'a', serial: 1, names: ['first'], overlay }]);
  settings.change(['second', '.not-this']);
  expect(told.at(-1)?.names).toEqual(['second']);
  runtimes.configure('a', config);
  await settled();
  expect(told).toHaveLength(3);
  expect(given).toEqual([lastKnown]);
  runtimes.release('a');
  settings.change(['third']);
  expect(told).toHaveLength(3);
  acknowledge();
});

it('says nothing about stored settings that were not read', async () => {
  const { runtimes, told, settings, acknowledge } = counted();
  settings.isRead = false;
  runtimes.configure('a', config);
  await settled();
  expect(told).toEqual([{ kind: 'served', runtime: 'a', serial: 1, names: ['first'] }]);
  acknowledge();
});

it('an update resolves when the plugin server decides by it, or after a second', async () => {
  const { runtimes, acknowledge } = counted();
  runtimes.configure('a', config);
  const { runtime } = await leased(runtimes, 'a');
  acknowledge();
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  let isDone = false;
  const update = async (): Promise<void> => {
    isDone = false;
    await runtime.settings.update((overlay) => overlay);
    isDone = true;
  };
  const first = update();
  await settled();
  expect(isDone).toBe(false);
  acknowledge();
  await first;
  const second = update();
  await settled();
  expect(isDone).toBe(false);
  jest.advanceTimersByTime(1_000);
  await second;
});
