import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';
import { writeJson } from '../../common/json/write-json';
import type { HitsTotal } from '../../search/response/search-response';

/** A search of which some pages have been read. */
export interface Scroll {
  readonly index: string;
  /** The search's body, without aggregations; they are answered with the first page. */
  readonly body: JsonObject;
  /** Its parameters. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Epoch ms that is `now` on all its pages. */
  readonly now: number;
  /** Counted with the first page. */
  readonly total: HitsTotal;
  /** The place of the last hit that was read, as JSON; null: there was none. */
  readonly position: JsonValue;
}

/** Full stops: Elasticsearch's own ids are base64, and never have one. */
const START = 'kch.scroll.';
const MAX_BYTES = 1024 * 1024;

/** Whether an id is one of ours. */
export const isScrollId = (id: string): boolean => id.startsWith(START);

/** The id of a scroll. It says all that the next page needs: nothing is kept, and every node can read it. */
export function scrollId({ index, body, parameters, now, total, position }: Scroll): string {
  const { value, relation } = total;
  const text = writeJson([
    ...[index, body, Object.fromEntries(parameters), now],
    ...[value, relation, position],
  ]);
  return START + deflateRawSync(Buffer.from(text)).toString('base64url');
}

/** Reads an id of ours; undefined for one that `scrollId` never writes. */
export function parseScrollId(id: string): Scroll | undefined {
  const parts = partsOf(id);
  if (!parts) return undefined;
  const [index, body, parameters, now, value, relation, position = null] = parts;
  if (typeof index !== 'string' || !isJsonObject(body) || !isJsonObject(parameters))
    return undefined;
  if (typeof now !== 'number' || typeof value !== 'number') return undefined;
  return {
    ...{ index, body, now, position },
    parameters: new Map(
      Object.entries(parameters).flatMap(([name, text]) =>
        typeof text === 'string' ? [[name, text]] : [],
      ),
    ),
    total: { value, relation: relation === 'gte' ? 'gte' : 'eq' },
  };
}

function partsOf(id: string): readonly JsonValue[] | undefined {
  try {
    const bytes = Buffer.from(id.slice(START.length), 'base64url');
    const parts = parseJson(inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }));
    return isJsonArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}
