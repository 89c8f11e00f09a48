import type { Table } from './table';

const known = new WeakMap<Table, string>();

/** What a table is made of, as one text: another one after its columns, its engine or its keys have changed. */
export function tableStructure(table: Table): string {
  const made = known.get(table);
  if (made !== undefined) return made;
  const { engine, sortingKey, partitionKey, samplingKey, columns } = table;
  const text = JSON.stringify([
    engine,
    sortingKey,
    partitionKey,
    samplingKey,
    columns.map(({ name, type, kind }) => [name, type.text, kind]),
  ]);
  known.set(table, text);
  return text;
}
