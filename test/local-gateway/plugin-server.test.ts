import { startGateway, type Gateway } from '../../dev/gateway/gateway';
import { ask, eventually, type Asked } from './support/client';
import {
  pluginDirectory,
  probe,
  probeDirectory,
  type PluginDirectory,
} from './support/probe-plugin';
import { reset, startUpstream, type TestUpstream } from './support/upstream';

let plugins: PluginDirectory;
let upstream: TestUpstream;
let gateway: Gateway;
const lines: string[] = [];

const config = (label: string): never =>
  ({
    _format_version: '3.0',
    services: [
      {
        name: 'es',
        url: `http://localhost:${String(upstream.port)}/es`,
        retries: 1,
        routes: [
          { name: 'one', paths: ['/one'], plugins: [{ name: 'probe', config: { label } }] },
          { name: 'two', paths: ['/two'], plugins: [{ name: 'probe' }] },
          {
            name: 'broken',
            paths: ['/broken'],
            plugins: [{ name: 'probe', config: { broken: true } }],
          },
          { name: 'plain', paths: ['/plain'] },
        ],
      },
      {
        name: 'by-address',
        url: `http://127.0.0.1:${String(upstream.port)}`,
        routes: [{ paths: ['/address'], plugins: [{ name: 'probe' }] }],
      },
      {
        name: 'secure',
        url: 'https://localhost:1',
        routes: [{ paths: ['/secure'], plugins: [{ name: 'probe' }] }],
      },
    ],
  }) as never;

interface Probed {
  readonly results: readonly unknown[];
  readonly number: number;
  readonly closed: readonly string[];
  readonly pid?: number;
  readonly config: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
}

const probed = async (
  path: string,
  calls: readonly (readonly unknown[])[] = [],
): Promise<Probed> => {
  const answer = await ask(gateway.url, path, { headers: probe(calls) });
  if (answer.status !== 200) throw new Error(`${String(answer.status)} ${answer.body.toString()}`);
  return answer.json() as Probed;
};

const passed = (path: string, calls: readonly (readonly unknown[])[]): Promise<Asked> =>
  ask(gateway.url, path, { headers: probe(calls, 'pass') });

/** Kills the plugin server and resolves as soon as it has ended; the next one needs a while to listen. */
async function killed(of: Gateway): Promise<void> {
  const pid = of.pluginServerPid();
  of.killPluginServer();
  while (of.pluginServerPid() === pid) await new Promise((resolve) => setTimeout(resolve, 1));
}

beforeAll(async () => {
  plugins = probeDirectory();
  upstream = await startUpstream();
  gateway = await startGateway({
    port: 0,
    pluginsDirectory: plugins.path,
    config: config('first'),
    log: (line) => lines.push(line),
    pluginServerTimeout: 1000,
  });
}, 30_000);

afterAll(async () => {
  const pid = gateway.pluginServerPid();
  await gateway.close();
  await upstream.close();
  plugins.remove();
  // The plugin server is gone with its gateway.
  expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
});

beforeEach(() => {
  reset(upstream);
});

