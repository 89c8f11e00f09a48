import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { Cell, ExecutionContext, Executor, Row } from '../execution/executor';
import { aggregate, and, as, asc, call, column, desc, eq, or, param } from '../sql/build';
import { compileSelect } from '../sql/compile';
import type { Expr, SelectNode } from '../sql/nodes';
import { type ColumnFacts, type TableFacts, type TableSamples, buildTable } from './build-table';
import { parseColumnType } from './column-type';
import { isEpochType, isTimeName } from './elasticsearch-type';
import {
  type SampledContent,
  contentOf,
  readKeys,
  readTypes,
  sampledContent,
} from './sampled-content';
import type { TimeFieldOptions } from './time-field';

/** A table's place. */
export interface TableName {
  readonly database: string;
  readonly name: string;
}

/** Rows in which keys of Maps and paths of JSON are looked for, newest first, and how many are kept per column. */
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
  const [visible] = localRows.map(toTableRow);
  const { sortingKey, partitionKey, samplingKey } = visible ?? found;
  const facts = { database, name, engine, sortingKey, partitionKey, samplingKey, columns };
  return visible && local ? { ...facts, localTable: local } : facts;
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
    sortingKey: withoutParentheses(asText(sortingKey)),
    partitionKey: asText(partitionKey),
    samplingKey: asText(samplingKey),
    engineFull: asText(engineFull),
  };
};

/** `ORDER BY (ts)` stands in `system.tables` with its parentheses (ClickHouse 26.7), `ORDER BY (host, ts)` without. */
const withoutParentheses = (key: string): string =>
  /^\((?:`(?:\\.|[^`\\])*`|\w+)\)$/s.test(key) ? key.slice(1, -1) : key;

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
 * Looks into the rows for what the structure does not tell: the keys of Map columns, the paths of JSON columns and the types
 * of Dynamic ones (in the newest 100,000 rows, at most 1,000 a column), and the largest values of integers whose name speaks of time.
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
  return { largest, ...(await sampleContent(facts, timeField, executor, context)) };
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

/** What the newest rows tell, by column. */
async function sampleContent(
  facts: TableFacts,
  timeField: string | undefined,
  executor: Executor,
  context: ExecutionContext,
): Promise<Omit<TableSamples, 'largest'>> {
  const looked = facts.columns.flatMap(({ name, type, defaultKind }) => {
    const parsed = parseColumnType(type);
    const content = defaultKind === 'EPHEMERAL' ? undefined : sampledContent(name, parsed);
    return content ? [{ name, content, expr: contentOf(name, parsed) }] : [];
  });
  if (looked.length === 0) return { mapKeys: new Map(), types: new Map() };
  const statement = (newestFirst: boolean): SelectNode => ({
    columns: looked.map((_, i) => as(`k${String(i)}`, distinct(`m${String(i)}`))),
    from: {
      kind: 'select',
      select: {
        columns: looked.map(({ expr }, i) => as(`m${String(i)}`, expr)),
        from: tableOf(facts),
        ...(newestFirst && timeField !== undefined && { orderBy: [desc(column(timeField))] }),
        limit: sampledRows,
      },
    },
  });
  const row =
    (await sampleRow(statement(true), executor, context)) ??
    (await sampleRow(statement(false), executor, context));
  const cells = looked.map(({ name, content }, i) => ({ name, content, cell: row?.[i] }));
  const of = (wanted: SampledContent) => cells.filter(({ content }) => content === wanted);
  return {
    mapKeys: new Map(of('keys').map(({ name, cell }) => [name, readKeys(cell)])),
    types: new Map(of('types').map(({ name, cell }) => [name, readTypes(cell)])),
  };
}

/** Distinct elements, in order, so that a cut at the limit always cuts the same ones. */
const distinct = (alias: string): Expr =>
  call('arraySort', {
    kind: 'aggregate',
    fn: 'groupUniqArrayArray',
    parameters: [param(keptKeys, 'UInt64')],
    args: [column(alias)],
  });

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
