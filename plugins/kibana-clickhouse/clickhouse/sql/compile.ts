import { and, isAlwaysTrue, or } from './build';
import { identifier, literal } from './literal';
import type { BinaryOperator, Expr, OrderBy, SelectNode, Source, SqlValue } from './nodes';

/** What ClickHouse runs: text with `{p0:Type}` placeholders, and the values that belong there. */
export interface CompiledStatement {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, SqlValue>>;
  /** The tree it was made of, for the other printings. */
  readonly select: SelectNode;
}

/** How a value leaves the compiler; the only difference between the printings. */
type WriteValue = (value: SqlValue, type: string) => string;

/** Renders a SELECT for ClickHouse: every value of a request leaves as a bound parameter. */
export function compileSelect(select: SelectNode): CompiledStatement {
  const parameters: Record<string, SqlValue> = {};
  let count = 0;
  const bind: WriteValue = (value, type) => {
    const name = `p${String(count)}`;
    count += 1;
    parameters[name] = value;
    return `{${name}:${type}}`;
  };
  return { sql: writeSelect(select, bind), parameters, select };
}

/** The statement as a person reads it: values in their places. Runs as it stands, too. */
export const readableText = (select: SelectNode): string => writeSelect(select, writeLiteral);

/** The statement with every value as a typed literal: runs as `compileSelect`'s does, without parameters. */
export const typedText = (select: SelectNode): string => writeSelect(select, writeTyped);

/** Equal for statements that give equal answers as long as the data stays: a cache key. */
export const cacheKey = (select: SelectNode): string => writeSelect(select, writeTyped);

const FINGERPRINT_VERSION = 'v1';

/** What a search is about: the table and the condition, the time range left out. */
export type Subject = Pick<SelectNode, 'from' | 'where'>;

/**
 * Table and WHERE condition without the time range, in one spelling whatever the order, nesting and
 * repetition of the conditions: what the query blacklist and the monitor know a query by. `v1` changes
 * with the spelling, because entries of the blacklist are copies of it.
 */
export function fingerprint(subject: Subject): string {
  const { from, where } = innermost(subject);
  if (from.kind !== 'table') throw new TypeError('a statement reads a table');
  const table = `${FINGERPRINT_VERSION} ${identifier(from.database)}.${identifier(from.table)}`;
  const condition = where && canonical(where);
  if (condition === undefined || isAlwaysTrue(condition)) return table;
  return `${table} WHERE ${writeExpr(condition, writeLiteral)}`;
}

/** Whether a text is one that `fingerprint` could write: its version, a table, and then a condition or nothing. */
export const isFingerprint = (text: string): boolean => FINGERPRINT.test(text);

const FINGERPRINT = new RegExp(
  `^${FINGERPRINT_VERSION} \`(?:[^\`\\\\]|\\\\.)+\`\\.\`(?:[^\`\\\\]|\\\\.)+\`(?: WHERE \\S[^]*)?$`,
);

const writeLiteral: WriteValue = (value) => literal(value);
const writeTyped: WriteValue = (value, type) => `${literal(value)}::${type}`;

function innermost({ from, where }: Subject): Subject {
  if (from.kind === 'table') return { from, ...(where && { where }) };
  const inner =
    from.kind === 'select' ? from.select : from.kind === 'join' ? from.left : from.selects[0];
  if (inner === undefined) throw new TypeError('a union has a first statement');
  return innermost(inner);
}

/** Which part of its table's rows a statement reads: 1 where it reads all. */
export function sampleOf({ from }: Pick<SelectNode, 'from'>): number {
  switch (from.kind) {
    case 'table':
      return from.sample ?? 1;
    case 'select':
      return sampleOf(from.select);
    case 'union':
      return Math.min(...from.selects.map(sampleOf));
    case 'join':
      return sampleOf(from.left);
  }
}

