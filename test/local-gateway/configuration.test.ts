import {
  DeclarativeConfigError,
  overrideDeclarativeConfig,
  parseDeclarativeConfig,
} from '../../dev/gateway/declarative';
import { bundledPlugins } from '../../dev/gateway/plugins/bundled';
import { resolveConfiguration, type KnownPlugin } from '../../dev/gateway/schema/resolve';
import type { GatewayConfiguration } from '../../dev/gateway/configuration';

const probe: KnownPlugin = {
  name: 'probe',
  priority: 765,
  config: {
    fields: [
      { mode: { type: 'string', one_of: ['a', 'b'], default: 'a', required: true } },
      { note: { type: 'string', len_min: 0 } },
      { title: { type: 'string' } },
      { count: { type: 'integer', between: [1, 9], default: 3 } },
      { hosts: { type: 'array', elements: { type: 'string', match: '^[^%s,]+$' } } },
      { headers: { type: 'map', keys: { type: 'string' }, values: { type: 'string' } } },
      {
        filled: {
          type: 'record',
          required: true,
          fields: [
            {
              inner: {
                type: 'record',
                required: true,
                fields: [{ size: { type: 'number', default: 1.5 } }],
              },
            },
          ],
        },
      },
      { unfilled: { type: 'record', fields: [{ size: { type: 'integer', default: 7 } }] } },
    ],
  },
};

const resolve = (text: string): GatewayConfiguration =>
  resolveConfiguration(parseDeclarativeConfig(text), [...bundledPlugins, probe]);

const problemsOf = (text: string): readonly string[] => {
  try {
    resolve(text);
  } catch (error) {
    if (error instanceof DeclarativeConfigError) return error.problems;
    throw error;
  }
  return [];
};

const service = (below: string): string => `
_format_version: "3.0"
services:
- name: es
  url: http://es:9200
  routes:
  - name: all
    paths: [/]
${below}`;

