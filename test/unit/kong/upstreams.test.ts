import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseUpstream, Upstreams } from '../../../plugins/kibana-clickhouse/kong/upstreams';

test.each([
  ['http://es.example:9201', 'http', 'es.example', 9201],
  ['https://es.example', 'https', 'es.example', 443],
  ['http://es.example', 'http', 'es.example', 80],
  ['http://es.example:80/prefix', 'http', 'es.example', 80],
  ['HTTPS://ES.example:443', 'https', 'es.example', 443],
  ['es.example:9200', undefined, 'es.example', 9200],
  ['es.example', undefined, 'es.example', 9200],
  ['http://user:p%40ss@es.example:9200', 'http', 'es.example', 9200],
  ['127.0.0.1:80', undefined, '127.0.0.1', 80],
  ['https://[::1]:9243', 'https', '[::1]', 9243],
  ['http://[::1]', 'http', '[::1]', 80],
])('%s', (address, scheme, host, port) => {
  expect(parseUpstream(address)).toEqual({ scheme, host, port });
});

test.each(['', 'http://', 'es:99999', 'a b', 'ftp://es'])('%s is no address', (address) => {
  expect(parseUpstream(address)).toBeUndefined();
});

const servers: Server[] = [];
const opened: Upstreams[] = [];

async function listening(port = 0): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  servers.push(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

function upstreams(...ports: readonly number[]): Upstreams {
  const made = new Upstreams(
    ports.map((port) => `http://127.0.0.1:${String(port)}`),
    { intervalMs: 20 },
  );
  opened.push(made);
  return made;
}

afterEach(async () => {
  for (const made of opened.splice(0)) made.close();
  const running = servers.splice(0).filter(({ listening: isRunning }) => isRunning);
  await Promise.all(running.map(close));
});

async function eventually(made: Upstreams, port: number): Promise<void> {
  while ((await made.choose())?.port !== port) await sleep(10);
}

test('no address gives none, one address is always that one', async () => {
  expect(await new Upstreams([]).choose()).toBeUndefined();
  expect(await new Upstreams(['es.example:1']).choose()).toMatchObject({
    host: 'es.example',
    port: 1,
  });
});

test('of several the first that accepts connections', async () => {
  const [down, first, second] = [await listening(), await listening(), await listening()];
  await close(down.server);
  const made = upstreams(down.port, first.port, second.port);
  expect((await made.choose())?.port).toBe(first.port);
  await close(first.server);
  await eventually(made, second.port);
  await listening(down.port);
  await eventually(made, down.port);
});

test('when none accepts, the first', async () => {
  const [one, two] = [await listening(), await listening()];
  await Promise.all([close(one.server), close(two.server)]);
  expect((await upstreams(one.port, two.port).choose())?.port).toBe(one.port);
});
