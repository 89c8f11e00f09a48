import type { Field, Table } from '../../clickhouse/catalog/table';
import { call, column, lambda } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { unsupported } from '../../common/errors/catalogue';
import { metadataField } from './metadata-field';

/**
 * The field that a clause compares with, or undefined where it matches nothing: the name is unmapped
 * or an object. Refuses a field whose ClickHouse type is not supported, with the type's name.
 */
export function queriedField(table: Table, name: string): Field | undefined {
  const field = table.field(name);
  if (field?.refusal !== undefined) throw unsupported(`query on field [${name}]: ${field.refusal}`);
  return field?.type === 'object' ? undefined : field;
}

/** Whether nothing goes by a name, or an object, which has no values of its own. */
export const isUnmapped = (name: string, { table }: { readonly table: Table }): boolean =>
  metadataField(name, table) === undefined && (table.field(name)?.type ?? 'object') === 'object';

/** True where any of the field's values passes a test. */
export const anyValue = (field: Field, test: (value: Expr) => Expr): Expr =>
  anyOf(field.multiValued, field.expr, test);

/** The same over another reading of the field: the column before conversion. */
export const anyOf = (multiValued: boolean, expr: Expr, test: (value: Expr) => Expr): Expr =>
  multiValued ? call('arrayExists', lambda('x', test(column('x'))), expr) : test(expr);