describe('what is read', () => {
  test('Services by url or in parts, with Kong defaults', () => {
    const { routes } = resolve(`
_format_version: "3.0"
_comment: text
services:
- name: one
  url: https://es.example.org/es/v1
  tags: [a]
  routes: [{ name: r1, paths: [/1], _comment: why }]
- name: two
  protocol: https
  host: 127.0.0.1
  port: 9243
  path: /
  retries: 0
  read_timeout: 1000
  routes: [{ name: r2, paths: [/2], strip_path: false, preserve_host: true }]
routes:
- { name: r3, methods: [GET], service: two }
- { name: r4, hosts: [a], service: { name: one } }
`);
    expect(routes.map(({ name, service: { name: of } }) => [name, of])).toEqual([
      ['r1', 'one'],
      ['r2', 'two'],
      ['r3', 'two'],
      ['r4', 'one'],
    ]);
    expect(routes[0]?.service).toMatchObject({
      protocol: 'https',
      host: 'es.example.org',
      port: 443,
      path: '/es/v1',
      retries: 5,
      connect_timeout: 60_000,
      read_timeout: 60_000,
    });
    expect(routes[0]).toMatchObject({ strip_path: true, preserve_host: false });
    expect(routes[1]).toMatchObject({ strip_path: false, preserve_host: true });
    expect(routes[1]?.service).toMatchObject({
      port: 9243,
      path: '/',
      retries: 0,
      read_timeout: 1000,
    });
  });

  test.each([
    ['http://es', { port: 80 }, undefined],
    ['http://es/', { port: 80 }, '/'],
    ['https://es:9200/p', { port: 9200, protocol: 'https' }, '/p'],
    ['http://[::1]:9200', { host: '[::1]', port: 9200 }, undefined],
  ])('url %s', (url, parts, path) => {
    const [route] = resolve(service('').replace('http://es:9200', url)).routes;
    expect(route?.service).toMatchObject(parts);
    expect(route?.service.path).toBe(path);
  });

  test('anchors, aliases and merge keys', () => {
    const { routes } = resolve(
      service(`
    plugins: [{ name: probe, config: &shared { mode: b, hosts: [h] } }]
  - name: other
    paths: [/other]
    plugins: [{ name: probe, config: { <<: *shared, count: 4 } }]`),
    );
    expect(routes[1]?.plugins[0]?.config).toMatchObject({ mode: 'b', hosts: ['h'], count: 4 });
  });

  test('defaults of a plugin: of records only where they are required, never for a null', () => {
    const [route] = resolve(
      service(`
    plugins: [{ name: probe, config: { note: '', count: null } }]`),
    ).routes;
    expect(route?.plugins[0]?.config).toEqual({
      mode: 'a',
      note: '',
      filled: { inner: { size: 1.5 } },
    });
  });

  test('the Route before the Service before the global plugin, per name, in order of priority', () => {
    const { routes } = resolve(`
_format_version: "3.0"
plugins:
- { name: probe, config: { title: global } }
- { name: key-auth }
- { name: acl, service: a, config: { allow: [g] } }
services:
- name: a
  url: http://a
  plugins: [{ name: probe, config: { title: service } }]
  routes:
  - { name: a1, paths: [/a1], plugins: [{ name: probe, config: { title: route } }] }
  - { name: a2, paths: [/a2], plugins: [{ name: probe, enabled: false, config: { title: off } }] }
- { name: b, url: http://b, routes: [{ name: b1, paths: [/b1] }] }
`);
    const seen = routes.map(({ plugins }) =>
      plugins.map(({ name, config }) =>
        typeof config['title'] === 'string' ? `${name} ${config['title']}` : name,
      ),
    );
    expect(seen).toEqual([
      ['key-auth', 'acl', 'probe route'],
      ['key-auth', 'acl', 'probe service'],
      ['key-auth', 'probe global'],
    ]);
    expect(routes[0]?.plugins.at(-1)?.scope).toEqual({ route_id: routes[0]?.id });
    expect(routes[1]?.plugins.at(-1)?.scope).toEqual({ service_id: routes[0]?.service.id });
    expect(routes[2]?.plugins.at(-1)?.scope).toEqual({});
  });

  test('before format 3.0 a path that looks like a regex is one', () => {
    const [route] = resolve(
      service('').replace('"3.0"', '"2.1"').replace('[/]', '["/a/(b|c)$", /d]'),
    ).routes;
    expect(route?.paths).toEqual(['~/a/(b|c)$', '/d']);
  });

  test('consumers with keys and groups, nested or by reference', () => {
    const { keys } = resolve(`
_format_version: "3.0"
consumers:
- { username: one, keyauth_credentials: [{ key: k1 }], acls: [{ group: g1 }, { group: g2 }] }
- { username: two }
keyauth_credentials: [{ consumer: two, key: k2 }]
acls: [{ consumer: two, group: g3 }]
`);
    expect(keys.get('k1')?.consumer).toMatchObject({ username: 'one', groups: ['g1', 'g2'] });
    expect(keys.get('k2')?.consumer).toMatchObject({ username: 'two', groups: ['g3'] });
  });
});

