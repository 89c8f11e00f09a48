import { unsupported } from '../../common/errors/catalogue';
import type { ScriptExpr, ScriptStatement } from '../scripts/nodes';

/**
 * The script of a runtime field as one that gives its value: `emit(x)` becomes `return x`, and a way without one gives null, for
 * no value. Refuses what could emit several.
 */
export function emittedValue(statements: readonly ScriptStatement[]): readonly ScriptStatement[] {
  const [first, ...rest] = statements;
  if (first === undefined) return [{ kind: 'return', expr: { kind: 'value', value: null } }];
  if (rest.length > 0) throw unsupported('several values of a runtime field');
  switch (first.kind) {
    case 'expression':
      return [{ kind: 'return', expr: emitted(first.expr) }];
    case 'if':
      return [
        {
          ...first,
          then: emittedValue(first.then),
          otherwise: emittedValue(first.otherwise),
        },
      ];
    case 'return':
      throw unsupported('[return] in the script of a runtime field');
  }
}

function emitted(expr: ScriptExpr): ScriptExpr {
  const [value, ...more] = expr.kind === 'call' && expr.name === 'emit' ? expr.args : [];
  const isNull = value?.kind === 'value' && value.value === null;
  if (value !== undefined && !isNull && more.length === 0) return value;
  throw unsupported('a statement other than [emit] of one value in the script of a runtime field');
}
