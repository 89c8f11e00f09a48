import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { withSetting } from '../../plugins/kibana-clickhouse/metadata/settings/setting-leaves';
import type { SettingsService } from '../../plugins/kibana-clickhouse/metadata/settings/settings-service';
import type { PluginConfig } from '../../schema/plugin-config';
import type { PartialSettings } from '../../schema/settings';
import { describeStarting } from '../judge/describe-judged';
import { type Engine, elasticsearch, opensearch, securedOpenSearch } from '../judge/engines';
import { judgeRequest } from '../judge/request';
import { password } from '../judge/secured-opensearch/configure';
import { type Judge, startEngine } from '../judge/start';
import { keptLog, secretKey, silentLog, Workplace } from '../unit/settings/support';

// A limit for what hangs, not for what is slow on a busy machine
jest.setTimeout(120_000);

const START_LIMIT_MS = 400_000;

const set =
  (path: string, value: unknown) =>
  (overlay: PartialSettings): PartialSettings =>
    withSetting(overlay, path.split('.'), value);

async function read(service: SettingsService): Promise<SettingsService> {
  await until(() => service.status().read);
  return service;
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('did not come true within 60 s');
    await sleep(20);
  }
}

const refusal = (service: SettingsService): Promise<unknown> =>
  service.update(set('proxy.maxTimeRange', Math.floor(Math.random() * 1e9))).then(
    () => 'taken',
    (error: unknown) => error,
  );

const unavailable = (reason: RegExp): object => ({
  status: 503,
  type: 'no_shard_available_action_exception',
  message: expect.stringMatching(reason) as string,
});

const relays: Relay[] = [];

afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
});

let suffixes = 0;
const newSuffix = (): string => `test-${String(++suffixes)}`;

