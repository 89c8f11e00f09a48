import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { Cell, ExecutionContext, Executor, Row } from '../execution/executor';
import { aggregate, and, as, asc, call, column, desc, eq, or, param } from '../sql/build';
import { compileSelect } from '../sql/compile';
import type { Expr, SelectNode } from '../sql/nodes';
import { type ColumnFacts, type TableFacts, type TableSamples, buildTable } from './build-table';
import { parseColumnType } from './column-type';
import { isEpochType, isTimeName } from './elasticsearch-type';
import type { TimeFieldOptions } from './time-field';

/** A table's place. */
export interface TableName {
  readonly database: string;
  readonly name: string;
}

/** Rows in which the keys of Map columns are looked for, newest first, and keys kept per column. */
const sampledRows = 100_000;
const keptKeys = 1000;

/**
 * The places that an index name can mean, best first: a table of that whole name in the default
 * database, then `database.table`.
 */
export function placesOf(index: string, defaultDatabase: string): readonly TableName[] {
  const places: TableName[] = [{ database: defaultDatabase, name: index }];
  for (let dot = index.indexOf('.'); dot > 0; dot = index.indexOf('.', dot + 1)) {
    if (dot < index.length - 1)
      places.push({ database: index.slice(0, dot), name: index.slice(dot + 1) });
  }
  return places;
}

/**
 * Reads what ClickHouse knows about the first of the places that exists; undefined when none does.
 * Of a Distributed table the keys are those of its local table, where that is visible here.
 */
export async function loadTableFacts(
  places: readonly TableName[],
  executor: Executor,
  context: ExecutionContext,
): Promise<TableFacts | undefined> {
  const read = async (select: SelectNode): Promise<readonly Row[]> =>
    (await executor.rows(compileSelect(select), context)).rows;
  const rows = (await read(tablesSelect(places))).map(toTableRow);
  const [found] = places.flatMap((place) =>
    rows.filter((row) => row.database === place.database && row.name === place.name),
  );
  if (found === undefined) return undefined;
  const { database, name, engine, engineFull } = found;
  const local = engine === 'Distributed' ? localTable(engineFull) : undefined;
  const [columnRows, localRows] = await Promise.all([
    read(columnsSelect(found)),
    local ? read(tablesSelect([local])) : [],
  ]);
  const columns = columnRows.map(([column = null, type = null, kind = null]): ColumnFacts => ({
    name: asText(column),
    type: asText(type),
    defaultKind: asText(kind),
  }));
  const { sortingKey, partitionKey, samplingKey } = localRows.map(toTableRow)[0] ?? found;
  return { database, name, engine, sortingKey, partitionKey, samplingKey, columns };
}

interface TableRow extends TableName {
  readonly engine: string;
  readonly sortingKey: string;
  readonly partitionKey: string;
  readonly samplingKey: string;
  readonly engineFull: string;
}

const toTableRow = (row: Row): TableRow => {
  const [database = null, name = null, engine = null, sortingKey = null] = row;
  const [partitionKey = null, samplingKey = null, engineFull = null] = row.slice(4);
  return {
    database: asText(database),
    name: asText(name),
    engine: asText(engine),
    sortingKey: asText(sortingKey),
    partitionKey: asText(partitionKey),
    samplingKey: asText(samplingKey),
    engineFull: asText(engineFull),
  };
};

const asText = (cell: Cell): string => (typeof cell === 'string' ? cell : '');

const text = (value: string): Expr => param(value, 'String');

const tablesSelect = (places: readonly TableName[]): SelectNode => ({
  columns: [
    ...['database', 'name', 'engine', 'sorting_key'],
    ...['partition_key', 'sampling_key', 'engine_full'],
  ].map((item) => as(item, column(item))),
  from: { kind: 'table', database: 'system', table: 'tables' },
  where: or(
    places.map(({ database, name }) =>
      and([eq(column('database'), text(database)), eq(column('name'), text(name))]),
    ),
  ),
});

const columnsSelect = ({ database, name }: TableName): SelectNode => ({
  columns: ['name', 'type', 'default_kind'].map((item) => as(item, column(item))),
  from: { kind: 'table', database: 'system', table: 'columns' },
  where: and([eq(column('database'), text(database)), eq(column('table'), text(name))]),
  orderBy: [asc(column('position'))],
});

