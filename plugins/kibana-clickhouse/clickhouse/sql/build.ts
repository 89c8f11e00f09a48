import type { BinaryOperator, Expr, OrderBy, SelectColumn, SelectNode, SqlValue } from './nodes';

export const column = (name: string): Expr => ({ kind: 'column', name });
export const subcolumn = (name: string, path: readonly string[]): Expr => ({
  kind: 'subcolumn',
  name,
  path,
});
export const param = (value: SqlValue, type: string): Expr => ({ kind: 'param', value, type });
export const integer = (value: number): Expr => ({ kind: 'integer', value });
export const literals = (values: readonly SqlValue[], type: string): Expr => ({
  kind: 'literals',
  values,
  type,
});
export const call = (fn: string, ...args: readonly Expr[]): Expr => ({ kind: 'call', fn, args });
export const aggregate = (fn: string, ...args: readonly Expr[]): Expr => ({
  kind: 'aggregate',
  fn,
  args,
});
export const binary = (operator: BinaryOperator, left: Expr, right: Expr): Expr => ({
  kind: 'binary',
  operator,
  left,
  right,
});
export const eq = (left: Expr, right: Expr): Expr => binary('=', left, right);
/** All terms hold; of none, true. Nested conjunctions are flattened. */
export const and = (terms: readonly Expr[]): Expr => junction('and', terms);
/** One term holds; of none, false. Nested disjunctions are flattened. */
export const or = (terms: readonly Expr[]): Expr => junction('or', terms);
/** True where `term` is false or NULL. */
export const not = (term: Expr): Expr => ({ kind: 'not', term });
export const tuple = (items: readonly Expr[]): Expr => ({ kind: 'tuple', items });
export const array = (items: readonly Expr[]): Expr => ({ kind: 'array', items });
export const lambda = (argument: string, body: Expr): Expr => ({ kind: 'lambda', argument, body });
export const over = (
  windowCall: Expr,
  window: { readonly partitionBy?: readonly Expr[]; readonly orderBy?: readonly OrderBy[] },
): Expr => ({
  kind: 'window',
  call: windowCall,
  partitionBy: window.partitionBy ?? [],
  orderBy: window.orderBy ?? [],
});
export const subquery = (select: SelectNode): Expr => ({ kind: 'subquery', select });
export const alwaysTrue: Expr = { kind: 'and', terms: [] };
export const alwaysFalse: Expr = { kind: 'or', terms: [] };
export const isAlwaysTrue = (expr: Expr): boolean => expr.kind === 'and' && expr.terms.length === 0;
export const isAlwaysFalse = (expr: Expr): boolean => expr.kind === 'or' && expr.terms.length === 0;

export const as = (alias: string, expr: Expr): SelectColumn => ({ expr, alias });
export const asc = (expr: Expr): OrderBy => ({ expr, direction: 'ASC' });
export const desc = (expr: Expr): OrderBy => ({ expr, direction: 'DESC' });

/** Adds a condition to an aggregate function: it sees only the rows where the condition holds. */
export function filtered(expr: Expr, condition: Expr): Expr {
  if (isAlwaysTrue(condition)) return expr;
  if (expr.kind === 'aggregate')
    return { ...expr, filter: expr.filter ? and([expr.filter, condition]) : condition };
  if (expr.kind === 'call')
    return { ...expr, args: expr.args.map((arg) => filtered(arg, condition)) };
  if (expr.kind === 'binary')
    return {
      ...expr,
      left: filtered(expr.left, condition),
      right: filtered(expr.right, condition),
    };
  if (expr.kind === 'array' || expr.kind === 'tuple')
    return { ...expr, items: expr.items.map((item) => filtered(item, condition)) };
  return expr;
}

function junction(kind: 'and' | 'or', terms: readonly Expr[]): Expr {
  const flat = terms.flatMap((term) => (term.kind === kind ? term.terms : [term]));
  const [only] = flat;
  return flat.length === 1 && only ? only : { kind, terms: flat };
}
