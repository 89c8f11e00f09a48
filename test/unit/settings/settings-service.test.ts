import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SettingsService } from '../../../plugins/kibana-clickhouse/metadata/settings/settings-service';
import { withSetting } from '../../../plugins/kibana-clickhouse/metadata/settings/setting-leaves';
import type { PartialSettings } from '../../../schema/settings';
import { keptLog, secretKey, Workplace } from './support';

// A limit for what hangs, not for what is slow on a busy machine
jest.setTimeout(60_000);

const workplace = new Workplace();
let files = 0;
const newFile = (): string => join(workplace.directory, `state-${String(++files)}.json`);

afterAll(() => workplace.close());

const set =
  (path: string, value: unknown) =>
  (overlay: PartialSettings): PartialSettings =>
    withSetting(overlay, path.split('.'), value);

const stored = (file: string): string => readFileSync(file, 'utf8');

async function read(service: SettingsService): Promise<SettingsService> {
  await service.ready();
  return service;
}

const refusal = (service: SettingsService, path: string, value: unknown): Promise<unknown> =>
  service.update(set(path, value)).then(
    () => 'taken',
    (error: unknown) => error,
  );

describe('what is in force', () => {
  it('is the default where nobody says anything', async () => {
    const service = await read(workplace.open());
    expect(service.current()).toEqual({
      query: {
        sampleIndexPatterns: [],
        sampleCountMaxThreshold: 1_500_000,
        useCache: false,
        maxResultRow: 100_000,
        maxBuckets: 65_536,
        maxExecutionMs: 30_000,
        maxMemoryBytes: 0,
        maxReadRows: 0,
      },
      proxy: {
        roundAbleMinPeriod: 120_000,
        round: 0,
        maxTimeRange: 0,
        enableMonitoring: false,
        monitorRetentionDays: 7,
        enableBlackList: true,
        defaultTimeFieldName: '',
        textSearch: 'contains',
        ckibanaSyntax: false,
        whiteIndexList: [],
        blackIndexList: [],
        es: { host: '', headers: {} },
        ck: { url: 'localhost:8123', user: 'default', pass: '', defaultCkDatabase: 'default' },
      },
      threadPool: {
        msearchProperty: { coreSize: 4, queueSize: 10_000 },
        commonProperty: { coreSize: 4, queueSize: 10_000 },
      },
      defaultShard: 2,
      tables: {},
    });
    expect(new Set(service.sources().values())).toEqual(new Set(['default']));
  });

  it('is what was set, over kong.yml, over the default, each with its source', async () => {
    const service = await read(
      workplace.open({
        state_file: newFile(),
        settings: {
          proxy: { round: 5, maxTimeRange: 9, whiteIndexList: ['a'] },
          tables: { logs: { timeField: 'at', maxTimeRange: 7 }, other: { emptyIsMissing: true } },
        },
      }),
    );
    await service.update(set('proxy.round', 20));
    await service.update(set('tables.logs.timeField', 'ts'));
    expect(service.current().proxy).toMatchObject({
      round: 20,
      maxTimeRange: 9,
      roundAbleMinPeriod: 120_000,
    });
    expect(service.current().tables).toEqual({
      logs: { timeField: 'ts', maxTimeRange: 7 },
      other: { emptyIsMissing: true },
    });
    expect(service.overlay()).toEqual({
      proxy: { round: 20 },
      tables: { logs: { timeField: 'ts' } },
    });
    expect(Object.fromEntries(service.sources())).toMatchObject({
      'proxy.round': 'admin',
      'proxy.maxTimeRange': 'kong.yml',
      'proxy.roundAbleMinPeriod': 'default',
      'tables.logs.timeField': 'admin',
      'tables.logs.maxTimeRange': 'kong.yml',
    });
  });

  it('cannot be changed by a reader', async () => {
    const { proxy } = (await read(workplace.open())).current();
    expect(() => proxy.whiteIndexList.push('x')).toThrow(TypeError);
  });

  it('is what an earlier process knew, until the store was read', async () => {
    const { createSettingsService } =
      await import('../../../plugins/kibana-clickhouse/metadata/settings/create-settings-service.js');
    const { pluginConfig, silentLog } = await import('./support.js');
    const service = createSettingsService({
      config: pluginConfig({ state_file: newFile() }),
      log: silentLog,
      lastKnown: { proxy: { round: 3 } },
    });
    expect(service.current().proxy.round).toBe(3);
    await service.ready();
    expect(service.current().proxy.round).toBe(0);
    await service.close();
  });
});

