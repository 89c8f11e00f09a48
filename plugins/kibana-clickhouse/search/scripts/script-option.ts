import { contentParseError, parsingError, unsupported } from '../../common/errors/catalogue';
import { isJsonObject, type JsonValue } from '../../common/json/json';
import { tokenName } from '../request/coerce';
import type { ScriptLang } from './parse';
import { compileScript, type Script } from './run';
import type { ScriptMap, ScriptValue } from './values';

/** A script of a request, and the parameters that it brings. */
export interface ScriptOption {
  readonly script: Script;
  readonly params: ScriptMap;
}

/** The text of a script, its language and parameters. */
export interface ScriptText {
  readonly source: string;
  readonly lang: ScriptLang;
  readonly params: ScriptMap;
}

/** `"params.a / params.b"` or `{"source", "lang", "params"}`. Refuses stored scripts and languages other than painless and expression. */
export function parseScriptOption(value: JsonValue): ScriptOption {
  const { source, lang, params } = parseScriptText(value);
  return { script: compileScript(source, lang), params };
}

/** The same without reading the source. */
export function parseScriptText(value: JsonValue): ScriptText {
  if (typeof value === 'string') return { source: value, lang: 'painless', params: new Map() };
  if (!isJsonObject(value))
    throw parsingError(`unexpected token [${tokenName(value)}] of a script`);
  const { source, inline = source, lang = 'painless', params } = value;
  const unknown = Object.keys(value).find((key) => !members.includes(key));
  if (unknown !== undefined) throw contentParseError(`[script] unknown field [${unknown}]`);
  if (lang !== 'painless' && lang !== 'expression')
    throw unsupported('a script in another language than painless and expression');
  if (typeof inline !== 'string' || value['id'] !== undefined) throw unsupported('a stored script');
  return { source: inline, lang, params: paramsOf(params) };
}

const members: readonly string[] = ['source', 'inline', 'id', 'lang', 'params', 'options'];

const paramsOf = (params: JsonValue | undefined): ScriptMap =>
  new Map(
    isJsonObject(params)
      ? Object.entries(params).map(([key, value]) => [key, paramValue(value)])
      : [],
  );

function paramValue(value: JsonValue): ScriptValue {
  if (typeof value === 'number' && Number.isInteger(value))
    return Math.abs(value) < 2 ** 31 ? { int: value } : BigInt(value);
  if (typeof value === 'object' && value !== null)
    throw unsupported('a list or an object among the params of a script');
  return value;
}
