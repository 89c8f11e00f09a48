import { readOwnConfig } from '../../../plugins/kibana-clickhouse/kong/own-config';
import { authorizationOf } from '../../../schema/plugin-config';

const runtimeOf = (config: unknown): string => readOwnConfig(config).runtime;

test('what Kong adds and nulls are left out, an empty Lua table is an empty list', () => {
  const { config } = readOwnConfig({
    role: 'admin',
    authorization: null,
    metadata_config: { hosts: {}, headers: {}, $refs: {} },
    settings: { proxy: { whiteIndexList: null, blackIndexList: {}, ck: { pass: '' } } },
    $refs: { x: 'y' },
    __key__: 'plugins:x',
    __seq__: 3,
    __plugin_id: 'p',
    __ws_id: 'w',
    service_id: 's',
  });
  expect(config).toEqual({
    role: 'admin',
    failure_mode: 'drop-in',
    log_level: 'info',
    metadata_config: { hosts: [], headers: {} },
    settings: { proxy: { blackIndexList: [], ck: { pass: '' } } },
  });
});

test('an empty Lua table is what its field is, also where a key has the name of a list', () => {
  const { config } = readOwnConfig({
    settings: {
      query: { sampleIndexPatterns: {} },
      tables: { hosts: { timeField: 't', textSearch: null }, logs: { idColumns: {} } },
      proxy: { es: { headers: { $refs: {}, $odd: 'x' } } },
    },
  });
  expect(config.settings).toEqual({
    query: { sampleIndexPatterns: [] },
    tables: { hosts: { timeField: 't' }, logs: { idColumns: [] } },
    proxy: { es: { headers: { $odd: 'x' } } },
  });
});

test('the runtime depends on neither role, failure mode, key order nor what Kong adds', () => {
  const own = runtimeOf({ role: 'proxy', settings: { proxy: { ck: { user: 'u', url: 'h:1' } } } });
  expect(own).toMatch(/^[\w-]{22}$/);
  expect(
    runtimeOf({
      failure_mode: 'strict',
      settings: { proxy: { ck: { url: 'h:1', user: 'u' } } },
      role: 'admin',
      __seq__: 9,
      route_id: 'r',
    }),
  ).toBe(own);
  expect(runtimeOf({ settings: { proxy: { ck: { url: 'h:2', user: 'u' } } } })).not.toBe(own);
});

test('only a plugin of a route or a Service has a fixed Service', () => {
  expect(readOwnConfig({ route_id: 'r' }).hasFixedService).toBe(true);
  expect(readOwnConfig({ service_id: 's' }).hasFixedService).toBe(true);
  expect(readOwnConfig({ __plugin_id: 'p', route_id: null }).hasFixedService).toBe(false);
});

test.each([null, undefined, 7, 'x', []])('%j is no configuration', (given) => {
  expect(() => readOwnConfig(given)).toThrow(TypeError);
});

test('Elasticsearch decides who may read wherever there is one and nothing else is said', () => {
  expect(authorizationOf({})).toBe('none');
  expect(authorizationOf({ metadata_config: { hosts: [] } })).toBe('none');
  const metadata_config = { hosts: ['es:9200'] };
  expect(authorizationOf({ metadata_config })).toBe('elasticsearch');
  expect(authorizationOf({ metadata_config, authorization: 'none' })).toBe('none');
});