function canonical(expr: Expr): Expr {
  if (expr.kind === 'not') return { ...expr, term: canonical(expr.term) };
  if (expr.kind === 'binary') return { ...expr, right: canonicalList(expr.operator, expr.right) };
  if (expr.kind !== 'and' && expr.kind !== 'or') return expr;
  const join = expr.kind === 'and' ? and : or;
  const joined = join(expr.terms.map(canonical));
  // of one term, or of none that says anything
  if (joined.kind !== expr.kind) return joined;
  return join(inOrder(joined.terms, (term) => writeExpr(term, writeLiteral)));
}

/** The list of an IN says the same in any order. */
function canonicalList(operator: BinaryOperator, right: Expr): Expr {
  if (operator !== 'IN') return right;
  if (right.kind === 'literals')
    return { ...right, values: inOrder(right.values, (value) => literal(value)) };
  if (right.kind !== 'tuple' && right.kind !== 'array') return right;
  return { ...right, items: inOrder(right.items, (item) => writeExpr(item, writeLiteral)) };
}

/** By their texts, each once. */
const inOrder = <T>(items: readonly T[], spell: (item: T) => string): readonly T[] =>
  spelledInOrder(new Map(items.map((item) => [spell(item), item])));

const spelledInOrder = <T>(bySpelling: ReadonlyMap<string, T>): readonly T[] =>
  [...bySpelling.keys()].sort().map((spelling) => bySpelling.get(spelling) as T);

function writeSelect(select: SelectNode, write: WriteValue): string {
  const expr = (node: Expr): string => writeExpr(node, write);
  const list = (nodes: readonly Expr[]): string => nodes.map(expr).join(', ');
  const conditions = [select.timeRange, select.where].filter((term) => term !== undefined);
  const columns = select.columns.map(({ expr: e, alias }) => `${expr(e)} AS ${identifier(alias)}`);
  const clauses = [
    select.explain && 'EXPLAIN ESTIMATE',
    `SELECT ${columns.join(', ')}`,
    `FROM ${writeSource(select.from, write)}`,
    conditions.length > 0 && `WHERE ${conditions.map(expr).join(' AND ')}`,
    select.groupBy && `GROUP BY ${writeGroupBy(select.groupBy, list)}`,
    select.having && `HAVING ${expr(select.having)}`,
    select.orderBy?.length && `ORDER BY ${writeOrderBy(select.orderBy, write)}`,
    select.limitBy &&
      `LIMIT ${write(select.limitBy.limit, 'UInt64')} BY ${list(select.limitBy.by)}`,
    select.limit !== undefined && `LIMIT ${write(select.limit, 'UInt64')}`,
    select.offset !== undefined && `OFFSET ${write(select.offset, 'UInt64')}`,
  ];
  return clauses.filter((clause) => typeof clause === 'string').join('\n');
}

function writeGroupBy(
  groupBy: NonNullable<SelectNode['groupBy']>,
  list: (nodes: readonly Expr[]) => string,
): string {
  if (groupBy.kind === 'keys') return list(groupBy.keys);
  return `GROUPING SETS (${groupBy.sets.map((set) => `(${list(set)})`).join(', ')})`;
}

const writeOrderBy = (orderBy: readonly OrderBy[], write: WriteValue): string =>
  orderBy
    .map(
      ({ expr, direction, nulls }) =>
        `${writeExpr(expr, write)} ${direction}${nulls ? ` NULLS ${nulls}` : ''}`,
    )
    .join(', ');

function writeSource(source: Source, write: WriteValue): string {
  switch (source.kind) {
    case 'table':
      return `${identifier(source.database)}.${identifier(source.table)}${writeSample(source.sample)}`;
    case 'select':
      return `(\n${writeSelect(source.select, write)}\n)`;
    case 'union':
      return `(\n${source.selects.map((select) => writeSelect(select, write)).join('\nUNION ALL\n')}\n)`;
    case 'join':
      return `(\n${writeSelect(source.left, write)}\n) AS ${identifier('left')}\nLEFT ANY JOIN (\n${writeSelect(source.right, write)}\n) AS ${identifier('right')} USING (${identifier(source.using)})`;
  }
}