describe('what is refused, by name and place', () => {
  test.each([
    [
      'upstreams: []\n_format_version: "3.0"',
      'upstreams: unknown entity, the local gateway cannot honour it',
    ],
    ['services: []', '_format_version: expected one of: "1.1", "2.1", "3.0" (a quoted string)'],
    [
      '_format_version: 3.0',
      '_format_version: expected one of: "1.1", "2.1", "3.0" (a quoted string)',
    ],
    [service('    colour: red'), 'services[0].routes[0].colour: unknown field'],
    [service('    headers: { a: [b] }'), 'services[0].routes[0].headers: unknown field'],
    [service('    strip_path: "no"'), 'services[0].routes[0].strip_path: expected a boolean'],
    [service('    path_handling: v1'), 'services[0].routes[0].path_handling: expected one of: v0'],
    [service('  retries: -1'), 'services[0].retries: value should be between 0 and 32767'],
    [
      service('  read_timeout: 0'),
      'services[0].read_timeout: value should be between 1 and 2147483646',
    ],
    [service('  host: other'), "services[0].host: stands beside 'url', which says it too"],
    [
      service('').replace('http://es:9200', 'grpc://es'),
      'services[0].protocol: expected one of: http, https',
    ],
    [
      service('').replace('http://es:9200', 'es:9200'),
      'services[0].url: expected a url: protocol://host[:port][/path]',
    ],
    [
      service('').replace('[/]', '["/a/(b|c)"]'),
      "services[0].routes[0].paths[0]: invalid path: '/a/(b|c)' (a regex path starts with ~)",
    ],
    [
      service('').replace('[/]', '["~/a/(b"]'),
      "services[0].routes[0].paths[0]: invalid regex: '~/a/(b'",
    ],
    [
      service('').replace('[/]', '[a]'),
      'services[0].routes[0].paths[0]: should start with: / (fixed path) or ~/ (regex path)',
    ],
    [
      service('').replace('paths: [/]', 'strip_path: true'),
      "services[0].routes[0]: at least one of these fields must be non-empty: 'methods', 'hosts', 'paths'",
    ],
    [
      '_format_version: "3.0"\nroutes: [{ paths: [/] }]',
      'routes[0]: a Route without a Service is not supported by the local gateway',
    ],
    [
      '_format_version: "3.0"\nroutes: [{ paths: [/], service: no }]',
      'routes[0].service: no service of that name or id',
    ],
    [
      service('    plugins: [{ name: rate-limiting }]'),
      "services[0].routes[0].plugins[0].name: plugin 'rate-limiting' is not known to the local gateway",
    ],
    [
      service('    plugins: [{ name: probe, config: { modes: a } }]'),
      'services[0].routes[0].plugins[0].config.modes: unknown field',
    ],
    [
      service('    plugins: [{ name: probe, config: { mode: c } }]'),
      'services[0].routes[0].plugins[0].config.mode: expected one of: a, b',
    ],
    [
      service('    plugins: [{ name: probe, config: { mode: null } }]'),
      'services[0].routes[0].plugins[0].config.mode: required field missing',
    ],
    [
      service('    plugins: [{ name: probe, config: { count: "1" } }]'),
      'services[0].routes[0].plugins[0].config.count: expected an integer',
    ],
    [
      service('    plugins: [{ name: probe, config: { count: 10 } }]'),
      'services[0].routes[0].plugins[0].config.count: value should be between 1 and 9',
    ],
    [
      service("    plugins: [{ name: probe, config: { title: '' } }]"),
      'services[0].routes[0].plugins[0].config.title: length must be at least 1',
    ],
    [
      service("    plugins: [{ name: probe, config: { hosts: ['a b'] } }]"),
      'services[0].routes[0].plugins[0].config.hosts[0]: invalid value: a b',
    ],
    [
      service('    plugins: [{ name: probe, config: { hosts: h } }]'),
      'services[0].routes[0].plugins[0].config.hosts: expected an array',
    ],
    [
      service('    plugins: [{ name: probe, config: { headers: { a: 1 } } }]'),
      'services[0].routes[0].plugins[0].config.headers.a: expected a string',
    ],
    [
      service('    plugins: [{ name: probe, config: { filled: { inner: { x: 1 } } } }]'),
      'services[0].routes[0].plugins[0].config.filled.inner.x: unknown field',
    ],
    [
      service("    plugins: [{ name: probe, config: { title: '{vault://env/x}' } }]"),
      "services[0].routes[0].plugins[0].config.title: vault reference '{vault://env/x}' cannot be resolved by the local gateway",
    ],
    [
      service('    plugins: [{ name: key-auth, config: { anonymous: x } }]'),
      'services[0].routes[0].plugins[0].config.anonymous: unknown field',
    ],
    [
      service('    plugins: [{ name: key-auth, config: { key_in_body: true } }]'),
      'services[0].routes[0].plugins[0].config.key_in_body: value must be false',
    ],
    [
      service('    plugins: [{ name: acl }]'),
      "services[0].routes[0].plugins[0].config: exactly one of these fields must be non-empty: 'allow', 'deny'",
    ],
    [
      '_format_version: "3.0"\nconsumers: [{ keyauth_credentials: [{ key: k }] }]',
      "consumers[0]: at least one of these fields must be non-empty: 'username', 'custom_id'",
    ],
    [
      '_format_version: "3.0"\nconsumers: [{ username: a, basicauth_credentials: [] }]',
      'consumers[0].basicauth_credentials: unknown field',
    ],
    [
      '_format_version: "3.0"\nconsumers: [{ username: a, keyauth_credentials: [{ key: k }, { key: k }] }]',
      'consumers[0].keyauth_credentials[1].key: uniqueness violation: a second key',
    ],
    [
      '_format_version: "3.0"\nconsumers: [{ username: a, keyauth_credentials: [{ key: REPLACE-ME }] }]',
      "consumers[0].keyauth_credentials[0].key: 'REPLACE-ME' is a placeholder, put a key of your own",
    ],
  ])('%s', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  test('every problem is listed at once', () => {
    const problems = problemsOf(
      service(
        '    colour: red\n    plugins: [{ name: probe, config: { mode: c, x: 1 } }, { name: nope }]',
      ),
    );
    expect(problems).toHaveLength(4);
  });

  test.each(['- a', 'a: [', 'a: 1\na: 2', ''])('what is no map of entities: %j', (text) => {
    expect(() => resolve(text)).toThrow(DeclarativeConfigError);
  });
});

describe('overrides of a start command', () => {
  const config = parseDeclarativeConfig(`
_format_version: "3.0"
services:
- url: http://es
  routes:
  - paths: [/]
    plugins: [{ name: kibana-clickhouse, config: { a: { b: 1, c: 2 } } }, { name: acl, config: { allow: [g] } }]
plugins: [{ name: kibana-clickhouse }]
consumers:
- { username: other, keyauth_credentials: [{ key: theirs }] }
- { username: admin, acls: [{ group: kibana-clickhouse-admin }], keyauth_credentials: [{ key: mine }] }
`);

  test('are laid over and under every configuration of the plugin, and nowhere else', () => {
    const changed = overrideDeclarativeConfig(config, {
      pluginConfig: { a: { b: 9 }, d: null },
      pluginDefaults: { a: { c: 7 }, e: 'default' },
    });
    expect(changed).toMatchObject({
      services: [
        {
          routes: [
            {
              plugins: [
                { config: { a: { b: 9, c: 2 }, d: null, e: 'default' } },
                { name: 'acl', config: { allow: ['g'] } },
              ],
            },
          ],
        },
      ],
      plugins: [{ config: { a: { b: 9, c: 7 }, d: null, e: 'default' } }],
    });
    expect(JSON.stringify(config)).not.toContain('default');
  });

  test('a key replaces the placeholder, or is one more key of the admin', () => {
    const placeholder = parseDeclarativeConfig(
      JSON.stringify(config).replace('theirs', 'REPLACE-ME'),
    );
    const keys = (changed: ReturnType<typeof parseDeclarativeConfig>): unknown =>
      (changed['consumers'] as { keyauth_credentials: { key: string }[] }[]).map((consumer) =>
        consumer.keyauth_credentials.map(({ key }) => key),
      );
    expect(keys(overrideDeclarativeConfig(config, { adminKey: 'k' }))).toEqual([
      ['theirs'],
      ['mine', 'k'],
    ]);
    expect(keys(overrideDeclarativeConfig(placeholder, { adminKey: 'k' }))).toEqual([
      ['k'],
      ['mine'],
    ]);
  });
});
