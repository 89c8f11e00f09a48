import { booleanParameter } from '../../search/request/coerce';
import type { JsonObject } from '../../common/json/json';
import { mappingOf } from '../../search/mapping';
import { commonParameters, indicesParameters } from '../../search/request/url-parameters';
import { byIndex, filtered, onIndexes } from './on-indexes';

/** Parameters that say where Elasticsearch looks for what it keeps: without effect on a table. */
export const clusterParameters: readonly string[] = ['local', 'master_timeout'];

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  ...clusterParameters,
  'include_type_name',
];

/** `GET /{index}/_mapping`: the fields of each table. */
export const handler = onIndexes(parameters, async (names, request, runtime) => {
  const body = await byIndex(names, async (index) => ({
    mappings: typed(mappingOf(await runtime.table(index)), request.query),
  }));
  return filtered(request, body);
});

/** Elasticsearch 7 puts its one type around a mapping when `include_type_name` asks for it. */
export const typed = (mapping: JsonObject, query: ReadonlyMap<string, string>): JsonObject =>
  booleanParameter(query.get('include_type_name') ?? 'false') ? { _doc: mapping } : mapping;
