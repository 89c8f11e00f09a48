import type { ExecutionContext, Executor } from '../execution/executor';
import { aggregate, and, as, call, column, eq, param } from '../sql/build';
import { compileSelect } from '../sql/compile';
import type { SelectNode } from '../sql/nodes';
import type { Table } from './table';

/** How much a table holds now. */
export interface TableSize {
  readonly rows: number;
  /** Compressed, on this server; undefined where ClickHouse does not say (Distributed tables, views). */
  readonly bytes: number | undefined;
  /** Epoch ms at which its structure last changed. */
  readonly changedMs: number;
}

type Place = Pick<Table, 'database' | 'name'>;

/** Asks ClickHouse how much a table holds. */
export async function tableSize(
  table: Place,
  executor: Executor,
  context: ExecutionContext,
): Promise<TableSize> {
  const [counted, described] = await Promise.all(
    [countSelect(table), describeSelect(table)].map((select) =>
      executor.rows(compileSelect(select), context),
    ),
  );
  const [rows = 0] = counted?.rows[0] ?? [];
  const [bytes = null, changed = 0] = described?.rows[0] ?? [];
  return {
    rows: Number(rows),
    bytes: bytes === null ? undefined : Number(bytes),
    changedMs: Number(changed) * 1000,
  };
}

/** The statement that counts all rows of a table. */
const countSelect = ({ database, name }: Place): SelectNode => ({
  columns: [as('rows', aggregate('count'))],
  from: { kind: 'table', database, table: name },
});

const describeSelect = ({ database, name }: Place): SelectNode => ({
  columns: [
    as('bytes', column('total_bytes')),
    as('changed', call('toUnixTimestamp', column('metadata_modification_time'))),
  ],
  from: { kind: 'table', database: 'system', table: 'tables' },
  where: and([
    eq(column('database'), param(database, 'String')),
    eq(column('name'), param(name, 'String')),
  ]),
});
