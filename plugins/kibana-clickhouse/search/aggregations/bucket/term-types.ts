import type { FieldType } from '../../../clickhouse/catalog/table';
import { numericTypes } from '../aggregated-field';

/** Types whose values can be terms. */
export const termTypes: readonly FieldType[] = [
  ...numericTypes,
  'keyword',
  'boolean',
  'date',
  'date_nanos',
  'ip',
];