describe('an update', () => {
  it('names what has another value, and the version', async () => {
    const service = await read(workplace.open({ state_file: newFile() }));
    expect(await service.update(set('proxy.round', 20))).toEqual({
      changed: ['proxy.round'],
      version: 1,
    });
    expect(await service.update(set('proxy.round', 20))).toEqual({ changed: [], version: 1 });
    expect(await service.update(set('proxy.maxTimeRange', 0))).toEqual({ changed: [], version: 2 });
    expect(service.sources().get('proxy.maxTimeRange')).toBe('admin');
    expect(await service.update(() => ({}))).toEqual({ changed: ['proxy.round'], version: 3 });
    expect(service.current().proxy.round).toBe(0);
  });

  it.each([
    ['proxy.round', 1_500],
    ['proxy.round', 3_601_000],
    ['proxy.round', -1],
    ['proxy.round', 1.5],
    ['proxy.round', null],
    ['proxy.round', '20'],
    ['query.maxResultRow', 0],
    ['query.maxResultRow', 10_000_001],
    ['query.maxBuckets', 0],
    ['query.maxBuckets', 1_000_001],
    ['query.sampleCountMaxThreshold', -1],
    ['query.useCache', 'yes'],
    ['query.nothing', 1],
    ['threadPool.msearchProperty.coreSize', 0],
    ['threadPool.commonProperty.queueSize', 1_000_001],
    ['defaultShard', 1_025],
    ['proxy.whiteIndexList', ['a,b']],
    ['proxy.whiteIndexList', ['a b']],
    ['proxy.whiteIndexList', ['']],
    ['proxy.textSearch', 'exact'],
    ['proxy.monitorRetentionDays', 0],
    ['proxy.ck.url', ''],
    ['proxy.es.headers', { 'a b': 'c' }],
    ['proxy.es.headers', { a: 'c\r\nx: y' }],
    ['tables.logs.idColumns', []],
    ['tables.logs.other', 1],
  ])('of %s to %j is refused by its path, and changes nothing', async (path, value) => {
    const file = newFile();
    const service = await read(workplace.open({ state_file: file, secret_key: secretKey }));
    expect(await refusal(service, path, value)).toMatchObject({
      status: 400,
      message: expect.stringContaining(`[${path}`),
    });
    expect(existsSync(file)).toBe(false);
    expect(service.overlay()).toEqual({});
  });

  it('of a list with more than 10,000 names is refused, and says little of many faults', async () => {
    const service = await read(workplace.open({ state_file: newFile() }));
    const names = Array.from({ length: 10_001 }, (_, i) => `index ${String(i)}`);
    const refused = (await refusal(service, 'proxy.whiteIndexList', names)) as Error;
    expect(refused.message).toContain('[proxy.whiteIndexList] must NOT have more than 10000 items');
    expect(refused.message).toContain('and 9992 more');
    expect(refused.message.length).toBeLessThan(1_000);
  });

  it.each([0, 1, 20, 999, 1_000, 20_000, 3_600_000])('of round to %d is taken', async (round) => {
    const service = await read(workplace.open({ state_file: newFile() }));
    await service.update(set('proxy.round', round));
    expect(service.current().proxy.round).toBe(round);
  });

  it('is refused with what to configure where nothing keeps it', async () => {
    const service = await read(workplace.open());
    expect(await refusal(service, 'proxy.round', 20)).toMatchObject({
      status: 400,
      message: expect.stringMatching(/metadata_config\.hosts.*state_file/),
    });
    expect(service.current().proxy.round).toBe(0);
    expect(service.status()).toMatchObject({ store: 'none', read: true });
  });

  it('of two services on one store loses nothing', async () => {
    const state_file = newFile();
    const [one, other] = [workplace.open({ state_file }), workplace.open({ state_file })];
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
    const third = await read(workplace.open({ state_file }));
    expect(third.current().proxy.whiteIndexList).toHaveLength(20);
  });

  it('reaches other services by their next read, and tells them once', async () => {
    const state_file = newFile();
    const other = workplace.open({ state_file }, undefined, 20);
    await other.ready();
    const told: number[] = [];
    const seen = new Promise<void>((done) => {
      other.onChange((now, before) => {
        told.push(before.proxy.round, now.proxy.round);
        done();
      });
    });
    await workplace.open({ state_file }).update(set('proxy.round', 30));
    await seen;
    expect(told).toEqual([0, 30]);
    expect(other.current().proxy.round).toBe(30);
  });

  it('goes on although a listener fails, and tells nothing when nothing changed', async () => {
    const { log, text } = keptLog();
    const service = await read(workplace.open({ state_file: newFile() }, log));
    const told: number[] = [];
    service.onChange(() => {
      throw new Error('broken');
    });
    const stop = service.onChange((now) => told.push(now.proxy.round));
    await service.update(set('proxy.round', 1));
    await service.update(set('proxy.round', 1));
    await service.update(set('proxy.maxTimeRange', 0));
    stop();
    await service.update(set('proxy.round', 2));
    expect(told).toEqual([1]);
    expect(text()).toContain('broken');
  });
});

