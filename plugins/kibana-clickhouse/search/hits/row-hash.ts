import type { ColumnType } from '../../clickhouse/catalog/column-type';
import type { Column, Table } from '../../clickhouse/catalog/table';
import { call, column, integer, tuple } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { illegalArgument } from '../../common/errors/catalogue';

/** 96 bits that stand for a row, as two integers of 48 bits, which JSON carries exactly. */
export interface RowHash {
  readonly high: Expr;
  readonly low: Expr;
}

/**
 * Hash of all stored columns, or of those that the settings name: rows equal in all of them have the
 * same. Throws a 400 when the settings name one that is not there. The columns stand in a tuple
 * because a NULL among the arguments of sipHash128 itself would make the whole hash NULL
 * (ClickHouse 26.7).
 */
export function rowHash(table: Table): RowHash {
  const hash = call('sipHash128', tuple(idColumns(table).map(hashable)));
  return { high: bytes(hash, 1), low: bytes(hash, 7) };
}

function idColumns({ columns, idColumns: names, name: table }: Table): readonly Column[] {
  const stored = columns.filter(({ kind }) => kind === 'stored');
  if (!names) return stored;
  return names.map((name) => {
    const found = stored.find((one) => one.name === name);
    if (found) return found;
    throw illegalArgument(
      `the setting tables.${table}.idColumns names [${name}], which is no stored column of the table`,
    );
  });
}

const bytes = (hash: Expr, first: number): Expr =>
  call('reinterpretAsUInt64', call('substring', hash, integer(first), integer(6)));

/** Types whose bytes depend on the part of the table that the row lies in are hashed by their text. */
const hashable = ({ name, type }: Column): Expr =>
  hasDynamicPart(type) ? call('toString', column(name)) : column(name);

const dynamicTypes: readonly string[] = ['Dynamic', 'JSON', 'Object', 'Variant'];

const hasDynamicPart = (type: ColumnType): boolean =>
  dynamicTypes.includes(type.name) || type.inner.some(hasDynamicPart);
