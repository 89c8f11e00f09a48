import { illegalArgument } from '../../common/errors/catalogue';
import { isJsonObject, type JsonValue } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';
import { requireValidSettings } from '../../metadata/settings/require-valid';
import { withSetting } from '../../metadata/settings/setting-leaves';
import { requireKnownParameters } from '../../search/request/url-parameters';
import type { PartialSettings } from '../../../../schema/settings';
import { pairsToHeaders, type HeaderPair } from './config-headers';
import type { GatewayRequest } from './definition';
import type { ParameterKind, UpdateParameter } from './config-updates';

/** Parameters of every endpoint of Elasticsearch that do not change what the answer says. */
const HARMLESS: readonly string[] = ['error_trace', 'format', 'human', 'pretty'];

/** The query string and body of an administration request. */
export type ConfigRequest = Pick<GatewayRequest, 'body' | 'method' | 'path' | 'query' | 'rawQuery'>;

/** Throws a 400 for a parameter that the endpoint does not take, and for one that comes twice. */
export function requireParameters(request: ConfigRequest, names: readonly string[]): void {
  requireKnownParameters(request.path, request.query, [...HARMLESS, ...names]);
  const given = [...new URLSearchParams(request.rawQuery).keys()];
  const twice = given.find((name, i) => given.indexOf(name) !== i);
  if (twice !== undefined)
    throw illegalArgument(`request [${request.path}] has the parameter [${twice}] more than once`);
}

/** Elasticsearch's 400 for a body where none is read (7.17, `BaseRestHandler`). */
export function refuseBody({ body, method, path }: ConfigRequest): void {
  if (body.length > 0)
    throw illegalArgument(`request [${method} ${path}] does not support having a body`);
}

/**
 * The settings that an update's query string names. Throws a 400 for a parameter that is missing,
 * unknown, given twice, not of its kind, or out of its bounds.
 */
export function readUpdate(
  request: ConfigRequest,
  parameters: readonly UpdateParameter[],
): PartialSettings {
  requireParameters(
    request,
    parameters.map(({ name }) => name),
  );
  const missing = parameters.filter(({ name }) => !request.query.has(name));
  if (missing.length > 0)
    throw illegalArgument(
      `request [${request.path}] is missing required parameter${missing.length > 1 ? 's' : ''}: ${missing.map(({ name }) => `[${name}]`).join(', ')}`,
    );
  const settings = parameters.reduce<PartialSettings>((read, { name, kind, setting }) => {
    const value = READERS[kind](request.query.get(name) ?? '', name);
    return withSetting(read, setting, value);
  }, {});
  requireValidSettings(settings);
  return settings;
}

type Reader = (text: string, name: string) => unknown;

const READERS: Readonly<Record<ParameterKind, Reader>> = {
  text: (text) => text,
  names: readNames,
  integer: readInteger,
  boolean: readBoolean,
  headers: (text, name) => pairsToHeaders(readPairs(text, name), name),
};

function readNames(text: string, name: string): readonly string[] {
  if (text.trim() === '') return [];
  const names = text.split(',').map((one) => one.trim());
  if (names.includes(''))
    throw illegalArgument(`[${name}] has an empty name between or beside its commas`);
  return names;
}

/** In Elasticsearch's words (7.17, `RestRequest.paramAsInt`). */
function readInteger(text: string, name: string): number {
  const value = /^[+-]?\d{1,16}$/.test(text.trim()) ? Number(text) : NaN;
  if (Number.isSafeInteger(value)) return value;
  throw illegalArgument(`Failed to parse int parameter [${name}] with value [${shortened(text)}]`);
}

/** In Elasticsearch's words (7.17, `Booleans.parseBoolean`), but an empty value is none. */
function readBoolean(text: string, name: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw illegalArgument(
    `Failed to parse value [${shortened(text)}] of parameter [${name}] as only [true] or [false] are allowed.`,
  );
}

const SHOWN_CHARACTERS = 100;
const shortened = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;

function readPairs(text: string, name: string): readonly HeaderPair[] {
  if (text.trim() === '') return [];
  if (text.trimStart().startsWith('{')) return jsonPairs(text, name);
  return splitEscaped(text, name).map((pair) => {
    const at = pair.indexOf(':');
    if (at <= 0)
      throw illegalArgument(
        `[${name}] must be pairs name:value separated by commas, with \\, for a comma and \\\\ for a backslash in a value, or a JSON object`,
      );
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
}

function jsonPairs(text: string, name: string): readonly HeaderPair[] {
  let content: JsonValue = null;
  try {
    content = parseJson(text);
  } catch {
    // The parser's message would show what the text holds.
  }
  if (!isJsonObject(content))
    throw illegalArgument(`[${name}] begins with { but is no JSON object`);
  return Object.entries(content);
}

/** Splits at commas that have no backslash before them, and takes the backslashes away. */
function splitEscaped(text: string, name: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const [piece] of text.matchAll(/\\[^]?|,|[^\\,]+/g)) {
    if (piece === ',') {
      parts.push(part);
      part = '';
    } else part += unescaped(piece, name);
  }
  return [...parts, part];
}

function unescaped(piece: string, name: string): string {
  if (!piece.startsWith('\\')) return piece;
  const character = piece.slice(1);
  if (character === ',' || character === '\\' || character === ':') return character;
  throw illegalArgument(
    `[${name}] has a backslash that is not followed by a comma, a colon or a backslash`,
  );
}
