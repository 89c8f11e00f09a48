import { Readable } from 'node:stream';
import { indexNotFound } from '../../common/errors/catalogue';
import { filterPath } from '../../common/json/filter-path';
import { isJsonObject } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';
import { requireKnownParameters } from '../../search/request/url-parameters';
import { documentText } from '../documents/document-text';
import { type DocumentsFound, findDocuments } from '../documents/find-documents';
import {
  checkVersion,
  documentParameters,
  showsSource,
  sourceOptions,
} from '../documents/source-options';
import { readNames } from '../named-indexes';
import type { Runtime } from '../runtime';
import { denied, sendOn } from '../send-on';
import {
  json,
  type EndpointHandler,
  type GatewayRequest,
  type GatewayResponse,
} from './definition';

/** `GET|HEAD /{index}/_doc/{id}`: one document of one index; 404 with `found: false` when there is none. */
export const handler: EndpointHandler = {
  handle: (request, runtime) =>
    onDocument(request, runtime, ({ index, id, found }) => {
      if (found) checkVersion(request.query, index, id);
      return textAnswer(request, documentText(index, id, found), found ? 200 : 404);
    }),
};

/** A document that was asked for. */
export interface AskedDocument {
  readonly index: string;
  readonly id: string;
  /** Undefined when there is none; its JSON text undefined when that is not shown. */
  readonly found: { readonly source: string | undefined } | undefined;
}

/**
 * Answers for the document that index and id of the path name. A list or pattern names no document: 404, as in
 * Elasticsearch.
 */
export async function onDocument(
  request: GatewayRequest,
  runtime: Runtime,
  answer: (asked: AskedDocument) => GatewayResponse,
): Promise<GatewayResponse> {
  const { path, query, params } = request;
  const { index: expression = '', id = '' } = params;
  const named = readNames(expression, runtime.served, { query: new Map(), now: Date.now() });
  if (named === undefined) return sendOn(request, runtime);
  requireKnownParameters(path, query, documentParameters);
  const [index] = named.plain;
  if (named.parts.length !== 1 || index === undefined) throw indexNotFound(expression);
  const found = await findDocument({ index, id }, request, runtime);
  if (found.kind === 'denied') return denied(found, request);
  const isThere = found.sources.has(id);
  return answer({ index, id, found: isThere ? { source: found.sources.get(id) } : undefined });
}

const findDocument = (
  { index, id }: { readonly index: string; readonly id: string },
  request: GatewayRequest,
  runtime: Runtime,
): Promise<DocumentsFound> =>
  findDocuments(
    {
      ...{ index, ids: [id], source: showsSource(request.query) },
      parameters: sourceOptions(request.query),
    },
    request,
    runtime,
  );

/** JSON text as an answer; read only where `filter_path` leaves less of it. */
export function textAnswer(
  { query }: GatewayRequest,
  text: string,
  status: number,
): GatewayResponse {
  const filter = query.get('filter_path') ?? '';
  if (filter === '') return { kind: 'stream', status, body: Readable.from([text]) };
  const body = parseJson(text);
  return json(isJsonObject(body) ? filterPath(body, filter) : {}, status);
}
