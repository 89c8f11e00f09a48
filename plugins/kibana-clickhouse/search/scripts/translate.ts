import type { Field } from '../../clickhouse/catalog/table';
import {
  alwaysFalse,
  alwaysTrue,
  and,
  call,
  isAlwaysFalse,
  isAlwaysTrue,
  or,
} from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { unsupported } from '../../common/errors/catalogue';
import {
  countOfField,
  fieldContains,
  isFieldEmpty,
  readableField,
  valueOfField,
} from './document-values';
import { degreesOf, pointOf } from './points';
import type { ScriptExpr, ScriptStatement } from './nodes';
import { asBoolean, constant, ofType, type TypedExpr } from './typed-expr';
import { callMath, methodOf, propertyOf } from './typed-methods';
import { castTyped, chooseTyped, negateTyped, operateTyped } from './typed-operations';
import type { ScriptMap } from './values';

/** What a script over documents sees. */
export interface DocumentScope {
  readonly params: ScriptMap;
  readonly field: (name: string) => Field | undefined;
}

/**
 * A painless script over the values of documents as SQL (Elasticsearch 7.17: `doc['a'].value`, `.empty`, `.size()`, `params`,
 * arithmetic, comparisons, conditions, parts of dates, methods of strings, `Math`). All types are known before it runs; what
 * it cannot say is refused by name. Where a document has no value that the script reads, the result is NULL: Elasticsearch
 * fails there.
 */
export const translateScript = (
  statements: readonly ScriptStatement[],
  scope: DocumentScope,
): TypedExpr => new Translation(scope).block(statements);

class Translation {
  readonly #scope: DocumentScope;

  constructor(scope: DocumentScope) {
    this.#scope = scope;
  }

  block(statements: readonly ScriptStatement[]): TypedExpr {
    const [first, ...rest] = statements;
    if (first === undefined) throw unsupported('a script that ends without a value');
    if (first.kind !== 'if') return this.#value(first.expr);
    const condition = asBoolean(this.#value(first.condition));
    const otherwise = first.otherwise.length > 0 ? first.otherwise : rest;
    return this.#choose(
      condition,
      () => this.block(first.then),
      () => this.block(otherwise),
    );
  }

