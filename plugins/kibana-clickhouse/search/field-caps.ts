import type { Field, Table } from '../clickhouse/catalog/table';
import { illegalArgument } from '../common/errors/catalogue';
import type { JsonObject } from '../common/json/json';
import { namePattern } from './request/name-pattern';

/** What a `_field_caps` asks for. */
export interface FieldCapsRequest {
  /** Names and patterns with `*`. */
  readonly fields: readonly string[];
  /** Field types to list; empty: all (Elasticsearch 8.2 and later). */
  readonly types?: readonly string[];
  /** `-metadata`, `+metadata`, `-parent`, `-nested`, `-multifield` (likewise); others change nothing. */
  readonly filters?: readonly string[];
}

interface Capabilities {
  readonly type: string;
  readonly searchable: boolean;
  readonly aggregatable: boolean;
}

interface MetadataCapabilities extends Capabilities {
  readonly name: string;
}

const metadata = (
  name: string,
  searchable: boolean,
  aggregatable: boolean,
  type = name,
): MetadataCapabilities => ({ name, type, searchable, aggregatable });

/**
 * Elasticsearch's own fields, which every index lists and clients leave out of theirs. As in Elasticsearch 8: `_type` is
 * gone and `_id` is not aggregatable (`indices.id_field_data.enabled` is false).
 */
const metadataFields: readonly MetadataCapabilities[] = [
  metadata('_doc_count', false, false, 'integer'),
  metadata('_feature', false, false),
  metadata('_field_names', true, false),
  metadata('_id', true, false),
  metadata('_ignored', true, false),
  metadata('_index', true, true),
  metadata('_routing', true, false),
  metadata('_seq_no', true, true),
  metadata('_source', false, false),
  metadata('_version', false, true),
];

/**
 * The `_field_caps` answer of one table. A parent object comes along with its children, unknown names
 * are absent, and one table maps every field, so that `include_unmapped` adds nothing. Throws 400
 * where no fields are asked for.
 */
export function fieldCaps(table: Table, indexName: string, request: FieldCapsRequest): JsonObject {
  if (request.fields.length === 0) throw illegalArgument("specified fields can't be null or empty");
  const wanted = request.fields.map(namePattern);
  const matches = (name: string): boolean => wanted.some((test) => test(name));
  const listed = withParents(matches, table).filter(passes(request, table));
  const own = showsMetadata(request)
    ? metadataFields.filter(({ name, type }) => matches(name) && hasType(type, request))
    : [];
  const fields: Record<string, JsonObject> = {};
  for (const item of own) fields[item.name] = entry(item, true);
  for (const field of listed) fields[field.name] = entry(field, false);
  return { indices: [indexName], fields };
}

const entry = (
  { type, searchable, aggregatable }: Capabilities,
  isMetadata: boolean,
): JsonObject => ({
  [type]: { type, metadata_field: isMetadata, searchable, aggregatable },
});

/** The matching fields and the objects they stand in, in the table's order. */
function withParents(matches: (name: string) => boolean, table: Table): readonly Field[] {
  const names = new Set<string>();
  for (const name of table.fields.keys()) {
    if (!matches(name)) continue;
    names.add(name);
    for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1))
      names.add(name.slice(0, dot));
  }
  return [...table.fields.values()].filter(
    ({ name, type }) => names.has(name) && (matches(name) || type === 'object'),
  );
}

const hasType = (type: string, { types = [] }: FieldCapsRequest): boolean =>
  types.length === 0 || types.includes(type);

const showsMetadata = ({ filters = [] }: FieldCapsRequest): boolean =>
  !filters.includes('-metadata');

function passes(request: FieldCapsRequest, table: Table): (field: Field) => boolean {
  const { filters = [] } = request;
  if (filters.includes('+metadata')) return () => false;
  return (field) =>
    hasType(field.type, request) &&
    !(filters.includes('-parent') && field.type === 'object') &&
    !(filters.includes('-multifield') && isMultiField(field, table));
}

const isMultiField = ({ name }: Field, table: Table): boolean =>
  table.fields.get(name.replace(/\.keyword$/, ''))?.twin === name;
