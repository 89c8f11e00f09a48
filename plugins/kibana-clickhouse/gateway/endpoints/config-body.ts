import { illegalArgument, parseError } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';
import { requireValidSettings } from '../../metadata/settings/require-valid';
import { mapSchema, settingsRoot, type SettingSchema } from '../../../../schema/setting-schema';
import type { PartialSettings } from '../../../../schema/settings';
import { pairsToHeaders, type HeaderPair } from './config-headers';

/**
 * The settings in a full update's body, in the specification's spellings: the group `proxy` or
 * `Proxy`, integers also as text of digits, `es.headers` as an object or as an array of single-entry
 * objects, null for an empty list and for an absent `es` or `ck`. Throws a 400 that names what is no
 * setting or out of its bounds.
 */
export function readSettingsBody(body: Buffer): PartialSettings {
  if (body.toString().trim() === '') throw parseError('request body is required');
  const content = parseJson(body);
  if (!isJsonObject(content)) throw illegalArgument('the body must be an object of settings');
  const settings = plain(settingsRoot, withHeaders(withOneProxy(content)));
  requireValidSettings(settings);
  return settings as PartialSettings;
}

function withOneProxy({ Proxy: capital, ...content }: JsonObject): JsonObject {
  if (capital === undefined) return content;
  if (content['proxy'] !== undefined)
    throw illegalArgument('[proxy] and [Proxy] are the same group: expected one of them');
  return { ...content, proxy: capital };
}

function withHeaders(content: JsonObject): JsonObject {
  const { proxy } = content;
  if (!isJsonObject(proxy)) return content;
  const { es, ck, ...others } = proxy;
  return {
    ...content,
    proxy: {
      ...others,
      ...(ck !== null && ck !== undefined && { ck }),
      ...(es !== null && es !== undefined && { es: isJsonObject(es) ? withHeaderObject(es) : es }),
    },
  };
}

function withHeaderObject(es: JsonObject): JsonObject {
  const { headers } = es;
  if (headers === undefined) return es;
  return { ...es, headers: pairsToHeaders(headerPairs(headers), 'proxy.es.headers') };
}

function headerPairs(headers: JsonValue): readonly HeaderPair[] {
  if (headers === null) return [];
  if (isJsonObject(headers)) return Object.entries(headers);
  if (!isJsonArray(headers)) throw wrongHeaders();
  return headers.map((entry) => {
    const [pair, ...more] = isJsonObject(entry) ? Object.entries(entry) : [];
    if (pair === undefined || more.length > 0) throw wrongHeaders();
    return pair;
  });
}

const wrongHeaders = (): ReturnType<typeof illegalArgument> =>
  illegalArgument(
    '[proxy.es.headers] must be an object of names and values, or an array of objects with one name and value each',
  );

/** The values as the schema of the settings has them. */
function plain(schema: SettingSchema, value: JsonValue): unknown {
  if (schema.type === 'array') return value ?? [];
  if (schema.type === 'integer') return integer(value);
  if (!isJsonObject(value)) return value;
  const fieldOf = (name: string): SettingSchema | undefined =>
    schema.properties ? ownField(schema.properties, name) : mapSchema(schema)?.values;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const field = fieldOf(name);
      return [name, field ? plain(field, inner) : inner];
    }),
  );
}

const ownField = (
  properties: Readonly<Record<string, SettingSchema>>,
  name: string,
): SettingSchema | undefined => (Object.hasOwn(properties, name) ? properties[name] : undefined);

const integer = (value: JsonValue): JsonValue => {
  const isDigits = typeof value === 'string' && /^-?\d{1,16}$/.test(value);
  return isDigits || typeof value === 'bigint' ? Number(value) : value;
};
