import { existsSync } from 'node:fs';
import { inRepository, instructions, textOf, yamlOf } from './files';

interface Service {
  readonly image?: string;
  readonly build?: {
    readonly context: string;
    readonly dockerfile: string;
    readonly args: Readonly<Record<string, string>>;
  };
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

const text = textOf('docker/compose.yml');
const { services, volumes } = yamlOf('docker/compose.yml') as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const kong = services['kong'];
const dockerfile = instructions(textOf('docker/Dockerfile'));
const kongYml = textOf('kong.yml');

it('has the parts that the plugin stands between', () => {
  expect(Object.keys(services)).toEqual(['clickhouse', 'elasticsearch', 'kong', 'kibana']);
});

it('builds the image of this repository with its arguments', () => {
  const { context = '', dockerfile: file = '', args = {} } = kong?.build ?? {};
  expect(inRepository('docker', context)).toBe(inRepository());
  expect(existsSync(inRepository('docker', context, file))).toBe(true);
  const known = dockerfile
    .filter(({ name }) => name === 'ARG')
    .map(({ rest }) => rest.split('=')[0]);
  expect(known).toEqual(expect.arrayContaining(Object.keys(args)));
});

it('mounts files that are there, and volumes that are declared', () => {
  const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
  expect(mounted.length).toBeGreaterThan(3);
  for (const [source = ''] of mounted.map((volume) => volume.split(':'))) {
    if (source.startsWith('.'))
      expect([source, existsSync(inRepository('docker', source))]).toEqual([source, true]);
    else expect(Object.keys(volumes)).toContain(source);
  }
});

it('mounts the declarative configuration where the image reads it', () => {
  const { rest = '' } = dockerfile.find(({ name }) => name === 'ENV') ?? {};
  const [, place = ''] = /KONG_DECLARATIVE_CONFIG=(\S+)/.exec(rest) ?? [];
  expect(kong?.volumes).toContain(`../kong.yml:${place}:ro`);
});

it('has every host and port that kong.yml names', () => {
  const hosts = [...kongYml.matchAll(/https?:\/\/([a-z]+):(\d+)/g)].filter(
    ([, host]) => host !== 'localhost',
  );
  expect(hosts.map(([, host, port]) => `${host ?? ''}:${port ?? ''}`)).toEqual([
    'elasticsearch:9200',
    'clickhouse:8123',
  ]);
  expect(Object.keys(services)).toEqual(expect.arrayContaining(hosts.map(([, host]) => host)));
});

it('sends Kibana through a port that the image opens', () => {
  const exposed = dockerfile.find(({ name }) => name === 'EXPOSE')?.rest.split(' ') ?? [];
  const [, port = ''] =
    /http:\/\/kong:(\d+)/.exec(services['kibana']?.environment?.['ELASTICSEARCH_HOSTS'] ?? '') ??
    [];
  expect(exposed).toContain(port);
  expect(kong?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
});

it('opens every port to this machine alone', () => {
  const ports = Object.values(services).flatMap((service) => service.ports ?? []);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});

it('gives Kong the variables that kong.yml takes from its vault, and the entrypoint takes', () => {
  const vault = [...kongYml.matchAll(/^[^#\n]*\{vault:\/\/env\/([a-z-]+)\}/gm)].map(
    ([, name = '']) => name.toUpperCase().replaceAll('-', '_'),
  );
  const given = Object.keys(kong?.environment ?? {});
  expect(vault).toEqual(['KIBANA_CLICKHOUSE_PASSWORD']);
  expect(given).toEqual(expect.arrayContaining(vault));
  const [, key = ''] = /\bkey="\$\{(\w+):-\}"/.exec(textOf('docker/entrypoint.sh')) ?? [];
  expect(given).toContain(key);
});

it('says how to set every variable without a default', () => {
  const needed = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name));
  const [, head = ''] = /^#\s+export (.*)$/m.exec(text) ?? [];
  const told = [...head.matchAll(/(\w+)=\$\(/g)].map(([, name = '']) => name);
  expect(told.sort()).toEqual([...needed].sort());
});

it('waits for what answers: every part that is waited for has a health check', () => {
  for (const { depends_on: awaited = {} } of Object.values(services)) {
    for (const [name, { condition }] of Object.entries(awaited)) {
      expect(condition).toBe('service_healthy');
      expect(services[name]?.healthcheck?.test.length).toBeGreaterThan(1);
    }
  }
});

it('contains no password and no key', () => {
  const secrets = Object.values(services).flatMap(({ environment = {} }) =>
    Object.entries(environment).filter(([name]) => /PASSWORD|KEY/.test(name)),
  );
  expect(secrets.length).toBeGreaterThan(3);
  expect(secrets.filter(([, value]) => !/^\$\{\w+(?::\?[^}]+)?\}$/.test(value))).toEqual([]);
});
