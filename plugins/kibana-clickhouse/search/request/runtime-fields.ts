import { contentParseError, mapperParsing } from '../../common/errors/catalogue';
import { isJsonObject, type JsonValue } from '../../common/json/json';
import type { RuntimeField } from '../field-caps';
import { tokenName } from './coerce';

const types: readonly string[] = [
  ...['boolean', 'composite', 'date', 'double', 'geo_point', 'ip', 'keyword', 'long'],
];

/** Names and types of the fields that `runtime_mappings` of a `_field_caps` define. Throws 400 for what is no such field. */
export function readRuntimeFields(mappings: JsonValue | undefined): readonly RuntimeField[] {
  if (mappings === undefined) return [];
  if (!isJsonObject(mappings))
    throw contentParseError(
      `[field_caps_request] runtime_mappings doesn't support values of type: ${tokenName(mappings)}`,
    );
  return Object.entries(mappings).map(([name, body]) => {
    const type = isJsonObject(body) ? body['type'] : undefined;
    if (type === undefined || type === null)
      throw mapperParsing(`No type specified for runtime field [${name}]`);
    const text = typeof type === 'string' ? type : JSON.stringify(type);
    if (types.includes(text)) return { name, type: text };
    throw mapperParsing(`No handler for type [${text}] declared on runtime field [${name}]`);
  });
}
