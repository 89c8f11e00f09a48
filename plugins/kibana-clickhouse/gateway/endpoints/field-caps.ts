import { contentParseError, isUnsupported, parsingError } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { fieldsOf, mergeFieldCaps, type FieldCapsRequest } from '../../search/field-caps';
import type { QueryNode } from '../../search/queries/definition';
import { parseQuery } from '../../search/queries/registry';
import { booleanParameter, listParameter, toStrings } from '../../search/request/coerce';
import { readRuntimeFields } from '../../search/request/runtime-fields';
import { fieldCapsParameters } from '../../search/request/url-parameters';
import { canMatch } from '../index-filter';
import { optionalJson } from '../search-index';
import type { GatewayRequest } from './definition';
import { type AnswerFor, filtered, onIndexes } from './on-indexes';

/**
 * `GET|POST /{index}/_field_caps`: the fields of tables. `fields` stands in the query string (Elasticsearch 6.8 to 7.17) or in
 * the body (8 and later). `index_filter` leaves out tables that have nothing for it.
 */
export const handler = onIndexes(
  fieldCapsParameters,
  (names, request, runtime) => capabilities(names, request, runtime),
  'read',
);

const capabilities: AnswerFor = async (names, request, runtime) => {
  const { asked, filter, includeUnmapped } = readRequest(request);
  const indexes = await Promise.all(
    names.map(async (index) => {
      const fields = fieldsOf(await runtime.table(index), asked);
      const stays = filter === undefined || (await canMatch(index, filter, request, runtime));
      return stays ? [{ index, fields }] : [];
    }),
  );
  return filtered(request, mergeFieldCaps(indexes.flat(), includeUnmapped));
};

interface Asked {
  readonly asked: FieldCapsRequest;
  /** Absent: all indexes stay. */
  readonly filter: QueryNode | undefined;
  readonly includeUnmapped: boolean;
}

const BODY_KEYS: ReadonlySet<string> = new Set([
  'fields',
  'filters',
  'index_filter',
  'runtime_mappings',
  'types',
]);

function readRequest({ query, body }: GatewayRequest): Asked {
  const content = checkedBody(optionalJson(body) ?? {});
  const list = (name: string): readonly string[] => {
    const parameter = query.get(name);
    if (parameter !== undefined) return listParameter(parameter);
    const value = content[name];
    return value === undefined ? [] : toStrings(value, name);
  };
  return {
    asked: {
      ...{ fields: list('fields'), types: list('types'), filters: list('filters') },
      runtime: readRuntimeFields(content['runtime_mappings']),
    },
    filter: readFilter(content['index_filter']),
    includeUnmapped: booleanParameter(query.get('include_unmapped') ?? 'false'),
  };
}

/** A clause that the gateway does not have says nothing about whole indexes. */
function readFilter(filter: JsonValue | undefined): QueryNode | undefined {
  if (filter === undefined) return undefined;
  try {
    return parseQuery(filter);
  } catch (error) {
    if (!(error instanceof ElasticsearchError) || error.phase !== 'request') throw error;
    if (isUnsupported(error)) return undefined;
    const { type, message: reason, causes } = error;
    throw contentParseError('[field_caps_request] failed to parse field [index_filter]', [
      { type, reason },
      ...causes,
    ]);
  }
}

function checkedBody(body: JsonValue): JsonObject {
  if (!isJsonObject(body))
    throw parsingError(
      `Expected [START_OBJECT] but found [${isJsonArray(body) ? 'START_ARRAY' : 'VALUE'}]`,
    );
  const unknown = Object.keys(body).find((key) => !BODY_KEYS.has(key));
  if (unknown !== undefined) throw parsingError(`[field_caps_request] unknown field [${unknown}]`);
  return body;
}
