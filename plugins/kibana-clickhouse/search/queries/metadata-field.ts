import type { Table } from '../../clickhouse/catalog/table';
import { alwaysFalse, alwaysTrue } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { queryShardError } from '../../common/errors/catalogue';
import { hasDocumentId } from './has-document-id';

/** A field that every document has without a column: `_index`, `_id`. */
export interface MetadataField {
  /** Its name, which is also the name of its type. */
  readonly name: string;
  readonly type: string;
  readonly equals: (value: string) => Expr;
  readonly equalsAny: (values: readonly string[]) => Expr;
  readonly exists: () => Expr;
  /** True where it passes a test, for `_index`; undefined for fields whose terms cannot be looked through. */
  readonly passes?: (test: (value: string) => boolean) => Expr;
}

/** The metadata field of a name; undefined for all other names, and where a column has that name. */
export function metadataField(name: string, table: Table): MetadataField | undefined {
  if (!name.startsWith('_') || table.field(name)) return undefined;
  switch (name) {
    case '_index':
      return indexField(table);
    case '_id':
      return {
        name,
        type: name,
        equals: (value) => hasDocumentId(table, [value]),
        equalsAny: (values) => hasDocumentId(table, values),
        exists: () => alwaysTrue,
      };
    case '_source':
      return {
        name,
        type: name,
        equals: notSearchable,
        equalsAny: notSearchable,
        exists: notSearchable,
      };
    default:
      return undefined;
  }
}

/** A table answers to its own name and to that with its database. */
function indexField({ database, name }: Table): MetadataField {
  const names = [name, `${database}.${name}`];
  const passes = (test: (value: string) => boolean): Expr =>
    names.some(test) ? alwaysTrue : alwaysFalse;
  return {
    name: '_index',
    type: '_index',
    equals: (value) => passes((one) => one === value),
    equalsAny: (values) => passes((one) => values.includes(one)),
    exists: () => alwaysTrue,
    passes,
  };
}

const notSearchable = (): never => {
  throw queryShardError('The _source field is not searchable');
};