/** Database and table out of `Distributed('cluster', 'database', 'table', …)`. */
function localTable(engineFull: string): TableName | undefined {
  const parsed = parseColumnType(engineFull.replace(/\)\s*(?:SETTINGS|COMMENT)\b.*$/s, ')'));
  const [, database, name] = [...parsed.literals, ...parsed.inner.map((type) => type.name)].map(
    (argument) => argument.replace(/^'(.*)'$/s, '$1'),
  );
  return database !== undefined && name !== undefined ? { database, name } : undefined;
}

/**
 * Looks into the rows for what the structure does not tell: the keys of Map columns (in the newest
 * 100,000 rows, at most 1,000 a column) and the largest values of integers whose name speaks of time.
 * What cannot be read within the limits of the user is left out: such keys still work in queries.
 */
export async function loadSamples(
  facts: TableFacts,
  options: TimeFieldOptions,
  executor: Executor,
  context: ExecutionContext,
): Promise<TableSamples> {
  const largest = await largestValues(facts, executor, context);
  const { timeField } = buildTable(facts, { mapKeys: new Map(), largest }, options);
  const mapKeys = await sampleKeys(facts, timeField, executor, context);
  return { mapKeys, largest };
}

const tableOf = ({ database, name }: TableFacts): SelectNode['from'] => ({
  kind: 'table',
  database,
  table: name,
});

async function largestValues(
  facts: TableFacts,
  executor: Executor,
  context: ExecutionContext,
): Promise<ReadonlyMap<string, bigint>> {
  const names = facts.columns
    .filter(({ name, type }) => isTimeName(name) && isEpochType(parseColumnType(type)))
    .map(({ name }) => name);
  if (names.length === 0) return new Map();
  const row = await sampleRow(
    {
      columns: names.map((name, i) =>
        as(`c${String(i)}`, call('toString', aggregate('maxOrNull', column(name)))),
      ),
      from: tableOf(facts),
    },
    executor,
    context,
  );
  return new Map(
    names.flatMap((name, i) => {
      const cell = row?.[i];
      return typeof cell === 'string' ? [[name, BigInt(cell)] as const] : [];
    }),
  );
}

async function sampleKeys(
  facts: TableFacts,
  timeField: string | undefined,
  executor: Executor,
  context: ExecutionContext,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = facts.columns
    .filter(({ type, defaultKind }) => type.startsWith('Map(') && defaultKind !== 'EPHEMERAL')
    .map(({ name }) => name);
  if (names.length === 0) return new Map();
  const statement = (newestFirst: boolean): SelectNode => ({
    columns: names.map((_, i) => as(`k${String(i)}`, distinctKeys(`m${String(i)}`))),
    from: {
      kind: 'select',
      select: {
        columns: names.map((name, i) => as(`m${String(i)}`, call('mapKeys', column(name)))),
        from: tableOf(facts),
        ...(newestFirst && timeField !== undefined && { orderBy: [desc(column(timeField))] }),
        limit: sampledRows,
      },
    },
  });
  const row =
    (await sampleRow(statement(true), executor, context)) ??
    (await sampleRow(statement(false), executor, context));
  return new Map(names.map((name, i) => [name, keysIn(row?.[i])]));
}

/** Distinct keys as text, in order, so that a cut at the limit always cuts the same ones. */
const distinctKeys = (alias: string): Expr =>
  call('arraySort', {
    kind: 'aggregate',
    fn: 'groupUniqArrayArray',
    parameters: [param(keptKeys, 'UInt64')],
    args: [call('CAST', column(alias), param('Array(String)', 'String'))],
  });

const keysIn = (cell: Row[number] | undefined): readonly string[] =>
  Array.isArray(cell) ? (cell as readonly Cell[]).map(asText) : [];

/** The only row, or undefined where the user's limits did not let it be found. */
async function sampleRow(
  select: SelectNode,
  executor: Executor,
  context: ExecutionContext,
): Promise<Row | undefined> {
  try {
    return (await executor.rows(compileSelect(select), context)).rows[0];
  } catch (error) {
    if (error instanceof ElasticsearchError && isLimit(error)) return undefined;
    throw error;
  }
}

const isLimit = ({ type }: ElasticsearchError): boolean =>
  type === 'timeout_exception' ||
  type === 'circuit_breaking_exception' ||
  type === 'illegal_argument_exception';
