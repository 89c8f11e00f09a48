import type { JsonObject, JsonValue } from '../../common/json/json';
import { writeJson } from '../../common/json/write-json';
import { parseDocumentId } from '../../search/hits/document-id';
import type { GatewayRequest } from '../endpoints/definition';
import type { Runtime } from '../runtime';
import { searchIndex } from '../search-index';
import type { Denial } from '../../metadata/authorization';

/** Documents of one index by their `_id`s. */
export interface DocumentsAsked {
  readonly index: string;
  readonly ids: readonly string[];
  /** What `_source` of a search is: absent or true for all of it. */
  readonly source?: JsonValue;
  /** The query string's `_source*` parameters, which stand before it. */
  readonly parameters?: ReadonlyMap<string, string>;
}

export type DocumentsFound =
  | {
      readonly kind: 'found';
      /** JSON text of `_source` by `_id`; undefined where it was not asked for. */
      readonly sources: ReadonlyMap<string, string | undefined>;
    }
  | Denial;

/**
 * Reads documents by their ids, if the caller may read the index. Ids that are none of the gateway's own are asked of
 * nobody. Rows that are equal in all columns are one document.
 */
export async function findDocuments(
  asked: DocumentsAsked,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<DocumentsFound> {
  const ids = [...new Set(asked.ids)].filter((id) => parseDocumentId(id) !== undefined);
  const found = await search({ ...asked, ids }, request, runtime);
  if (found.kind === 'denied') return found;
  const sources = new Map(found.sources);
  const lost = ids.filter((id) => !sources.has(id));
  // rows that are equal take each other's places: what is missing may stand behind them
  if (found.hits < ids.length || ids.length === 1) return { kind: 'found', sources };
  for (const id of lost) {
    const one = await search({ ...asked, ids: [id] }, request, runtime);
    if (one.kind === 'denied') return one;
    for (const [key, source] of one.sources) sources.set(key, source);
  }
  return { kind: 'found', sources };
}

type Page =
  | {
      readonly kind: 'page';
      readonly sources: ReadonlyMap<string, string | undefined>;
      readonly hits: number;
    }
  | Denial;

async function search(
  { index, ids, source = true, parameters = new Map() }: DocumentsAsked,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<Page> {
  const query: JsonObject = { ids: { values: ids } };
  const body = { query, size: ids.length, track_total_hits: false, _source: source };
  const outcome = await searchIndex(
    { index, body: Buffer.from(writeJson(body)), parameters },
    request,
    runtime,
  );
  if (outcome.kind === 'denied') return outcome;
  const sources = new Map<string, string | undefined>();
  let hits = 0;
  for await (const batch of outcome.response.hits)
    for (const hit of batch) {
      hits += 1;
      const { id, source: text } = readHit(hit);
      sources.set(id, text);
    }
  return { kind: 'page', sources, hits };
}

const idKey = '"_id":"';
const sourceKey = ',"_source":';

/** The hits of such a search end with their `_source`; a quoted key cannot stand within the strings before it. */
function readHit(hit: string): { readonly id: string; readonly source: string | undefined } {
  const idAt = hit.indexOf(idKey) + idKey.length;
  const sourceAt = hit.indexOf(sourceKey);
  return {
    id: hit.slice(idAt, hit.indexOf('"', idAt)),
    source: sourceAt < 0 ? undefined : hit.slice(sourceAt + sourceKey.length, -1),
  };
}