describe('what the plugin sees', () => {
  test('its configuration with defaults and the keys that Kong adds', async () => {
    const { config: given } = await probed('/one');
    expect(given).toEqual({
      label: 'first',
      broken: false,
      route_id: expect.any(String),
      __plugin_id: expect.any(String),
      __key__: expect.stringMatching(/^plugins:probe:[-0-9a-f]{36}::/),
      __seq__: 1,
      __ws_id: expect.any(String),
    });
  });

  test('an environment without anything but what Kong gives', async () => {
    const { environment } = await probed('/one');
    expect(Object.keys(environment).sort()).toEqual(['PWD', 'TS_NODE_SKIP_PROJECT']);
  });

  test('one instance per configuration, made at first use and kept', async () => {
    const [first, again, other] = [
      await probed('/one'),
      await probed('/one'),
      await probed('/two'),
    ];
    expect(again.number).toBe(first.number);
    expect(other.number).not.toBe(first.number);
    expect(other.config).toMatchObject({ label: 'none' });
  });

  test('the request, as Kong normalises it', async () => {
    const { results } = await probed('/one//l%6Fgs/%2A?q=a%20b&flag&q=c', [
      ['nginx.getVar', 'upstream_uri'],
      ['nginx.getVar', 'request'],
      ['nginx.getVar', 'request_uri'],
      ['nginx.getVar', 'no_such_variable'],
      ['request.getPath'],
      ['request.getRawPath'],
      ['request.getQuery'],
      ['request.getMethod'],
      ['request.getHeader', 'No-Such'],
      ['client.getIp'],
      ['client.getConsumer'],
    ]);
    expect(results).toEqual([
      '/es/logs/%2A',
      'GET /one//l%6Fgs/%2A?q=a%20b&flag&q=c HTTP/1.1',
      '/one//l%6Fgs/%2A?q=a%20b&flag&q=c',
      null,
      '/one/logs/%2A',
      '/one//l%6Fgs/%2A',
      { q: ['a b', 'c'], flag: [] },
      'GET',
      null,
      '127.0.0.1',
      null,
    ]);
  });

  test('headers with every line, names in lower case', async () => {
    const { results } = await probed('/one', [['request.getHeaders']]);
    expect(results[0]).toMatchObject({
      host: [expect.any(String)],
      'x-probe': [expect.any(String)],
    });
  });

  test('its Service and Route; an unset path is absent, "/" stays', async () => {
    const { results } = await probed('/one', [['router.getService'], ['router.getRoute']]);
    expect(results).toMatchObject([
      {
        name: 'es',
        protocol: 'http',
        host: 'localhost',
        path: '/es',
        retries: 1,
        read_timeout: 60_000,
      },
      { name: 'one', paths: ['/one'], strip_path: true },
    ]);
    const bare = await probed('/address', [['router.getService']]);
    expect(bare.results[0]).not.toHaveProperty('path');
  });

  test('a name that is no PDK function: logged, and null', async () => {
    const { results } = await probed('/one', [
      ['cache.probe', 'x'],
      ['nginx.getVar', 'scheme'],
    ]);
    expect(results).toEqual([null, 'http']);
    expect(lines).toContain('[error] could not find pdk method: kong.cache.probe');
  });

  test('kong.log writes to the log', async () => {
    await probed('/one', [
      ['log.warn', 'a ', 1],
      ['log.notice', { b: 2 }],
    ]);
    expect(lines).toEqual(
      expect.arrayContaining(['[warn] [probe] a 1', '[notice] [probe] {"b":2}']),
    );
  });
});

