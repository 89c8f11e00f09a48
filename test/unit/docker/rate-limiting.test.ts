import { pluginConfigFields } from '../../../schema/plugin-config';
import { pluginConfigProblems } from '../../../schema/plugin-config-problems';
import { yamlOf } from './files';

interface Declared {
  readonly services: readonly {
    readonly url: string;
    readonly routes: readonly {
      readonly name: string;
      readonly plugins: readonly {
        readonly name: string;
        readonly config: Readonly<Record<string, unknown>>;
      }[];
    }[];
  }[];
}

const routeOf = (file: string) => (yamlOf(file) as Declared).services[0]?.routes[0];
const limited = routeOf('docker/kong.rate-limiting.yml');
const own = limited?.plugins.find(({ name }) => name === 'kibana-clickhouse')?.config ?? {};

it('limits the route that kong.yml has', () => {
  const shipped = routeOf('kong.yml');
  expect(limited?.name).toBe(shipped?.name);
  expect(limited?.plugins.map(({ name }) => name)).toEqual([
    'key-auth',
    'rate-limiting',
    'kibana-clickhouse',
  ]);
});

it('configures the plugin with what it knows', () => {
  const fields = pluginConfigFields.flatMap((field) => Object.keys(field));
  expect(fields).toEqual(expect.arrayContaining(Object.keys(own)));
  expect(pluginConfigProblems({ log_level: 'info', ...own })).toEqual([]);
});

it('limits each consumer', () => {
  const { config } = limited?.plugins.find(({ name }) => name === 'rate-limiting') ?? {};
  expect(config).toMatchObject({ limit_by: 'consumer', minute: expect.any(Number) as number });
});