describeStarting.each<readonly [string, Engine]>([
  ['Elasticsearch', elasticsearch],
  ['OpenSearch', opensearch],
])('settings in %s', (_name, engine) => {
  let judge: Judge;
  // The machine may be busy: only what does not answer at all shall end by time.
  const workplace = new Workplace(500, { limitMs: 20_000 });

  beforeAll(async () => {
    judge = await startEngine(engine);
  }, START_LIMIT_MS);

  afterAll(async () => {
    await workplace.close();
    await judge.close();
  }, START_LIMIT_MS);

  const config = (suffix: string, over: Partial<PluginConfig> = {}): Partial<PluginConfig> => ({
    metadata_config: { hosts: [judge.url] },
    secret_key: secretKey,
    ...(suffix !== '' && { settings_suffix: suffix }),
    ...over,
  });

  it('make their index with the first update, and are read by other nodes', async () => {
    const writer = await read(workplace.open(config('', { settings: { defaultShard: 3 } })));
    expect((await judgeRequest(judge.url, 'GET', '/proxy-settings')).status).toBe(404);
    const overlay: PartialSettings = {
      proxy: { round: 20, ck: { pass: 's3cret' }, es: { headers: { Authorization: 'Basic x' } } },
    };
    expect(await writer.update(() => overlay)).toEqual({
      changed: ['proxy.round', 'proxy.es.headers', 'proxy.ck.pass'],
      version: 1,
    });
    const { body } = await judgeRequest(judge.url, 'GET', '/proxy-settings');
    expect(body).toMatchObject({
      'proxy-settings': {
        settings: { index: { number_of_shards: '3' } },
        mappings: { dynamic: 'false' },
      },
    });
    const { text } = await judgeRequest(judge.url, 'GET', '/proxy-settings/_doc/kibana-clickhouse');
    expect(text).toContain('encrypted');
    expect(text).not.toMatch(/s3cret|Basic x/);
    const reader = await read(workplace.open(config('')));
    expect(reader.overlay()).toEqual(overlay);
    expect(reader.status()).toEqual({
      store: 'elasticsearch',
      read: true,
      readAt: expect.any(Number) as number,
    });
    const elsewhere = await read(workplace.open(config('other')));
    expect(elsewhere.overlay()).toEqual({});
    expect((await writer.update(set('proxy.round', 30))).version).toBe(2);
    await elsewhere.update(set('proxy.round', 1));
    expect((await judgeRequest(judge.url, 'GET', '/proxy-settings-other')).status).toBe(200);
  });

  it('of two nodes that update at once lose nothing', async () => {
    const suffix = newSuffix();
    const [one, other] = [workplace.open(config(suffix)), workplace.open(config(suffix))];
    const updates = Array.from({ length: 20 }, (_, i) =>
      (i % 2 === 0 ? one : other).update((overlay) => ({
        ...overlay,
        proxy: {
          whiteIndexList: [...(overlay.proxy?.whiteIndexList ?? []), `index-${String(i)}`],
        },
      })),
    );
    const versions = (await Promise.all(updates)).map(({ version }) => version);
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    const third = await read(workplace.open(config(suffix)));
    expect(new Set(third.current().proxy.whiteIndexList).size).toBe(20);
  });

  it('reach the other nodes with their next read', async () => {
    const suffix = newSuffix();
    const reader = await read(workplace.open(config(suffix), silentLog, 50));
    await workplace.open(config(suffix)).update(set('proxy.round', 5));
    await until(() => reader.current().proxy.round === 5);
    expect(reader.sources().get('proxy.round')).toBe('admin');
  });

  it.each(['index.blocks.write', 'index.blocks.read_only', 'index.blocks.read_only_allow_delete'])(
    'cannot be written while %s, and go on',
    async (block) => {
      const suffix = newSuffix();
      const service = await read(workplace.open(config(suffix)));
      await service.update(set('proxy.round', 7));
      const blocks = `/proxy-settings-${suffix}/_settings`;
      await judgeRequest(judge.url, 'PUT', blocks, { [block]: true });
      expect(await refusal(service)).toMatchObject(
        unavailable(/cannot be written: .*cluster_block_exception.*read-only/),
      );
      expect(service.current().proxy).toMatchObject({ round: 7, maxTimeRange: 0 });
      expect(service.status().problem).toContain('read-only');
      await judgeRequest(judge.url, 'PUT', blocks, { [block]: null });
      await service.update(set('proxy.round', 8));
      expect(service.status().problem).toBeUndefined();
    },
  );

  it('are kept in an index that others made, beside what stands there', async () => {
    const suffix = newSuffix();
    const index = `/proxy-settings-${suffix}`;
    await judgeRequest(judge.url, 'PUT', index, {
      mappings: {
        properties: {
          timestamp: { type: 'date' },
          key: { type: 'keyword' },
          value: { type: 'text' },
        },
      },
    });
    const theirs = { key: 'kibana', value: 'defaultShard: 2\n' };
    await judgeRequest(judge.url, 'PUT', `${index}/_doc/kibana`, theirs);
    const service = await read(workplace.open(config(suffix)));
    const names = Array.from({ length: 3_000 }, (_, i) => `index-${String(i)}`);
    await service.update(set('proxy.whiteIndexList', names));
    const again = await read(workplace.open(config(suffix)));
    expect(again.current().proxy.whiteIndexList).toEqual(names);
    const { body } = await judgeRequest(judge.url, 'GET', `${index}/_doc/kibana`);
    expect(body).toMatchObject({ _version: 1, _source: theirs });
  });

  it('that are no settings of ours are neither taken nor written over', async () => {
    const suffix = newSuffix();
    const path = `/proxy-settings-${suffix}/_doc/kibana-clickhouse`;
    await judgeRequest(judge.url, 'PUT', path, { value: 'round: 1' });
    const service = workplace.open(config(suffix));
    await service.ready();
    expect(await refusal(service)).toMatchObject(unavailable(/does not hold stored settings/));
    expect(service.status()).toMatchObject({ read: false });
    const { body } = await judgeRequest(judge.url, 'GET', path);
    expect(body).toMatchObject({ _version: 1 });
  });

  it.each(['down', 'silent'])('are found on the second host when the first is %s', async (how) => {
    const relay = await Relay.start(judge.url);
    if (how === 'down') await relay.stop();
    else relay.isSilent = true;
    const hosts = [relay.url, judge.url];
    const service = workplace.open(config(newSuffix(), { metadata_config: { hosts } }));
    expect(await service.update(set('proxy.round', 2))).toEqual({
      changed: ['proxy.round'],
      version: 1,
    });
    await until(() => service.status().problem === undefined);
  });

  it('go on while Elasticsearch is down, and are read and written again when it is back', async () => {
    const suffix = newSuffix();
    const relay = await Relay.start(judge.url);
    const { log, text } = keptLog();
    const through = config(suffix, { metadata_config: { hosts: [relay.url] } });
    const service = await read(workplace.open(through, log, 50));
    await service.update(set('proxy.round', 7));
    await relay.stop();
    await until(() => service.status().problem !== undefined);
    expect(await refusal(service)).toMatchObject(unavailable(/cannot be read: .*reached/));
    expect(service.current().proxy.round).toBe(7);
    expect(service.status().read).toBe(true);
    await workplace.open(config(suffix)).update(set('proxy.round', 9));
    await relay.listen();
    await until(() => service.current().proxy.round === 9);
    await service.update(set('proxy.round', 10));
    await until(() => service.status().problem === undefined);
    const lines = text()
      .split('\n')
      .map((line) => /"problem":"([^"]*)"/.exec(line)?.[1]);
    const problems = lines.filter((one) => one !== undefined);
    expect(problems).toEqual([...new Set(problems)]);
  });

  it(
    'go on while Elasticsearch does not answer, and an update ends',
    async () => {
      const suffix = newSuffix();
      const service = await read(workplace.open(config(suffix), silentLog, 200));
      await service.update(set('proxy.round', 7));
      const fresh = ((): SettingsService => {
        process.kill(judge.pid ?? 0, 'SIGSTOP');
        return workplace.open(
          config(suffix, { settings: { proxy: { round: 3 } } }),
          silentLog,
          200,
        );
      })();
      try {
        await fresh.ready();
        expect(fresh.current().proxy.round).toBe(3);
        expect(fresh.status().read).toBe(false);
        const refused = await Promise.all([refusal(service), refusal(service), refusal(fresh)]);
        for (const one of refused) expect(one).toMatchObject(unavailable(/did not answer in time/));
        expect(service.current().proxy.round).toBe(7);
      } finally {
        process.kill(judge.pid ?? 0, 'SIGCONT');
      }
      await until(() => fresh.current().proxy.round === 7);
      await until(() => service.status().problem === undefined);
    },
    START_LIMIT_MS,
  );

  it('go on when Elasticsearch is killed', async () => {
    const suffix = newSuffix();
    const service = await read(workplace.open(config(suffix), silentLog, 50));
    await service.update(set('proxy.round', 7));
    process.kill(judge.pid ?? 0, 'SIGKILL');
    await until(() => service.status().problem !== undefined);
    expect(await refusal(service)).toMatchObject(unavailable(/cannot be read/));
    expect(service.current().proxy.round).toBe(7);
    expect(service.status().read).toBe(true);
  });
});

