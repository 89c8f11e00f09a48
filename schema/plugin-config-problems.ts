import { Type } from '@sinclair/typebox';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

const text = Type.String({ minLength: 1 });
const names = Type.Union([Type.Array(text), Type.Null()]);

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
    }),
  ),
  settings: Type.Optional(
    Type.Object({
      proxy: Type.Optional(
        Type.Object({
          whiteIndexList: Type.Optional(names),
          blackIndexList: Type.Optional(names),
          ck: Type.Optional(
            Type.Object({
              url: Type.Optional(text),
              user: Type.Optional(Type.String()),
              pass: Type.Optional(Type.String()),
              defaultCkDatabase: Type.Optional(text),
            }),
          ),
        }),
      ),
    }),
  ),
});

let validate: ValidateFunction | undefined;

/**
 * What is wrong with a configuration, each problem with the field's path and without its value (it
 * may be a secret); empty when nothing is. Kong checks the same by its own schema: this is for
 * configurations that did not come through Kong. The validator is made on first use.
 */
export function pluginConfigProblems(config: unknown): readonly string[] {
  validate ??= new Ajv({ allErrors: true }).compile(pluginConfigShape);
  return validate(config) ? [] : (validate.errors ?? []).map(describe);
}

const describe = ({ instancePath, message = 'is not valid' }: ErrorObject): string =>
  `${instancePath.slice(1).replaceAll('/', '.') || 'config'} ${message}`;
