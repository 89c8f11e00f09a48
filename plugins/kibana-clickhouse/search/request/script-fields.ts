import { parsingError, unsupported } from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonObject } from '../../common/json/json';
import { type ScriptText, parseScriptText } from '../scripts/script-option';
import { toBoolean, tokenName, unknownKey } from './coerce';

/** A value of a hit that a script gives. */
export interface ScriptField {
  readonly name: string;
  readonly script: ScriptText;
}

/**
 * `script_fields`: `{"hour": {"script": {"source": "doc['at'].value.hourOfDay"}}}` (Elasticsearch 7.17 SearchSourceBuilder). Without
 * hits they are read no further. Throws for unknown keys, and refuses other languages than painless.
 */
export const parseScriptFields = (
  value: JsonValue | undefined,
  size: number,
): readonly ScriptField[] =>
  isJsonObject(value) && size > 0
    ? Object.entries(value).map(([name, field]) => parseScriptField(name, field))
    : [];

function parseScriptField(name: string, field: JsonValue): ScriptField {
  if (!isJsonObject(field))
    throw parsingError(`Expected [START_OBJECT] in [${name}] but found [${tokenName(field)}]`);
  for (const [key, value] of Object.entries(field)) checkKey(key, value);
  const { script } = field;
  if (script === undefined) throw unsupported(`script field [${name}] without a script`);
  const text = parseScriptText(script);
  if (text.lang !== 'painless')
    throw unsupported(`language [${text.lang}] in script field [${name}]`);
  return { name, script: text };
}

function checkKey(key: string, value: JsonValue): void {
  if (key === 'ignore_failure') toBoolean(value, key);
  else if (key !== 'script') throw unknownKey(key, value);
}

/** Whether a search asks for script fields: `_source` comes only when it is asked for then. */
export const hasScriptFields = ({ script_fields: fields }: JsonObject): boolean =>
  isJsonObject(fields) && Object.keys(fields).length > 0;
