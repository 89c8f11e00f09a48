import type { Field } from '../../clickhouse/catalog/table';
import { alwaysFalse } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import type { QueryContext } from './definition';
import { type MetadataField, metadataField } from './metadata-field';
import { queriedField } from './queried-field';

/** What a clause asks of a field, and of one that every document has without a column. */
export interface FieldTests {
  readonly field: (field: Field) => Expr;
  readonly metadata: (field: MetadataField) => Expr;
}

/** The condition on the field of a name; false where it is unmapped or an object. Refuses unsupported types by name. */
export function onField(name: string, { table }: QueryContext, tests: FieldTests): Expr {
  const metadata = metadataField(name, table);
  if (metadata) return tests.metadata(metadata);
  const field = queriedField(table, name);
  return field === undefined ? alwaysFalse : tests.field(field);
}
