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
  /** Fields that the request defines itself: they can be searched and aggregated. */
  readonly runtime?: readonly RuntimeField[];
}

/** A field of `runtime_mappings`. */
export interface RuntimeField {
  readonly name: string;
  readonly type: string;
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

/** A field as one index has it. */
export interface FieldCapability extends Capabilities {
  readonly isMetadata: boolean;
}

/** An index with the fields that were asked for, by name. */
export interface IndexFields {
  readonly index: string;
  readonly fields: ReadonlyMap<string, FieldCapability>;
}

/**
 * The fields of one table that a `_field_caps` asks for. A parent object comes along with its children, unknown names are
 * absent; a field that the request itself defines takes the place of one of the table. Throws 400 where no fields are asked
 * for.
 */
export function fieldsOf(
  table: Table,
  request: FieldCapsRequest,
): ReadonlyMap<string, FieldCapability> {
  if (request.fields.length === 0) throw illegalArgument("specified fields can't be null or empty");
  const wanted = request.fields.map(namePattern);
  const matches = (name: string): boolean => wanted.some((test) => test(name));
  const fields = new Map<string, FieldCapability>();
  const add = (
    { type, searchable, aggregatable, name }: MetadataCapabilities,
    isMetadata: boolean,
  ): void => {
    fields.set(name, { type, searchable, aggregatable, isMetadata });
  };
  if (showsMetadata(request))
    for (const item of metadataFields)
      if (matches(item.name) && hasType(item.type, request)) add(item, true);
  for (const field of withParents(matches, table).filter(passes(request, table))) add(field, false);
  for (const { name, type } of request.runtime ?? []) {
    if (!matches(name)) continue;
    fields.delete(name);
    if (hasType(type, request)) add({ name, type, searchable: true, aggregatable: true }, false);
  }
  return fields;
}

/**
 * The answer to a `_field_caps` of several indexes. Where they have a field in several types, or with `includeUnmapped` not
 * all of them have it, each entry names its indexes; where only some can search or aggregate it, those that cannot
 * (Elasticsearch 7.17, `FieldCapabilities.Builder`).
 */
export function mergeFieldCaps(
  indexes: readonly IndexFields[],
  includeUnmapped: boolean,
): JsonObject {
  const names = new Set(indexes.flatMap(({ fields }) => [...fields.keys()]));
  return {
    indices: indexes.map(({ index }) => index),
    fields: Object.fromEntries(
      [...names].map((name) => [name, entriesOf(name, indexes, includeUnmapped)] as const),
    ),
  };
}

interface OfIndex {
  readonly index: string;
  readonly field: FieldCapability;
}

const unmapped: FieldCapability = {
  type: 'unmapped',
  searchable: false,
  aggregatable: false,
  isMetadata: false,
};

function entriesOf(
  name: string,
  indexes: readonly IndexFields[],
  includeUnmapped: boolean,
): JsonObject {
  const byType = new Map<string, OfIndex[]>();
  for (const { index, fields } of indexes) {
    const field = fields.get(name) ?? (includeUnmapped ? unmapped : undefined);
    if (field) byType.set(field.type, [...(byType.get(field.type) ?? []), { index, field }]);
  }
  const isNamed = byType.size > 1;
  return Object.fromEntries([...byType].map(([type, all]) => [type, entry(type, all, isNamed)]));
}

function entry(type: string, all: readonly OfIndex[], isNamed: boolean): JsonObject {
  const lacking = (key: 'aggregatable' | 'searchable'): readonly string[] => {
    const without = all.filter(({ field }) => !field[key]).map(({ index }) => index);
    return without.length === all.length ? [] : without;
  };
  const [unsearched, unaggregated] = [lacking('searchable'), lacking('aggregatable')];
  return {
    type,
    metadata_field: all.some(({ field }) => field.isMetadata),
    searchable: all.every(({ field }) => field.searchable),
    aggregatable: all.every(({ field }) => field.aggregatable),
    ...(isNamed && { indices: all.map(({ index }) => index) }),
    ...(unsearched.length > 0 && { non_searchable_indices: unsearched }),
    ...(unaggregated.length > 0 && { non_aggregatable_indices: unaggregated }),
  };
}

/** The `_field_caps` answer of one table. Throws 400 where no fields are asked for. */
export const fieldCaps = (table: Table, index: string, request: FieldCapsRequest): JsonObject =>
  mergeFieldCaps([{ index, fields: fieldsOf(table, request) }], false);

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
