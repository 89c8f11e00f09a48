import { reduceArgument, scriptError, unsupported } from '../../common/errors/catalogue';
import { cast, negate, operate, ScriptFault } from './arithmetic';
import { callFunction } from './calls';
import type { ScriptExpr, ScriptStatement } from './nodes';
import { parseScript, type ScriptLang } from './parse';
import {
  isDoubles,
  isInt,
  isMap,
  isNumber,
  type ScriptMap,
  type ScriptValue,
  toDouble,
  typeName,
} from './values';

/** A script that can be run. */
export interface Script {
  readonly source: string;
  readonly lang: ScriptLang;
  readonly statements: readonly ScriptStatement[];
  /** What it gives; undefined where it ends without a value. Throws a 400 with Java's exception behind it. */
  run(scope: ScriptScope): ScriptValue | undefined;
  /** The error for a value of a type that its caller has no use for. */
  wrongResult(value: ScriptValue, wanted: string): Error;
}

/** What a script sees. */
export interface ScriptScope {
  readonly params: ScriptMap;
  /** The window of `moving_fn`. */
  readonly values?: readonly number[];
}

/** Reads a script. Refuses by name what is outside the subset that is run (parse.ts). */
export function compileScript(source: string, lang: ScriptLang): Script {
  const statements = parseScript(source, lang);
  return {
    source,
    lang,
    statements,
    run: (scope) => {
      if (lang === 'expression') checkVariables(statements, scope, source);
      return guarded(source, lang, () => new Evaluation(scope, lang).block(statements).value);
    },
    wrongResult: (value, wanted) => {
      // what comes out of params has no type before it runs
      const isDynamic = isNumber(value) && !isInt(value);
      const reason = isDynamic
        ? `cannot cast def [${typeName(value)}] to ${wanted}`
        : `Cannot cast from [${typeName(value)}] to [${wanted}].`;
      return scriptError(
        isDynamic ? 'runtime error' : 'compile error',
        { type: 'class_cast_exception', reason },
        { script: source, lang },
      );
    },
  };
}

function guarded<T>(script: string, lang: ScriptLang, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error;
    const { type, message: reason } = error;
    throw scriptError('runtime error', { type, reason }, { script, lang });
  }
}

/** An expression must use every parameter (Elasticsearch 7.17 `ExpressionScriptEngine`). */
function checkVariables(
  statements: readonly ScriptStatement[],
  { params }: ScriptScope,
  source: string,
): void {
  const names = new Set(source.match(/[A-Za-z_]\w*/g));
  const unused = [...params.keys()].find((name) => !names.has(name));
  if (unused === undefined || statements.length === 0) return;
  throw reduceArgument(
    `Error using ${source}. The variable [${unused}] does not exist in the executable expressions script.`,
  );
}

interface Outcome {
  readonly value: ScriptValue | undefined;
  readonly returned: boolean;
}

class Evaluation {
  readonly #scope: ScriptScope;
  readonly #lang: ScriptLang;

  constructor(scope: ScriptScope, lang: ScriptLang) {
    this.#scope = scope;
    this.#lang = lang;
  }

  /** The value of the last statement, or of the first `return`. */
  block(statements: readonly ScriptStatement[]): Outcome {
    let last: Outcome = { value: undefined, returned: false };
    for (const statement of statements) {
      last = this.#statement(statement);
      if (last.returned) break;
    }
    return last;
  }

  #statement(statement: ScriptStatement): Outcome {
    if (statement.kind === 'if')
      return this.block(this.#truth(statement.condition) ? statement.then : statement.otherwise);
    return { value: this.#value(statement.expr), returned: statement.kind === 'return' };
  }

  #truth(expr: ScriptExpr): boolean {
    const value = this.#value(expr);
    if (typeof value === 'boolean') return value;
    if (this.#lang === 'expression' && typeof value === 'number') return value !== 0;
    throw new ScriptFault(
      'class_cast_exception',
      `Cannot cast from [${typeName(value)}] to [boolean].`,
    );
  }

  /** Expressions have no booleans, but 1 and 0. */
  #flag(value: boolean): ScriptValue {
    return this.#lang === 'expression' ? Number(value) : value;
  }

  #value(expr: ScriptExpr): ScriptValue {
    switch (expr.kind) {
      case 'value':
        return expr.value;
      case 'name':
        return this.#name(expr.name);
      case 'member':
        return this.#member(expr.of, expr.name);
      case 'index':
        return this.#index(this.#value(expr.of), this.#value(expr.at));
      case 'call':
        return callFunction(
          expr.name,
          expr.args.map((arg) => this.#value(arg)),
          this.#lang,
        );
      case 'method':
        throw unsupported(`method [${expr.name}] in a script`);
      case 'cast':
        return cast(expr.type, this.#value(expr.of));
      case 'choice':
        return this.#value(this.#truth(expr.condition) ? expr.then : expr.otherwise);
      default:
        return this.#operation(expr);
    }
  }

  #operation(expr: Extract<ScriptExpr, { kind: 'unary' | 'binary' | 'logic' }>): ScriptValue {
    if (expr.kind === 'unary') {
      if (expr.operator === '!') return this.#flag(!this.#truth(expr.of));
      const value = this.#value(expr.of);
      return expr.operator === '-' ? negate(value) : negate(negate(value));
    }
    if (expr.kind === 'logic') {
      const left = this.#truth(expr.left);
      const isDecided = left === (expr.operator === '||');
      return this.#flag(isDecided ? left : this.#truth(expr.right));
    }
    const result = operate(expr.operator, this.#value(expr.left), this.#value(expr.right));
    return typeof result === 'boolean' ? this.#flag(result) : result;
  }

  #name(name: string): ScriptValue {
    const { params, values } = this.#scope;
    const known = this.#lang === 'expression' ? params.get(name) : undefined;
    if (known !== undefined && isNumber(known ?? null)) return toDouble(known as number);
    if (this.#lang === 'painless' && name === 'params') return params;
    if (this.#lang === 'painless' && name === 'values' && values) return values;
    throw unsupported(`[${name}] in a script`);
  }

  #member(of: ScriptExpr, name: string): ScriptValue {
    if (of.kind === 'name' && of.name === 'Double') return doubleConstant(name);
    const value = this.#value(of);
    if (isMap(value)) return value.get(name) ?? null;
    if (isDoubles(value) && name === 'length') return { int: value.length };
    throw unsupported(`[.${name}] in a script`);
  }

  #index(value: ScriptValue, at: ScriptValue): ScriptValue {
    if (isMap(value) && typeof at === 'string') return value.get(at) ?? null;
    const element = isDoubles(value) && isInt(at) ? value.at(at.int) : undefined;
    if (element === undefined) throw unsupported('an index of this kind in a script');
    return element;
  }
}

const constants: Readonly<Record<string, number>> = {
  NaN,
  POSITIVE_INFINITY: Infinity,
  NEGATIVE_INFINITY: -Infinity,
  MAX_VALUE: Number.MAX_VALUE,
  MIN_VALUE: Number.MIN_VALUE,
};

function doubleConstant(name: string): number {
  const found = constants[name];
  if (found === undefined) throw unsupported(`[Double.${name}] in a script`);
  return found;
}
