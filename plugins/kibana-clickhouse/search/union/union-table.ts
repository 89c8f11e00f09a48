import { parseColumnType } from '../../clickhouse/catalog/column-type';
import type { Field, Table } from '../../clickhouse/catalog/table';
import { and, as, column, integer, param } from '../../clickhouse/sql/build';
import type { Expr, SelectNode, Source } from '../../clickhouse/sql/nodes';
import type { Scope } from '../plan/aggregation-plan';
import { absentValue, type NamedTable, type UnionField, unionField } from './union-field';
import { columnOfField, fieldOfColumn, unionDatabase } from './union-names';

/** An index of a union, with the rows of it that count. */
export interface UnionMember extends NamedTable {
  readonly scope: Scope;
}

const indexName = '_index';

/**
 * Several tables as one, whose rows are those that count: it has the fields of all of them, and `_index`. Statements that
 * read it become ones of ClickHouse by `ofUnion`.
 */
export function unionTable(members: readonly UnionMember[]): Table {
  const find = fieldFinder(members);
  const names = new Set(members.flatMap(({ table }) => [...table.fields.keys()]));
  const fields = [...names].flatMap((name) => {
    const found = find(name);
    return found ? [[name, found.field] as const] : [];
  });
  const [first] = members;
  const timeField = first?.table.timeField;
  return {
    database: unionDatabase,
    name: members.map(({ index }) => index).join(','),
    engine: 'UNION ALL',
    sortingKey: '',
    columns: [],
    // documents have no id in a union
    idColumns: ['_id'],
    fields: new Map(fields),
    field: (name) => (name === indexName ? indexField : find(name)?.field),
    timeField: members.every(({ table }) => table.timeField === timeField) ? timeField : undefined,
  };
}

const indexField: Field = {
  name: indexName,
  type: 'keyword',
  searchable: true,
  aggregatable: true,
  expr: column(columnOfField(indexName)),
  valueType: parseColumnType('String'),
  multiValued: false,
  nullable: false,
  matching: 'exact',
};

function fieldFinder(members: readonly UnionMember[]): (name: string) => UnionField | undefined {
  const known = new Map<string, UnionField | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, unionField(name, members));
    return known.get(name);
  };
}

/** A statement that reads a union as one that reads its tables: of each the rows that count, and the fields that are used. */
export function ofUnion(select: SelectNode, members: readonly UnionMember[]): SelectNode {
  const columns = [...usedColumns(select)].sort();
  const find = fieldFinder(members);
  const source: Source = {
    kind: 'union',
    selects: members.map((member) => memberRows(member, columns, find)),
  };
  return withSource(select, source);
}

function memberRows(
  { index, table, scope }: UnionMember,
  columns: readonly string[],
  find: (name: string) => UnionField | undefined,
): SelectNode {
  const valueOf = (name: string): Expr => {
    if (name === indexName) return param(index, 'String');
    const found = find(name);
    const own = table.field(name);
    if (found === undefined) throw new TypeError('a column of a union holds a field');
    return own === undefined ? absentValue(found.field) : found.value(own);
  };
  return {
    columns:
      columns.length === 0
        ? [as('row', integer(1))]
        : columns.map((name) => as(name, valueOf(fieldOfColumn(name) ?? ''))),
    from: { kind: 'table', database: table.database, table: table.name },
    where: and([scope.where]),
    ...(scope.timeRange && { timeRange: scope.timeRange }),
  };
}

/** The columns of the union that a statement names, at any depth. */
function usedColumns(node: unknown): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isColumn(value) && fieldOfColumn(value.name) !== undefined) used.add(value.name);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(node);
  return used;
}

const isColumn = (value: object): value is { readonly name: string } =>
  'kind' in value && value.kind === 'column' && 'name' in value && typeof value.name === 'string';

const isUnionSource = (value: object): boolean =>
  'kind' in value &&
  value.kind === 'table' &&
  'database' in value &&
  value.database === unionDatabase;

/** The same tree with another source in place of the union. */
function withSource<T>(node: T, source: Source): T {
  if (typeof node !== 'object' || node === null) return node;
  if (isUnionSource(node)) return source as T;
  if (Array.isArray(node)) return node.map((item: unknown) => withSource(item, source)) as T;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]: [string, unknown]) => [key, withSource(value, source)]),
  ) as T;
}
