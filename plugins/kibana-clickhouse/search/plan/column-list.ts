import { aggregate, column } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';

/** The aggregate columns of a statement and what their functions read of a row. */
export interface ColumnList {
  /** Expressions of the table, by position; the statement's subquery names them `argumentName(i)`. */
  readonly arguments: readonly Expr[];
  /** Aggregates over those names, each once, by position. */
  readonly aggregates: readonly Expr[];
  /** Position of an aggregate as its aggregation wrote it. Throws when the list does not have it. */
  position(wanted: Expr): number;
}

export const argumentName = (index: number): string => `arg_${String(index)}`;

/** Lists aggregates: equal ones once, however many aggregations ask for them. */
export function columnList(wanted: readonly Expr[]): ColumnList {
  const args = new Map<string, Expr>();
  const positions = new Map<string, number>();
  const aggregates: Expr[] = [];
  const argument = (expr: Expr): Expr => {
    const spelling = spell(expr);
    args.set(spelling, args.get(spelling) ?? expr);
    return column(argumentName([...args.keys()].indexOf(spelling)));
  };
  for (const expr of wanted) {
    const spelling = spell(expr);
    if (positions.has(spelling)) continue;
    positions.set(spelling, aggregates.length);
    aggregates.push(overArguments(expr, argument));
  }
  return {
    arguments: [...args.values()],
    aggregates,
    position: (expr) => {
      const position = positions.get(spell(expr));
      if (position === undefined) throw new TypeError('a column that no aggregation asked for');
      return position;
    },
  };
}

/** Replaces what aggregate functions read by the names of the subquery below. */
function overArguments(expr: Expr, argument: (expr: Expr) => Expr): Expr {
  const inside = (inner: Expr): Expr => overArguments(inner, argument);
  switch (expr.kind) {
    case 'aggregate':
      return {
        ...aggregate(expr.fn, ...expr.args.map(argument)),
        ...(expr.parameters && { parameters: expr.parameters }),
        ...(expr.filter && { filter: argument(expr.filter) }),
      };
    case 'call':
      return { ...expr, args: expr.args.map(inside) };
    case 'binary':
      return { ...expr, left: inside(expr.left), right: inside(expr.right) };
    case 'tuple':
    case 'array':
      return { ...expr, items: expr.items.map(inside) };
    default:
      return expr;
  }
}

/** One text for equal expressions: JSON knows neither bigint nor nan, infinities and -0. */
const spell = (expr: Expr): string =>
  JSON.stringify(expr, (_key, value: unknown) => {
    if (typeof value === 'bigint') return `${String(value)}n`;
    if (typeof value !== 'number') return value;
    if (Object.is(value, -0)) return '-0';
    return Number.isFinite(value) ? value : String(value);
  });
