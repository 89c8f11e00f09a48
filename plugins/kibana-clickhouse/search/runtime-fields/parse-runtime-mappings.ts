import type { FieldType } from '../../clickhouse/catalog/table';
import { mapperParsingError, unsupported } from '../../common/errors/catalogue';
import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { type ScriptText, parseScriptText } from '../scripts/script-option';

/** A field that a search defines by a script. */
export interface RuntimeField {
  readonly name: string;
  readonly type: RuntimeType;
  readonly script: ScriptText;
}

export type RuntimeType = Extract<FieldType, 'boolean' | 'date' | 'double' | 'keyword' | 'long'>;

const types: readonly RuntimeType[] = ['boolean', 'date', 'double', 'keyword', 'long'];
const refusedTypes: readonly string[] = ['composite', 'geo_point', 'geo_shape', 'ip', 'lookup'];

/**
 * `runtime_mappings`: `{"hour": {"type": "long", "script": {"source": "emit(doc['at'].value.getHour())"}}}`. Throws Elasticsearch's
 * errors (7.17 RuntimeField.parseRuntimeFields), which are a shard's, and refuses by name other types, fields without a script,
 * and options of how values are printed.
 */
export const parseRuntimeMappings = (value: JsonValue | undefined): readonly RuntimeField[] =>
  isJsonObject(value)
    ? Object.entries(value).map(([name, definition]) => parseRuntimeField(name, definition))
    : [];

function parseRuntimeField(name: string, definition: JsonValue): RuntimeField {
  if (definition === null)
    throw mapperParsingError(
      `Runtime field [${name}] was set to null but its removal is not supported in this context`,
    );
  if (!isJsonObject(definition))
    throw mapperParsingError(
      `Expected map for runtime field [${name}] definition but got a ${javaType(definition)}`,
    );
  const type = typeOf(name, definition);
  const refused = Object.keys(definition).find((key) => key !== 'type' && key !== 'script');
  if (refused !== undefined) throw refusedOption(name, type, refused);
  const { script } = definition;
  if (script === undefined) throw unsupported(`runtime field [${name}] without a script`);
  const text = parseScriptText(script);
  if (text.lang !== 'painless')
    throw unsupported(`language [${text.lang}] in the script of runtime field [${name}]`);
  return { name, type, script: text };
}

function typeOf(name: string, { type }: JsonObject): RuntimeType {
  if (type === undefined || type === null)
    throw mapperParsingError(`No type specified for runtime field [${name}]`);
  const known = types.find((one) => one === type);
  if (known) return known;
  const text = typeof type === 'string' ? type : JSON.stringify(type);
  if (refusedTypes.includes(text)) throw unsupported(`runtime field [${name}] of type [${text}]`);
  throw mapperParsingError(`No handler for type [${text}] declared on runtime field [${name}]`);
}

const knownOptions: readonly string[] = ['fields', 'format', 'locale', 'meta', 'on_script_error'];

const refusedOption = (name: string, type: string, key: string): Error =>
  knownOptions.includes(key)
    ? unsupported(`[${key}] of runtime field [${name}]`)
    : mapperParsingError(`unknown parameter [${key}] on runtime field [${name}] of type [${type}]`);

function javaType(value: JsonValue): string {
  if (typeof value === 'string') return 'java.lang.String';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (typeof value === 'number' || typeof value === 'bigint')
    return Number.isInteger(Number(value)) ? 'java.lang.Integer' : 'java.lang.Double';
  return 'java.util.ArrayList';
}
