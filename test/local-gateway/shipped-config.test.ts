import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
import {
  hasPlaceholderKey,
  overrideDeclarativeConfig,
  readDeclarativeConfig,
} from '../../dev/gateway/declarative';
import { bundledPlugins } from '../../dev/gateway/plugins/bundled';
import { Router } from '../../dev/gateway/router/router';
import { unknownSchemaParts } from '../../dev/gateway/schema/field';
import { resolveConfiguration, type KnownPlugin } from '../../dev/gateway/schema/resolve';
import type { GatewayConfiguration } from '../../dev/gateway/configuration';
import { pluginConfigFields } from '../../schema/plugin-config';

const root = resolve(__dirname, '../..');
const product = {
  name: 'kibana-clickhouse',
  priority: 765,
  config: { type: 'record', fields: pluginConfigFields },
} as unknown as KnownPlugin;
const known = [...bundledPlugins, product];

const resolved = (file: string): GatewayConfiguration =>
  resolveConfiguration(
    overrideDeclarativeConfig(readDeclarativeConfig(join(root, file)), {
      adminKey: 'k',
      // it stands in a vault
      pluginConfig: { settings: { proxy: { ck: { pass: 'p' } } } },
    }),
    known,
  );

test('the local gateway can check the whole schema of the plugin', () => {
  expect(unknownSchemaParts({ type: 'record', ...product.config }, 'config')).toEqual([]);
});

describe.each([
  ['kong.yml', 'strict'],
  ['docker/kong.drop-in.yml', 'drop-in'],
])('%s', (file, mode) => {
  test('is refused with the placeholder for a key, by name', () => {
    const config = readDeclarativeConfig(join(root, file));
    expect(hasPlaceholderKey(config)).toBe(true);
    expect(() => resolveConfiguration(config, known)).toThrow(
      "consumers[0].keyauth_credentials[0].key: 'REPLACE-ME' is a placeholder",
    );
  });

  test('gives all routes the same settings but for the role', () => {
    const { routes } = resolved(file);
    const configs = routes.map(({ plugins }) => plugins.at(-1)?.config);
    expect(configs.map((config) => config?.['role'])).toEqual(['proxy', 'admin', 'admin']);
    expect(new Set(configs.map((config) => JSON.stringify({ ...config, role: '' }))).size).toBe(1);
    expect(configs[0]).toMatchObject({
      failure_mode: mode,
      metadata_config: { hosts: ['http://elasticsearch:9200'] },
      settings: { proxy: { whiteIndexList: ['access_log'] } },
    });
  });

  test.each([
    ['/', 'kibana', false],
    ['/access_log/_search', 'kibana', false],
    ['/proxy-monitor/_search', 'kibana', false],
    ['/config', 'kibana', false],
    ['/config/_all', 'kibana-clickhouse-admin', true],
    ['/proxy/_black_list', 'kibana-clickhouse-admin', true],
    ['/proxy/_translate/access_log', 'kibana-clickhouse-admin', true],
    ['/proxy/_blacklist', 'kibana', false],
    ['/check/access_log', 'kibana-clickhouse-admin', true],
    ['/health', 'kibana-clickhouse-admin', true],
    ['/metrics', 'kibana-clickhouse-admin', true],
    ['/health/live', 'kibana-clickhouse-live', false],
    ['/my-health/live', 'kibana', false],
    ['/healthy', 'kibana', false],
  ])('GET %s takes the route %s', (path, name, isProtected) => {
    const { routes } = resolved(file);
    const match = new Router(routes).match({ method: 'GET', path, host: 'kong' });
    expect(match?.route.name).toBe(name);
    expect(match?.upstreamPath).toBe(path);
    const plugins = match?.route.plugins.map((plugin) => plugin.name);
    const own = ['kibana-clickhouse'];
    expect(plugins).toEqual(isProtected ? ['key-auth', 'acl', ...own] : own);
  });
});

test('the drop-in variant warns in capitals', () => {
  const text = readFileSync(join(root, 'docker/kong.drop-in.yml'), 'utf8');
  expect(text).toContain('**WARNING: WHILE THE PLUGIN IS DOWN');
  expect(parse(text, { merge: true })).toMatchObject({
    services: [{ url: 'http://elasticsearch:9200' }],
  });
});
