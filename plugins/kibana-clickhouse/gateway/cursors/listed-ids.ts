import { unsupported } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonValue } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';

/** Whose the ids of a body are: ours, or (`elsewhere`) Elasticsearch's. */
export type ListedIds =
  { readonly kind: 'ours'; readonly ids: readonly string[] } | { readonly kind: 'elsewhere' };

/**
 * The ids that stand under a key of a body, one or a list. What cannot be read is Elasticsearch's to refuse. Refuses ids of both
 * sides in one request.
 */
export function listedIds(body: Buffer, key: string, isOurs: (id: string) => boolean): ListedIds {
  const ids = idsIn(body, key);
  const own = ids.filter(isOurs);
  if (own.length === 0) return { kind: 'elsewhere' };
  if (own.length < ids.length)
    throw unsupported(`a [${key}] of ClickHouse and one of Elasticsearch in one request`);
  return { kind: 'ours', ids: own };
}

function idsIn(body: Buffer, key: string): readonly string[] {
  try {
    const content = parseJson(body);
    const value = isJsonObject(content) ? content[key] : undefined;
    return (isJsonArray(value) ? value : [value ?? null]).filter(isText);
  } catch {
    return [];
  }
}

const isText = (value: JsonValue): value is string => typeof value === 'string';
