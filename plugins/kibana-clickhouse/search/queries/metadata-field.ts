import type { Table } from '../../clickhouse/catalog/table';
import { alwaysFalse, alwaysTrue } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { queryShardError, unsupported } from '../../common/errors/catalogue';

/** A field that every document has without a column: `_index`, `_id`. */
export interface MetadataField {
  equals(value: string): Expr;
  exists(): Expr;
}

/** The metadata field of a name; undefined for all other names, and where a column has that name. */
export function metadataField(name: string, table: Table): MetadataField | undefined {
  if (!name.startsWith('_') || table.field(name)) return undefined;
  switch (name) {
    case '_index':
      return {
        equals: (value) =>
          value === table.name || value === `${table.database}.${table.name}`
            ? alwaysTrue
            : alwaysFalse,
        exists: () => alwaysTrue,
      };
    case '_id':
      return {
        equals: () => {
          throw unsupported('query on field [_id]');
        },
        exists: () => alwaysTrue,
      };
    case '_source':
      return { equals: notSearchable, exists: notSearchable };
    default:
      return undefined;
  }
}

const notSearchable = (): never => {
  throw queryShardError('The _source field is not searchable');
};
