import type { Table } from '../../clickhouse/catalog/table';

/** What no database is called: a table of it stands for the union of several. */
export const unionDatabase = '\u0000union';

const prefix = 'union_';

/** The column of a union that holds a field. */
export const columnOfField = (name: string): string =>
  /^[A-Za-z0-9_]+$/.test(name)
    ? `${prefix}n_${name}`
    : `${prefix}x_${Buffer.from(name).toString('hex')}`;

/** The field that a column of a union holds; undefined for all other names. */
export function fieldOfColumn(column: string): string | undefined {
  if (!column.startsWith(prefix)) return undefined;
  const name = column.slice(prefix.length + 2);
  return column.startsWith(`${prefix}n_`) ? name : Buffer.from(name, 'hex').toString();
}

/** Whether a table is a union. */
export const isUnion = ({ database }: Pick<Table, 'database'>): boolean =>
  database === unionDatabase;
