import type { ScriptValue } from './values';

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>=' | '==' | '!=';
export type CastType = 'int' | 'long' | 'double';

/** An expression of a script. */
export type ScriptExpr =
  | { readonly kind: 'value'; readonly value: ScriptValue }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly of: ScriptExpr; readonly name: string }
  | { readonly kind: 'index'; readonly of: ScriptExpr; readonly at: ScriptExpr }
  /** A method of a value: only where documents are read. */
  | {
      readonly kind: 'method';
      readonly of: ScriptExpr;
      readonly name: string;
      readonly args: readonly ScriptExpr[];
    }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly ScriptExpr[] }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | '!'; readonly of: ScriptExpr }
  | { readonly kind: 'cast'; readonly type: CastType; readonly of: ScriptExpr }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: ScriptExpr;
      readonly right: ScriptExpr;
    }
  | {
      readonly kind: 'logic';
      readonly operator: '&&' | '||';
      readonly left: ScriptExpr;
      readonly right: ScriptExpr;
    }
  | {
      readonly kind: 'choice';
      readonly condition: ScriptExpr;
      readonly then: ScriptExpr;
      readonly otherwise: ScriptExpr;
    };

/** A statement of a script. */
export type ScriptStatement =
  | { readonly kind: 'expression'; readonly expr: ScriptExpr }
  | { readonly kind: 'return'; readonly expr: ScriptExpr }
  | {
      readonly kind: 'if';
      readonly condition: ScriptExpr;
      readonly then: readonly ScriptStatement[];
      readonly otherwise: readonly ScriptStatement[];
    };
