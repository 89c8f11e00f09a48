import type { Field, FieldType } from '../../clickhouse/catalog/table';
import { shardIllegalArgument } from '../../common/errors/catalogue';
import type { QueryContext } from '../queries/definition';

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

/**
 * The field that an aggregation reads: for a text field its `.keyword` twin. Undefined for an
 * unmapped name, which has no values. Throws Elasticsearch's error for a type that is not among
 * `types`.
 */
export function aggregatedField(
  name: string,
  types: readonly FieldType[],
  aggregation: string,
  { table }: QueryContext,
): Field | undefined {
  const named = table.field(name);
  const field = named?.twin === undefined ? named : table.field(named.twin);
  if (field === undefined) return undefined;
  if (!field.aggregatable || !types.includes(field.type)) {
    throw shardIllegalArgument(
      `Field [${name}] of type [${field.type}] is not supported for aggregation [${aggregation}]`,
    );
  }
  return field;
}
