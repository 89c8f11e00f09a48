import { createRequire } from 'node:module';
import { cureKongPdk, type KongPdkClasses } from '../../../plugins/kibana-clickhouse/kong/cures';

// kong-pdk has no types for its server.
const Server = createRequire(__filename)('kong-pdk/server') as NonNullable<
  KongPdkClasses['Server']
> &
  (new () => unknown);

type CuredServer = NonNullable<KongPdkClasses['Server']>['prototype'] & { close(): void };

test('an event that Kong has given up is forgotten after five minutes', async () => {
  cureKongPdk({ Server });
  const server = new Server() as CuredServer & { instances: Map<number, unknown> };
  server.close();
  // A phase that waits for the answer to its PDK call: one that raised in Lua is never answered.
  const executePhase = async (_phase: string, kong: { log(): Promise<void> }): Promise<void> =>
    kong.log();
  server.instances.set(1, { resetExpireTs: () => undefined, executePhase });
  const event = { InstanceId: 1, EventName: 'access' };
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'], now: 0 });
  try {
    await server.HandleEvent(event);
    await server.HandleEvent(event);
    expect(server.events.size).toBe(2);
    jest.setSystemTime(5 * 60_000 - 1);
    await server.HandleEvent(event);
    expect(server.events.size).toBe(3);
    jest.setSystemTime(5 * 60_000);
    await server.HandleEvent(event);
    expect(server.events.size).toBe(2);
  } finally {
    jest.useRealTimers();
  }
});

test('a process without kong-pdk is left alone', () => {
  expect(() => {
    cureKongPdk({});
    cureKongPdk();
  }).not.toThrow();
});
