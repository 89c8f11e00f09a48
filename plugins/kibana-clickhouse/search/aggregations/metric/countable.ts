import type { FieldType } from '../../../clickhouse/catalog/table';
import { numericTypes } from '../aggregated-field';

/** Types whose values can be counted and told apart. */
export const countableTypes: readonly FieldType[] = [
  ...numericTypes,
  'boolean',
  'date',
  'date_nanos',
  'geo_point',
  'ip',
  'keyword',
];