describe('secrets', () => {
  const secrets = ['s3cret-pass', 'Basic c2VjcmV0', 'user:hidden'];
  const withSecrets: PartialSettings = {
    proxy: {
      ck: { pass: 's3cret-pass', user: 'reader' },
      es: { host: 'http://user:hidden@es:9200', headers: { Authorization: 'Basic c2VjcmV0' } },
    },
  };

  it('are stored encrypted only, and read again', async () => {
    const state_file = newFile();
    const { log, text } = keptLog();
    const service = await read(workplace.open({ state_file, secret_key: secretKey }, log));
    await service.update(() => withSecrets);
    for (const secret of [...secrets, 'hidden']) expect(stored(state_file)).not.toContain(secret);
    expect(stored(state_file)).toContain('reader');
    expect(stored(state_file)).toMatch(
      /"encrypted": "v1\.[\w-]{22}\.[\w-]{16}\.[\w-]{22}\.[\w-]+"/,
    );
    const other = await read(workplace.open({ state_file, secret_key: secretKey }, log));
    expect(other.overlay()).toEqual(withSecrets);
    expect(other.status().problem).toBeUndefined();
    for (const secret of secrets) expect(text()).not.toContain(secret);
  });

  it.each([
    ['proxy.ck.pass', 's3cret-pass'],
    ['proxy.es.headers', { 'x-any': 'Basic c2VjcmV0' }],
    ['proxy.es.host', 'http://user:hidden@es:9200'],
  ])('without a key: %s is refused with that reason', async (path, value) => {
    const state_file = newFile();
    const service = await read(workplace.open({ state_file }));
    const refused = await refusal(service, path, value);
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('secret_key') });
    expect(String(refused)).not.toMatch(/s3cret|c2Vj|hidden/);
    expect(existsSync(state_file)).toBe(false);
  });

  it('an empty password is none', async () => {
    const service = await read(workplace.open({ state_file: newFile() }));
    await service.update(set('proxy.ck.pass', ''));
    expect(service.overlay()).toEqual({ proxy: { ck: { pass: '' } } });
  });

  it.each([
    ['another key', { secret_key: 'another key of sixteen' }],
    ['no key', {}],
  ])('with %s: kong.yml rules for them, the rest goes on, and it is said', async (_name, key) => {
    const state_file = newFile();
    const writer = await read(workplace.open({ state_file, secret_key: secretKey }));
    await writer.update(() => withSetting(withSecrets, ['proxy', 'round'], 7));
    const settings = { proxy: { ck: { pass: 'of kong' } } };
    const service = await read(workplace.open({ state_file, settings, ...key }));
    expect(service.current().proxy).toMatchObject({
      round: 7,
      ck: { user: 'reader', pass: 'of kong' },
      es: { host: '', headers: {} },
    });
    expect(service.status().problem).toMatch(
      /\[proxy\.es\.host\].*; \[proxy\.es\.headers\].*; \[proxy\.ck\.pass\]/,
    );
    for (const secret of secrets) expect(service.status().problem).not.toContain(secret);
    await service.update(set('proxy.round', 8));
    const again = await read(workplace.open({ state_file, secret_key: secretKey }));
    expect(again.overlay()).toEqual(withSetting(withSecrets, ['proxy', 'round'], 8));
  });

  it('of a connection that is set anew with another key are gone', async () => {
    const state_file = newFile();
    const writer = await read(workplace.open({ state_file, secret_key: secretKey }));
    await writer.update(() => withSecrets);
    const other = await read(workplace.open({ state_file, secret_key: 'another key of sixteen' }));
    await other.update(set('proxy.ck.url', 'elsewhere:8123'));
    const again = await read(workplace.open({ state_file, secret_key: secretKey }));
    expect(again.overlay().proxy?.ck).toEqual({ user: 'reader', url: 'elsewhere:8123' });
    expect(again.overlay().proxy?.es).toEqual(withSecrets.proxy?.es);
  });

  it('cannot be moved to another field, nor stand in clear', async () => {
    const state_file = newFile();
    const writer = await read(workplace.open({ state_file, secret_key: secretKey }));
    await writer.update(() => withSecrets);
    const file = JSON.parse(stored(state_file)) as {
      overlay: { proxy: { ck: Record<string, unknown>; es: { headers: Record<string, unknown> } } };
    };
    file.overlay.proxy.es.headers = { 'x-moved': file.overlay.proxy.ck['pass'] };
    file.overlay.proxy.ck['pass'] = 's3cret-pass';
    writeFileSync(state_file, JSON.stringify(file));
    const service = await read(workplace.open({ state_file, secret_key: secretKey }));
    expect(service.current().proxy).toMatchObject({ ck: { pass: '' }, es: { headers: {} } });
    expect(service.status().problem).toMatch(
      /headers\] cannot be decrypted.*pass\] is stored in clear/,
    );
  });
});