/** SAMPLE takes a number of the statement itself, no parameter. */
function writeSample(rate: number | undefined): string {
  if (rate === undefined) return '';
  if (!(rate > 0 && rate <= 1)) throw new TypeError('a sample is a part of the rows');
  return ` SAMPLE ${rate.toFixed(5)}`;
}

/** Each kind of expression in its own writer: a new kind does not compile until it has one. */
type Writers = {
  readonly [K in Expr['kind']]: (
    node: Extract<Expr, { readonly kind: K }>,
    write: WriteValue,
  ) => string;
};

const list = (nodes: readonly Expr[], write: WriteValue): string =>
  nodes.map((node) => writeExpr(node, write)).join(', ');

const writers: Writers = {
  column: ({ name }) => identifier(name),
  subcolumn: ({ name, path }) => [name, ...path].map(identifier).join('.'),
  param: ({ value, type }, write) => write(value, type),
  integer: ({ value }) => safeInteger(value),
  // for a machine one literal of an array: ClickHouse takes six times as long for as many of its elements
  literals: ({ values, type }, write) =>
    write === writeLiteral
      ? `(${values.map(literal).join(', ')})`
      : writeTyped(values, `Array(${type})`),
  call: ({ fn, parameters, args }, write) =>
    `${functionName(fn)}${writeParameters(parameters, write)}(${list(args, write)})`,
  aggregate: ({ fn, parameters, args, filter }, write) =>
    `${functionName(filter ? `${fn}If` : fn)}${writeParameters(parameters, write)}(${list(filter ? [...args, filter] : args, write)})`,
  binary: ({ operator, left, right }, write) =>
    `(${writeExpr(left, write)} ${operator} ${writeExpr(right, write)})`,
  and: ({ terms }, write) => writeJunction(terms, 'AND', write),
  or: ({ terms }, write) => writeJunction(terms, 'OR', write),
  // NULL is "no match" in Elasticsearch, so its negation is a match
  not: ({ term }, write) => `(NOT ifNull(${writeExpr(term, write)}, false))`,
  array: ({ items }, write) => `[${list(items, write)}]`,
  tuple: ({ items }, write) => `tuple(${list(items, write)})`,
  lambda: ({ argument, body }, write) => `(${identifier(argument)} -> ${writeExpr(body, write)})`,
  window: ({ call, partitionBy, orderBy }, write) => {
    const frame = [
      partitionBy.length > 0 && `PARTITION BY ${list(partitionBy, write)}`,
      orderBy.length > 0 && `ORDER BY ${writeOrderBy(orderBy, write)}`,
    ].filter((part) => typeof part === 'string');
    return `${writeExpr(call, write)} OVER (${frame.join(' ')})`;
  },
  subquery: ({ select }, write) => `(${writeSelect(select, write)})`,
};

function writeExpr(node: Expr, write: WriteValue): string {
  const writer = writers[node.kind] as (node: Expr, write: WriteValue) => string;
  return writer(node, write);
}

function writeJunction(terms: readonly Expr[], word: 'AND' | 'OR', write: WriteValue): string {
  if (terms.length === 0) return word === 'AND' ? 'true' : 'false';
  return `(${terms.map((term) => writeExpr(term, write)).join(` ${word} `)})`;
}

const writeParameters = (parameters: readonly Expr[] | undefined, write: WriteValue): string =>
  parameters && parameters.length > 0 ? `(${list(parameters, write)})` : '';

/** Function names come from our own source: anything else is a fault of ours, not of a request. */
function functionName(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new TypeError(`no function name: ${name}`);
  return name;
}

function safeInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError('an integer of the shape is exact');
  return String(value);
}
