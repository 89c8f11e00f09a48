import type { ScriptExpr, ScriptStatement } from './nodes';

/** The names that a script reads and calls: of `Math.max(a, doc['b'].value)` they are `Math.max`, `a` and `doc`. */
export const freeNames = (statements: readonly ScriptStatement[]): readonly string[] =>
  statements.flatMap((statement) =>
    statement.kind === 'if'
      ? [
          ...namesIn(statement.condition),
          ...freeNames(statement.then),
          ...freeNames(statement.otherwise),
        ]
      : namesIn(statement.expr),
  );

function namesIn(expr: ScriptExpr): readonly string[] {
  switch (expr.kind) {
    case 'value':
      return [];
    case 'name':
      return [expr.name];
    case 'call':
      return [expr.name, ...expr.args.flatMap(namesIn)];
    case 'method':
      return [...namesIn(expr.of), ...expr.args.flatMap(namesIn)];
    case 'index':
      return [...namesIn(expr.of), ...namesIn(expr.at)];
    case 'binary':
    case 'logic':
      return [...namesIn(expr.left), ...namesIn(expr.right)];
    case 'choice':
      return [expr.condition, expr.then, expr.otherwise].flatMap(namesIn);
    default:
      return namesIn(expr.of);
  }
}