describe('the file', () => {
  it('is for its owner alone, and no lock or temporary file stays', async () => {
    const state_file = newFile();
    await (await read(workplace.open({ state_file }))).update(set('proxy.round', 1));
    expect(statSync(state_file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${state_file}.lock`)).toBe(false);
    expect(JSON.parse(stored(state_file))).toEqual({
      format: 1,
      version: 1,
      overlay: { proxy: { round: 1 } },
    });
  });

  it.each(['', '{', '[]', '{"version":1}', '{"format":2,"version":1,"overlay":{}}'])(
    'with the content %j is reported, and not written over',
    async (content) => {
      const state_file = newFile();
      writeFileSync(state_file, content);
      const service = workplace.open({ state_file, settings: { proxy: { round: 5 } } });
      expect(await refusal(service, 'proxy.round', 1)).toMatchObject({ status: 503 });
      expect(service.current().proxy.round).toBe(5);
      expect(service.status()).toMatchObject({ read: false, problem: expect.any(String) });
      expect(stored(state_file)).toBe(content);
    },
  );

  it('with settings that are none is taken without them, and they are named', async () => {
    const state_file = newFile();
    const overlay = {
      proxy: { round: 'x', maxTimeRange: 5, whiteIndexList: ['a b'], new: { a: 1 } },
      tables: { 'a.b': { timeField: 3, emptyIsMissing: true } },
      more: [],
    };
    writeFileSync(state_file, JSON.stringify({ format: 1, version: 4, overlay }));
    const service = await read(workplace.open({ state_file }));
    expect(service.overlay()).toEqual({
      proxy: { maxTimeRange: 5 },
      tables: { 'a.b': { emptyIsMissing: true } },
    });
    const { problem } = service.status();
    for (const path of [
      'proxy.round',
      'proxy.whiteIndexList.0',
      'proxy.new',
      'more',
      'tables.a.b.timeField',
    ])
      expect(problem).toContain(`[${path}]`);
    expect((await service.update(set('proxy.round', 3))).version).toBe(5);
    expect(service.status().problem).toBeUndefined();
  });

  it('in a directory that is not there cannot be written, and that is said', async () => {
    const state_file = join(workplace.directory, 'missing', 'state.json');
    const service = await read(workplace.open({ state_file }));
    expect(await refusal(service, 'proxy.round', 1)).toMatchObject({
      status: 503,
      message: '[kibana-clickhouse] state_file cannot be written: ENOENT',
    });
    expect(service.status()).toMatchObject({ problem: 'state_file cannot be written: ENOENT' });
    expect(service.current().proxy.round).toBe(0);
    mkdirSync(join(workplace.directory, 'missing'));
    await service.update(set('proxy.round', 1));
    expect(service.status().problem).toBeUndefined();
  });

  it('is not written while another process holds the lock; one that was left behind is removed', async () => {
    const state_file = newFile();
    const lock = `${state_file}.lock`;
    writeFileSync(lock, '');
    utimesSync(lock, new Date(0), new Date(0));
    const service = await read(workplace.open({ state_file }));
    await service.update(set('proxy.round', 1));
    expect(service.current().proxy.round).toBe(1);
    writeFileSync(lock, '');
    expect(await refusal(service, 'proxy.round', 2)).toMatchObject({ status: 503 });
    expect(service.current().proxy.round).toBe(1);
  }, 30_000);

  it('keeps the settings of the process that had it last', async () => {
    const state_file = newFile();
    const first = await read(workplace.open({ state_file }));
    await first.update(set('query.sampleIndexPatterns', ['a', 'b']));
    await first.close();
    const second = await read(workplace.open({ state_file }));
    expect(second.current().query.sampleIndexPatterns).toEqual(['a', 'b']);
    chmodSync(state_file, 0o600);
  });
});
