import { indexNotFound, unsupported, versionConflict } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { JsonValue } from '../../common/json/json';
import { writeJson } from '../../common/json/write-json';
import { requireKnownParameters } from '../../search/request/url-parameters';
import { documentText } from '../documents/document-text';
import { type DocumentsFound, findDocuments } from '../documents/find-documents';
import { groupKey, readMget, type MgetItem } from '../documents/read-mget';
import { documentParameters, showsSource, sourceOptions } from '../documents/source-options';
import { errorBody } from '../error-response';
import { readNames } from '../named-indexes';
import type { Runtime } from '../runtime';
import { optionalJson } from '../search-index';
import { sendOn } from '../send-on';
import { refusalText } from '../msearch/elsewhere';
import type { EndpointHandler, GatewayRequest } from './definition';
import { textAnswer } from './document';

/** A document and the index that it is asked of. */
interface PlacedItem extends MgetItem {
  readonly index: string;
}

/**
 * `GET|POST /{index}/_mget`: documents in the order asked for, each with its own error. A document of another index must
 * be in ClickHouse, too: one request is not shared with Elasticsearch.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const { path, query, params, body } = request;
    const pathIndex = params['index'] ?? '';
    if (readNames(pathIndex, runtime.served, { query: new Map(), now: Date.now() }) === undefined)
      return sendOn(request, runtime);
    requireKnownParameters(path, query, documentParameters);
    const items = readMget(optionalJson(body)).map((item) => ({ index: pathIndex, ...item }));
    for (const { index } of items) requireOurs(index, runtime);
    const texts = await answerAll(items, request, runtime);
    return textAnswer(request, `{"docs":[${texts.join(',')}]}`, 200);
  },
};

function requireOurs(index: string, { served }: Runtime): void {
  const named = readNames(index, served, { query: new Map(), now: Date.now() });
  if (named === undefined)
    throw unsupported(
      `an _mget of documents in ClickHouse and in [${index}], which is in Elasticsearch: ask for them apart`,
    );
}

async function answerAll(
  items: readonly PlacedItem[],
  request: GatewayRequest,
  runtime: Runtime,
): Promise<readonly string[]> {
  const groups = new Map<string, PlacedItem[]>();
  for (const item of items)
    groups.set(groupKey(item), [...(groups.get(groupKey(item)) ?? []), item]);
  const found = new Map(
    await Promise.all(
      [...groups].map(
        async ([key, group]) => [key, await answerOf(group, request, runtime)] as const,
      ),
    ),
  );
  return items.map((item) => itemText(item, found.get(groupKey(item)), request, runtime));
}

type GroupAnswer = DocumentsFound | { readonly kind: 'failed'; readonly error: unknown };

async function answerOf(
  group: readonly PlacedItem[],
  request: GatewayRequest,
  runtime: Runtime,
): Promise<GroupAnswer> {
  const [first] = group;
  const { index = '', source, storedSource } = first ?? {};
  try {
    if (!runtime.serves(index)) throw indexNotFound(index);
    const parameters = source === undefined ? sourceOptions(request.query) : new Map();
    const stored = parameters.size > 0 ? true : storedSource;
    const shown: JsonValue = source ?? stored ?? showsSource(request.query);
    const ids = group.map(({ id }) => id);
    return await findDocuments({ index, ids, source: shown, parameters }, request, runtime);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return { kind: 'failed', error };
  }
}

function itemText(
  { index, id, version = 1 }: PlacedItem,
  answer: GroupAnswer | undefined,
  request: GatewayRequest,
  runtime: Runtime,
): string {
  if (answer === undefined) throw new TypeError('an answer for every group');
  if (answer.kind === 'denied')
    return failure({ index, id }, refusalText(answer.status, answer.body));
  if (answer.kind === 'failed')
    return failure({ index, id }, errorText(answer.error, request, runtime));
  const isThere = answer.sources.has(id);
  if (isThere && version !== 1)
    return failure({ index, id }, writeJson(versionConflict({ index, id, version }).toBody()));
  return documentText(index, id, isThere ? { source: answer.sources.get(id) } : undefined);
}

function errorText(error: unknown, { id }: GatewayRequest, { log }: Runtime): string {
  if (error instanceof ElasticsearchError && error.status < 500) return writeJson(error.toBody());
  return writeJson(errorBody(error, { log, id }).body);
}

/** `body`: an error answer, whose `error` stands in the item. */
function failure(place: { readonly index: string; readonly id: string }, body: string): string {
  const { error } = JSON.parse(body) as { readonly error: JsonValue };
  return writeJson({ _index: place.index, _id: place.id, error });
}