describe('what the plugin does', () => {
  test('exit: the bytes, the headers and the status are the plugin own', async () => {
    const answer = await ask(gateway.url, '/one', {
      headers: probe([['response.exit', 404, '{"found":false}', { 'x-two': ['a', 'b'] }]], 'pass'),
    });
    expect(answer.status).toBe(404);
    expect(answer.body.toString()).toBe('{"found":false}');
    expect(answer.headers).toMatchObject({ 'x-two': 'a, b', 'content-length': '15' });
    expect(upstream.seen).toEqual([]);
  });

  test('exit with a table goes through Lua: nulls vanish, an empty array becomes an object', async () => {
    const answer = await passed('/one', [['response.exit', 200, { a: null, hits: [], b: [1] }]]);
    expect(answer.body.toString()).toBe('{"hits":{},"b":[1]}');
  });

  test('exit with 3 MB arrives byte for byte', async () => {
    const { body } = await ask(gateway.url, '/one', { headers: probe([], 'large') });
    expect(body.equals(Buffer.alloc(3_000_000, 'äöü'))).toBe(true);
  });

  test('headers for the upstream: set, added, cleared', async () => {
    await ask(gateway.url, '/one', {
      headers: {
        'x-gone': '1',
        'x-set': 'client',
        ...probe(
          [
            ['service.request.setHeaders', { 'X-Set': 'plugin', 'x-kc': 'secret' }],
            ['service.request.addHeader', 'x-kc', 'more'],
            ['service.request.clearHeader', 'X-Gone'],
            ['response.setHeader', 'x-answered', 'yes'],
          ],
          'pass',
        ),
      },
    });
    const headers = upstream.seen[0]?.headers;
    expect(headers).toMatchObject({ 'x-set': 'plugin', 'x-kc': 'secret, more' });
    expect(headers).not.toHaveProperty('x-gone');
  });

  test('setPath and setRawQuery', async () => {
    await passed('/one?a=1', [
      ['service.request.setPath', '/ä b'],
      ['service.request.setRawQuery', 'c=%2C'],
    ]);
    expect(upstream.seen[0]?.url).toBe('/%C3%A4%20b?c=%2C');
  });

  test('setTarget goes elsewhere; Host is the target without port, whatever the client said', async () => {
    const other = await startUpstream();
    const answer = await passed('/one/logs', [['service.setTarget', '127.0.0.1', other.port]]);
    expect(answer.json()).toMatchObject({ url: '/es/logs', headers: { host: '127.0.0.1' } });
    expect(other.seen).toHaveLength(1);
    expect(upstream.seen).toEqual([]);
    await other.close();
  });

  test('setTarget from an https Service needs setScheme', async () => {
    const target = ['service.setTarget', '127.0.0.1', upstream.port];
    expect((await passed('/secure', [target])).status).toBe(502);
    expect((await passed('/secure', [['service.request.setScheme', 'http'], target])).status).toBe(
      200,
    );
  });

  test('setTarget to a name: fine where the Service is a name, 500 where it is an address', async () => {
    const target = ['service.setTarget', 'localhost', upstream.port];
    expect((await passed('/one', [target])).status).toBe(200);
    expect((await passed('/address', [target])).status).toBe(500);
  });

  test('setTarget to a port that is closed: 502', async () => {
    expect((await passed('/one', [['service.setTarget', '127.0.0.1', 1]])).status).toBe(502);
  });

  test.each([
    [['service.setTarget', 1, 80]],
    [['service.setTarget', 'localhost', '80']],
    [['service.setTarget', 'localhost', 1.5]],
    [['service.setTarget', 'localhost', 70_000]],
    [['service.request.setHeaders', 'x']],
    [['service.request.setHeader', 'x', null]],
    [['service.request.setScheme', 'ftp']],
    [['service.request.setPath', 'x']],
    [['response.exit', 'x']],
    [['response.exit', 99]],
    [['nginx.getVar', null]],
  ])('%j raises in Lua: 500, and the next request is served', async (call) => {
    const answer = await passed('/one', [call]);
    expect(answer.status).toBe(500);
    expect(answer.json()).toMatchObject({ message: 'An unexpected error occurred' });
    expect(upstream.seen).toEqual([]);
    expect((await ask(gateway.url, '/one')).status).toBe(200);
  });
});

describe('failure', () => {
  test('what access() throws is not seen: the request passes through', async () => {
    const answer = await ask(gateway.url, '/one/logs', { headers: probe([], 'throw') });
    expect(answer.status).toBe(200);
    expect(upstream.seen).toHaveLength(1);
    expect(lines.some((line) => line.includes('thrown in access'))).toBe(true);
  });

  test('a plugin that stays silent for longer than the limit: the request passes through', async () => {
    const answer = await ask(gateway.url, '/one/logs', { headers: probe([], 'silent') });
    expect(answer.status).toBe(200);
    expect(upstream.seen).toHaveLength(1);
    expect(lines).toContain('[error] probe: no data');
  });

  test('a constructor that throws: 500 for every request of its Route, others are served', async () => {
    for (const path of ['/broken', '/broken/again']) {
      const answer = await ask(gateway.url, path);
      expect(answer.status).toBe(500);
      expect(answer.json()).toMatchObject({ message: 'An unexpected error occurred' });
    }
    expect((await ask(gateway.url, '/plain')).status).toBe(200);
  });

  test('requests side by side do not get each other answers', async () => {
    const paths = Array.from({ length: 100 }, (_, index) => `/one/${String(index)}`);
    const answers = await Promise.all(paths.map((path) => probed(path, [['request.getPath']])));
    expect(answers.map(({ results }) => results[0])).toEqual(paths);
  });

  test('killed after an instance existed: requests pass through until it is there again', async () => {
    const before = await probed('/two');
    await killed(gateway);
    const answers: unknown[] = [];
    const served = async (): Promise<boolean> => {
      const answer = await ask(gateway.url, '/two/logs', { headers: probe([]) });
      answers.push(answer.json());
      return answer.status === 200 && (answer.json() as Probed).pid !== undefined;
    };
    while (!(await served()));
    // The first one came before anything listened again.
    expect(answers[0]).toMatchObject({ url: '/es/logs' });
    expect(answers.at(-1)).toMatchObject({ pid: gateway.pluginServerPid() });
    expect(before.pid).not.toBe(gateway.pluginServerPid());
    expect(await probed('/one')).toMatchObject({ config: { label: 'first' } });
  }, 20_000);

  test('replaced configuration: a new instance, and the old one is closed', async () => {
    const before = await probed('/one');
    gateway.replaceConfig(config('second'));
    const after = await probed('/one');
    expect(after.config).toMatchObject({
      label: 'second',
      __plugin_id: before.config['__plugin_id'],
    });
    expect(after.number).not.toBe(before.number);
    expect(await eventually(async () => (await probed('/one')).closed.includes('first'))).toBe(
      true,
    );
    expect(() => {
      gateway.replaceConfig({ services: [] });
    }).toThrow('_format_version');
    expect((await probed('/one')).config).toMatchObject({ label: 'second' });
  });
});

