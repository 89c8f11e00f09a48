import { parseColumnType } from '../../clickhouse/catalog/column-type';
import type { Field, FieldType } from '../../clickhouse/catalog/table';
import { call, param } from '../../clickhouse/sql/build';
import { shardIllegalArgument, unsupported } from '../../common/errors/catalogue';
import type { QueryContext } from '../queries/definition';
import { scriptedField } from './script-source';

/** Types of numbers. */
export const numericTypes: readonly FieldType[] = [
  'byte',
  'short',
  'integer',
  'long',
  'unsigned_long',
  'float',
  'double',
];

/** Elasticsearch's own fields that have values without being mapped (7.17 to 9). */
const metadataFields: ReadonlySet<string> = new Set([
  '_doc_count',
  '_id',
  '_ignored',
  '_routing',
  '_seq_no',
  '_tier',
  '_type',
  '_version',
]);

/**
 * The field that an aggregation reads: for a text field its `.keyword` twin. Undefined for an
 * unmapped name, which has no values; `_index` is the name that was searched, in every document. Throws Elasticsearch's
 * error for a type that is not among `types`, and refuses other metadata fields by name.
 */
export function aggregatedField(
  name: string,
  types: readonly FieldType[],
  aggregation: string,
  context: QueryContext & { readonly indexName?: string },
): Field | undefined {
  const { table, indexName } = context;
  const scripted = scriptedField(name, context);
  const named = scripted ?? table.field(name);
  const field = named?.twin === undefined ? named : table.field(named.twin);
  if (field === undefined) {
    if (name === '_index') return indexField(indexName ?? table.name, types, aggregation);
    if (metadataFields.has(name)) throw unsupported(`aggregation [${aggregation}] on [${name}]`);
    return undefined;
  }
  if (!field.aggregatable || !types.includes(field.type)) {
    throw shardIllegalArgument(
      `Field [${name}] of type [${field.type}] is not supported for aggregation [${aggregation}]`,
    );
  }
  return field;
}

function indexField(index: string, types: readonly FieldType[], aggregation: string): Field {
  if (!types.includes('keyword'))
    throw shardIllegalArgument(
      `Field [_index] of type [_index] is not supported for aggregation [${aggregation}]`,
    );
  return {
    name: '_index',
    type: 'keyword',
    searchable: true,
    aggregatable: true,
    // no constant: a key of GROUPING SETS must be a column
    expr: call('materialize', param(index, 'String')),
    valueType: parseColumnType('String'),
    multiValued: false,
    nullable: false,
    matching: 'exact',
  };
}
