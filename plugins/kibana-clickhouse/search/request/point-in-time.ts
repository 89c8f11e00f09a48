import { contentParseError, illegalArgument, validationError } from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonObject } from '../../common/json/json';
import { parseTimeValue } from '../../common/time/time-value';
import { booleanParameter, tokenName } from './coerce';
import { parseField } from './parse-field';

type Parameters = ReadonlyMap<string, string>;

/**
 * `pit`: `{"id": "…", "keep_alive": "1m"}` (Elasticsearch 7.17 SearchSourceBuilder); undefined where there is none. Throws for
 * unknown keys, and without an id.
 */
export function parsePointInTime(value: JsonValue | undefined): string | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  for (const [key, item] of Object.entries(value)) checkOption(key, item);
  const { id } = value as JsonObject & { readonly id?: string };
  if (id === undefined) throw illegalArgument('point in time id is not provided');
  return id;
}

function checkOption(key: string, value: JsonValue): void {
  if (key !== 'id' && key !== 'keep_alive') throw contentParseError(`[pit] unknown field [${key}]`);
  if (typeof value !== 'string')
    throw contentParseError(`[pit] ${key} doesn't support values of type: ${tokenName(value)}`);
  if (key === 'keep_alive') parseField('pit', key, () => parseTimeValue(value, key));
}

/**
 * Throws Elasticsearch's 400 (7.17 SearchRequest.validate) for what cannot stand beside a point in time: an index in the path, and
 * parameters that say which indexes or shards are searched.
 */
export function checkBesidePointInTime(parameters: Parameters, isWithoutIndex: boolean): void {
  const wrong = [
    ...(isWithoutIndex
      ? []
      : [
          '[indices] cannot be used with point in time. Do not specify any index with point in time.',
        ]),
    ...(choosesIndexes(parameters) ? ['[indicesOptions] cannot be used with point in time'] : []),
    ...['routing', 'preference']
      .filter((name) => parameters.has(name))
      .map((name) => `[${name}] cannot be used with point in time`),
  ];
  if (wrong.length > 0) throw validationError(wrong);
}

/** Whether a parameter says something other than Elasticsearch's default. */
const choosesIndexes = (parameters: Parameters): boolean =>
  isOn(parameters.get('ignore_unavailable')) ||
  !isOn(parameters.get('ignore_throttled'), true) ||
  !isOn(parameters.get('allow_no_indices'), true) ||
  (parameters.get('expand_wildcards') ?? 'open') !== 'open';

const isOn = (text: string | undefined, byDefault = false): boolean =>
  text === undefined ? byDefault : booleanParameter(text);