describe('at start', () => {
  const start = async (files: Readonly<Record<string, string>>): Promise<Gateway> => {
    const directory = pluginDirectory(files);
    try {
      return await startGateway({
        port: 0,
        pluginsDirectory: directory.path,
        config: { _format_version: '3.0' },
      });
    } finally {
      directory.remove();
    }
  };
  const plugin = (more: string): string =>
    `module.exports = { Plugin: class { async access() {} }, Name: 'p', Schema: [] }; ${more}`;

  test.each([
    [
      'a dump that is not pure JSON',
      { p: plugin("console.log('hello')") },
      'stdout must be pure JSON, it starts with "hello',
    ],
    ['a directory without a plugin', {}, 'the plugin server found no plugin'],
    [
      'a phase that the gateway does not run',
      { p: plugin('module.exports.Plugin.prototype.log = async () => {}') },
      'runs only the phase access, not log',
    ],
    [
      'a schema that the gateway does not know',
      { p: plugin("module.exports.Schema = [{ a: { type: 'foreign' } }]") },
      "schema type 'foreign' is not known",
    ],
    ['a plugin that ends the process', { p: 'process.exit(3)' }, "the plugin server's dump failed"],
  ])(
    '%s is an error with its reason',
    async (_what, files, reason) => {
      await expect(start(files as Record<string, string>)).rejects.toThrow(reason);
    },
    20_000,
  );

  test('only the first plugin of a dump is known, as in Kong 3.9', async () => {
    const directory = pluginDirectory({
      a: plugin("module.exports.Name = 'a'"),
      b: plugin("module.exports.Name = 'b'"),
    });
    const starting = startGateway({
      port: 0,
      pluginsDirectory: directory.path,
      config: { _format_version: '3.0', plugins: [{ name: 'a' }, { name: 'b' }] },
    });
    await expect(starting).rejects.toThrow("plugins[1].name: plugin 'b' is not known");
    directory.remove();
  }, 20_000);

  test('a kong.yml that is not there, a directory that is not absolute, a port that is taken', async () => {
    const options = { port: 0, pluginsDirectory: plugins.path };
    await expect(startGateway({ ...options, config: '/no/such/kong.yml' })).rejects.toThrow(
      'ENOENT',
    );
    await expect(
      startGateway({ ...options, pluginsDirectory: 'dist', config: {} }),
    ).rejects.toThrow('absolute');
    await expect(
      startGateway({ ...options, port: gateway.port, config: { _format_version: '3.0' } }),
    ).rejects.toThrow('EADDRINUSE');
  }, 20_000);
});

test('before the plugin server is up again and no instance existed: 500', async () => {
  const fresh = await startGateway({
    port: 0,
    pluginsDirectory: plugins.path,
    config: config('fresh'),
  });
  await killed(fresh);
  const answer = await ask(fresh.url, '/one');
  expect(answer.status).toBe(500);
  const served = async (): Promise<boolean> => (await ask(fresh.url, '/one')).status === 200;
  expect(await eventually(served)).toBe(true);
  await fresh.close();
}, 20_000);