  /** What is never reached is not read: it may name a field that is not there. */
  #choose(condition: Expr, then: () => TypedExpr, otherwise: () => TypedExpr): TypedExpr {
    if (isAlwaysTrue(condition)) return then();
    if (isAlwaysFalse(condition)) return otherwise();
    return chooseTyped(condition, then(), otherwise());
  }

  #value(expr: ScriptExpr): TypedExpr {
    switch (expr.kind) {
      case 'value':
        return constant(expr.value);
      case 'name':
        throw unsupported(`[${expr.name}] in a script`);
      case 'member':
        return this.#member(expr.of, expr.name);
      case 'index':
        return this.#index(expr.of, expr.at);
      case 'call':
        return callMath(
          expr.name,
          expr.args.map((arg) => this.#value(arg)),
        );
      case 'method':
        return this.#method(expr);
      case 'cast':
        return castTyped(expr.type, this.#value(expr.of));
      default:
        return this.#operation(expr);
    }
  }

  #operation(
    expr: Extract<ScriptExpr, { kind: 'unary' | 'binary' | 'logic' | 'choice' }>,
  ): TypedExpr {
    switch (expr.kind) {
      case 'unary': {
        const value = this.#value(expr.of);
        if (expr.operator === '!') return ofType('boolean', opposite(asBoolean(value)));
        return expr.operator === '-' ? negateTyped(value) : negateTyped(negateTyped(value));
      }
      case 'logic': {
        const left = asBoolean(this.#value(expr.left));
        const decided = expr.operator === '&&' ? isAlwaysFalse(left) : isAlwaysTrue(left);
        // what decides alone keeps the other from being read
        if (decided) return ofType('boolean', left);
        const terms = [left, asBoolean(this.#value(expr.right))];
        return ofType('boolean', expr.operator === '&&' ? and(terms) : or(terms));
      }
      case 'binary':
        return operateTyped(expr.operator, this.#value(expr.left), this.#value(expr.right));
      case 'choice':
        return this.#choose(
          asBoolean(this.#value(expr.condition)),
          () => this.#value(expr.then),
          () => this.#value(expr.otherwise),
        );
    }
  }

  /** The field of `doc['name']` and `doc.name`; undefined for what is none. */
  #field(expr: ScriptExpr): Field | undefined {
    const isDoc =
      (expr.kind === 'index' || expr.kind === 'member') &&
      expr.of.kind === 'name' &&
      expr.of.name === 'doc';
    if (!isDoc) return undefined;
    if (expr.kind === 'member') return this.#fieldOf(expr.name);
    const { at } = expr;
    if (at.kind !== 'value' || typeof at.value !== 'string')
      throw unsupported('a field of doc whose name is no literal in a script');
    return this.#fieldOf(at.value);
  }

  #fieldOf(name: string): Field {
    return readableField(name, this.#scope.field(name));
  }

  #member(of: ScriptExpr, name: string): TypedExpr {
    if (of.kind === 'name' && of.name === 'params') return this.#parameter(name);
    const field = this.#field(of);
    if (field === undefined) return propertyOf(this.#value(of), name);
    switch (name) {
      case 'value':
        return valueOfField(field);
      case 'empty':
        return isFieldEmpty(field);
      case 'length':
        return countOfField(field);
      default:
        return ofPoint(field, name) ?? unknownProperty(name);
    }
  }

  #index(of: ScriptExpr, at: ScriptExpr): TypedExpr {
    if (
      of.kind === 'name' &&
      of.name === 'params' &&
      at.kind === 'value' &&
      typeof at.value === 'string'
    )
      return this.#parameter(at.value);
    throw unsupported('an index of this kind in a script');
  }

  #parameter(name: string): TypedExpr {
    return constant(this.#scope.params.get(name) ?? null);
  }

  #containsKey([key]: readonly ScriptExpr[]): TypedExpr {
    if (key?.kind !== 'value' || typeof key.value !== 'string')
      throw unsupported('a field of doc whose name is no literal in a script');
    const isThere = this.#scope.field(key.value) !== undefined;
    return ofType('boolean', isThere ? alwaysTrue : alwaysFalse);
  }

  #method({ of, name, args }: Extract<ScriptExpr, { kind: 'method' }>): TypedExpr {
    if (of.kind === 'name' && of.name === 'doc' && name === 'containsKey')
      return this.#containsKey(args);
    const field = this.#field(of);
    const values = args.map((arg) => this.#value(arg));
    return field ? methodOfField(field, name, values) : methodOf(this.#value(of), name, values);
  }
}

/** `doc['location'].lat`, the same of its value. */
const ofPoint = (field: Field, name: string): TypedExpr | undefined =>
  field.type === 'geo_point' ? degreesOf(pointOf(field), name) : undefined;

function unknownProperty(name: string): never {
  throw unsupported(`[.${name}] of a field in a script`);
}

function opposite(condition: Expr): Expr {
  if (isAlwaysTrue(condition)) return alwaysFalse;
  return isAlwaysFalse(condition) ? alwaysTrue : call('not', condition);
}

function methodOfField(field: Field, name: string, args: readonly TypedExpr[]): TypedExpr {
  const [first, ...more] = args;
  if (first !== undefined) {
    if (name === 'contains' && more.length === 0) return fieldContains(field, first);
  } else if (name === 'size') return countOfField(field);
  else if (name === 'isEmpty') return isFieldEmpty(field);
  else if (name === 'getValue') return valueOfField(field);
  else {
    const degrees = ofPoint(
      field,
      name.replace(/^get([A-Z])/, (_, letter: string) => letter.toLowerCase()),
    );
    if (degrees) return degrees;
  }
  throw unsupported(`method [${name}] of a field in a script`);
}
