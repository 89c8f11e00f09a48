import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { KongSide } from './support/kong-side';
import {
  built,
  INSPECTION,
  startPluginServer,
  type RunningPluginServer,
} from './support/plugin-server';

// Processes are started or many modules compiled: slow on a busy machine.
jest.setTimeout(60_000);

/** A plugin whose access phase does what its configuration says. */
const plugin = (isCured: boolean): string => `
${isCured ? `require(${JSON.stringify(built('kong/cures.js'))}).cureKongPdk();` : ''}
${INSPECTION}
exports.Name = 'kibana-clickhouse';
exports.Plugin = class {
  constructor(config) { this.config = config; }
  async access(kong) {
    if (this.config.does === 'exit') await kong.response.exit(200, 'ok');
  }
  close() { globalThis.closed++; }
};
`;

const servers: RunningPluginServer[] = [];
const connections: KongSide[] = [];

async function start(isCured: boolean): Promise<RunningPluginServer> {
  const server = await startPluginServer({ plugin: { source: plugin(isCured) } });
  servers.push(server);
  return server;
}

async function connect(server: RunningPluginServer): Promise<KongSide> {
  const connection = await KongSide.connect(server.socket);
  connections.push(connection);
  return connection;
}

afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

/** How the process ended, or that it lives on and answers. */
async function stateOf(server: RunningPluginServer): Promise<string> {
  const ended = server.ended.then((code) => `ended with code ${String(code)}`);
  const answers = (async () => {
    await sleep(300);
    await (await connect(server)).call('GetStatus');
    return 'alive';
  })().catch(async () => ended);
  return Promise.race([ended, answers]);
}

test('ended events are forgotten; kong-pdk keeps them for ever', async () => {
  const eventsAfter = async (isCured: boolean, does: string): Promise<number> => {
    const kong = await connect(await start(isCured));
    const instance = await kong.startInstance({ does });
    for (let i = 0; i < 50; i++) await kong.access(instance);
    return ((await kong.call('Inspect')) as { readonly events: number }).events;
  };
  expect(await eventsAfter(false, 'exit')).toBe(50);
  expect(await eventsAfter(false, 'nothing')).toBe(50);
  expect(await eventsAfter(true, 'exit')).toBe(0);
  expect(await eventsAfter(true, 'nothing')).toBe(0);
});

test('a frame may be split inside a header; kong-pdk dies of it', async () => {
  const split = async (isCured: boolean): Promise<string> => {
    const server = await start(isCured);
    const kong = await connect(server);
    const { bytes, result } = kong.message('StartInstance', {
      Name: 'kibana-clickhouse',
      Config: JSON.stringify({ text: 'x'.repeat(70_000) }),
    });
    const lengthOfConfig = bytes.indexOf(Buffer.from([0xdb]));
    kong.write(bytes.subarray(0, lengthOfConfig + 2));
    await sleep(100);
    kong.write(bytes.subarray(lengthOfConfig + 2));
    await result.catch(() => undefined);
    return stateOf(server);
  };
  expect(await split(false)).toBe('ended with code 1');
  expect(await split(true)).toBe('alive');
});

test('a frame may arrive byte by byte', async () => {
  const kong = await connect(await start(true));
  const { bytes, result } = kong.message('GetPluginInfo', 'kibana-clickhouse');
  for (const byte of bytes) {
    kong.write(Buffer.from([byte]));
    await sleep(1);
  }
  expect(await result).toMatchObject({ Name: 'kibana-clickhouse' });
});

test('two messages may arrive at once; kong-pdk dies of it', async () => {
  const both = async (isCured: boolean): Promise<string | readonly unknown[]> => {
    const server = await start(isCured);
    const kong = await connect(server);
    const first = kong.message('GetPluginInfo', 'kibana-clickhouse');
    const second = kong.message('GetStatus');
    kong.write(Buffer.concat([first.bytes, second.bytes]));
    return Promise.all([first.result, second.result]).catch(() => stateOf(server));
  };
  expect(await both(false)).toBe('ended with code 1');
  expect(await both(true)).toEqual([
    expect.objectContaining({ Name: 'kibana-clickhouse' }),
    expect.objectContaining({ Plugins: expect.anything() }),
  ]);
});

