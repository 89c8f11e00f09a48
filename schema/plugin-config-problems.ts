import { Type } from '@sinclair/typebox';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { settingsProblems } from './settings-problems';

const text = Type.String({ minLength: 1 });

/** The shape of a plugin configuration as the answer process uses it; absent is allowed, null is not. */
const pluginConfigShape = Type.Object({
  role: Type.Enum({ proxy: 'proxy', admin: 'admin' }),
  failure_mode: Type.Enum({ strict: 'strict', 'drop-in': 'drop-in' }),
  log_level: Type.Enum({ debug: 'debug', info: 'info', warn: 'warn', error: 'error' }),
  authorization: Type.Optional(Type.Enum({ elasticsearch: 'elasticsearch', none: 'none' })),
  metadata_config: Type.Optional(
    Type.Object({
      hosts: Type.Optional(Type.Array(text)),
      headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      ca: Type.Optional(text),
    }),
  ),
  clickhouse: Type.Optional(
    Type.Object({
      ca: Type.Optional(text),
      certificate: Type.Optional(text),
      key: Type.Optional(text),
      users: Type.Optional(Type.Record(Type.String(), text)),
      passwords: Type.Optional(Type.Record(Type.String(), Type.String())),
      roles: Type.Optional(Type.Record(Type.String(), text)),
    }),
  ),
  settings_suffix: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9._-]*$' })),
  secret_key: Type.Optional(Type.String({ minLength: 16 })),
  state_file: Type.Optional(Type.String({ pattern: '^/' })),
});

type Shape = Readonly<{
  settings?: unknown;
  state_file?: unknown;
  metadata_config?: { hosts?: readonly unknown[] };
  clickhouse?: { certificate?: unknown; key?: unknown };
}>;

let validate: ValidateFunction<Shape> | undefined;

/**
 * What is wrong with a configuration, each problem with the field's path and without its value (it
 * may be a secret); empty when nothing is. Kong checks the same by its own schema: this is for
 * configurations that did not come through Kong, and for what Kong's schema language cannot say. The
 * validator is made on first use.
 */
export function pluginConfigProblems(config: unknown): readonly string[] {
  validate ??= new Ajv({ allErrors: true }).compile<Shape>(pluginConfigShape);
  if (!validate(config)) return (validate.errors ?? []).map(describe);
  const { settings = {}, state_file, metadata_config, clickhouse = {} } = config;
  const inSettings = settingsProblems(settings).map(
    ({ path, problem }) => `settings${path === '' ? '' : `.${path}`} ${problem}`,
  );
  const hasTwoStores = state_file !== undefined && (metadata_config?.hosts ?? []).length > 0;
  const hasHalfAPair = (clickhouse.certificate === undefined) !== (clickhouse.key === undefined);
  return [
    ...inSettings,
    ...(hasTwoStores
      ? ['state_file is for a configuration without metadata_config.hosts only']
      : []),
    ...(hasHalfAPair ? ['clickhouse.certificate and clickhouse.key belong together'] : []),
  ];
}

const describe = ({ instancePath, message = 'is not valid' }: ErrorObject): string =>
  `${instancePath.slice(1).replaceAll('/', '.') || 'config'} ${message}`;
