import type { FieldType } from '../../../clickhouse/catalog/table';
import type { PartKind } from './compound-key';

/** How the values of a field are compared as a part of a key; those of an unmapped field are text. */
export function partKind(type: FieldType | undefined): PartKind {
  switch (type) {
    case undefined:
    case 'keyword':
    case 'boolean':
      return 'text';
    case 'ip':
      return 'ip';
    case 'double':
    case 'float':
      return 'double';
    default:
      return 'integer';
  }
}