describeStarting('settings in a secured OpenSearch', () => {
  let judge: Judge;
  // The machine may be busy: only what does not answer at all shall end by time.
  const workplace = new Workplace(500, { limitMs: 20_000 });

  beforeAll(async () => {
    judge = await startEngine(
      securedOpenSearch({ readers: { looker: ['proxy-settings*'] }, emptyWhereForbidden: false }),
    );
  }, START_LIMIT_MS);

  afterAll(async () => {
    await workplace.close();
    await judge.close();
  }, START_LIMIT_MS);

  const basic = (user: string, pass: string): string =>
    `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`;

  const open = (authorization: string | undefined, log = silentLog): SettingsService => {
    const { origin } = new URL(judge.url);
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    return workplace.open({ metadata_config: { hosts: [origin], headers } }, log);
  };

  it('are read and written with the right credentials, in headers or in the address', async () => {
    await open(basic('admin', password)).update(set('proxy.round', 4));
    const address = new URL(judge.url);
    address.username = 'admin';
    address.password = password;
    const service = await read(workplace.open({ metadata_config: { hosts: [address.href] } }));
    expect(service.current().proxy.round).toBe(4);
  });

  it.each([
    ['wrong', basic('admin', 'planted-wrong')],
    ['no', undefined],
  ])('with %s credentials are reported, and show none', async (_name, authorization) => {
    const { log, text } = keptLog();
    const service = open(authorization, log);
    await service.ready();
    expect(await refusal(service)).toMatchObject(unavailable(/cannot be read: .* 401/));
    expect(service.status()).toMatchObject({ read: false });
    const shown = JSON.stringify([service.status(), text()]);
    expect(shown).toContain('401');
    expect(shown).not.toMatch(/planted|Basic|YWRtaW/);
  });

  it('that may only be read cannot be changed, and go on', async () => {
    await open(basic('admin', password)).update(set('proxy.round', 4));
    const service = await read(open(basic('looker', password)));
    expect(service.current().proxy.round).toBe(4);
    expect(await refusal(service)).toMatchObject(
      unavailable(/cannot be written: .* 403 .*metadata_config\.headers/),
    );
    expect(service.current().proxy).toMatchObject({ round: 4, maxTimeRange: 0 });
  });
});

/** A TCP connection to the engine that can go down and come back on the same port. */
class Relay {
  /** Takes connections and never answers. */
  isSilent = false;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  readonly #port: number;
  #server: Server;

  static async start(url: string): Promise<Relay> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const relay = new Relay(new URL(url), server);
    relays.push(relay);
    return relay;
  }

  private constructor(target: URL, server: Server) {
    this.#target = target;
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.#serve();
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    // It may be closed already.
    await new Promise((done) => this.#server.close(done));
  }

  async listen(): Promise<void> {
    this.#server = createServer();
    this.#serve();
    await new Promise<void>((done) => this.#server.listen(this.#port, '127.0.0.1', done));
  }

  #serve(): void {
    this.#server.on('connection', (socket) => {
      if (this.isSilent) {
        this.#sockets.add(socket);
        return;
      }
      const upstream = connect(Number(this.#target.port), this.#target.hostname);
      for (const [from, to] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
  }
}