test('a connection that Kong resets costs nothing else; kong-pdk dies of it', async () => {
  const reset = async (isCured: boolean): Promise<string> => {
    const server = await start(isCured);
    const socket = createConnection(server.socket).pause();
    await once(socket, 'connect');
    socket.write((await connect(server)).message('GetStatus').bytes);
    await sleep(200);
    // Closing a unix socket with an unread answer in it resets the connection.
    socket.destroy();
    return stateOf(server);
  };
  expect(await reset(false)).toBe('ended with code 1');
  expect(await reset(true)).toBe('alive');
});

test('bytes that are no message cost their connection only; kong-pdk dies of them', async () => {
  const garbage = async (isCured: boolean): Promise<string> => {
    const server = await start(isCured);
    (await connect(server)).write(Buffer.from([0x93, 1, 2, 3]));
    return stateOf(server);
  };
  expect(await garbage(false)).toBe('ended with code 1');
  expect(await garbage(true)).toBe('alive');
});

test('instance ids of two processes differ; those of kong-pdk start at 0', async () => {
  const firstIds = async (isCured: boolean): Promise<readonly number[]> =>
    Promise.all(
      [1, 2].map(async () => (await connect(await start(isCured))).startInstance({ does: '' })),
    );
  expect(await firstIds(false)).toEqual([0, 0]);
  const [first = 0, second = 0] = await firstIds(true);
  expect(first).not.toBe(second);
  expect(Math.min(first, second)).toBeGreaterThan(0);
  expect(Math.max(first, second)).toBeLessThan(2 ** 31);
});

test('ids count on within a process, so that each instance has its own', async () => {
  const kong = await connect(await start(true));
  const first = await kong.startInstance({ does: '' });
  expect(await kong.startInstance({ does: '' })).toBe(first + 1);
});

test("CloseInstance reaches the plugin's class; with kong-pdk alone it does not", async () => {
  const closed = async (isCured: boolean): Promise<number> => {
    const kong = await connect(await start(isCured));
    await kong.call('CloseInstance', await kong.startInstance({ does: '' }));
    return ((await kong.call('Inspect')) as { readonly closed: number }).closed;
  };
  expect(await closed(false)).toBe(0);
  expect(await closed(true)).toBe(1);
});

test('a failing PDK call ends the request with 503; with kong-pdk alone it passes on', async () => {
  const failing = { 'kong.nginx.get_var': new Error('broken on purpose') };
  const unguarded = `
    exports.Name = 'kibana-clickhouse';
    exports.Plugin = class {
      async access(kong) {
        if ((await kong.nginx.getVar('upstream_uri')) === '/') await kong.response.exit(404);
      }
    };`;
  const calls = async (source: string): Promise<readonly string[]> => {
    const server = await startPluginServer({ plugin: { source } });
    servers.push(server);
    const kong = await connect(server);
    const instance = await kong.startInstance({ role: 'proxy' });
    return (await kong.access(instance, failing)).map(({ Method }) => Method);
  };
  const guarded = `
    const { KongPlugin } = require(${JSON.stringify(built('kong/plugin.js'))});
    const { AnswerProcess } = require(${JSON.stringify(built('kong/answer-process.js'))});
    const unreachable = new AnswerProcess({ main: '/nowhere', log: () => undefined });
    unreachable.address = async () => { throw new Error('no answer process'); };
    exports.Name = 'kibana-clickhouse';
    exports.Plugin = class extends KongPlugin {
      constructor(config) { super(config, unreachable); }
    };`;
  expect(await calls(unguarded)).toEqual(['kong.nginx.get_var']);
  expect(await calls(guarded)).toEqual(['kong.nginx.get_var', 'kong.response.exit']);
});
