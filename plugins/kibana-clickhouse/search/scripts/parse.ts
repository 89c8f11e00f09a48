import { unsupported } from '../../common/errors/catalogue';
import type { BinaryOperator, CastType, ScriptExpr, ScriptStatement } from './nodes';
import { type ScriptToken, scriptTokens } from './tokens';
import type { ScriptNumber } from './values';

/** `painless` of Elasticsearch, or the `expression` of Lucene, in which all numbers are doubles. */
export type ScriptLang = 'painless' | 'expression';

/** Whether a script may call methods of values, as those that read documents do. */
export type Methods = 'read' | 'refused';

/**
 * The statements of a script: arithmetic, comparisons, conditions, `if`, `return`, `params`, calls. Refuses all else by name:
 * loops, variables, and by default methods of objects.
 */
export const parseScript = (
  source: string,
  lang: ScriptLang,
  methods: Methods = 'refused',
): readonly ScriptStatement[] => new ScriptParser(scriptTokens(source), lang, methods).script();

const levels: readonly (readonly BinaryOperator[])[] = [
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

const casts: readonly CastType[] = ['int', 'long', 'double'];
const refusedWords: ReadonlySet<string> = new Set(
  'for while do def int long double float boolean byte short char String try catch throw new instanceof function in var Map List'.split(
    ' ',
  ),
);

const deepest = 100;

class ScriptParser {
  readonly #tokens: readonly ScriptToken[];
  readonly #lang: ScriptLang;
  readonly #methods: Methods;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly ScriptToken[], lang: ScriptLang, methods: Methods) {
    this.#tokens = tokens;
    this.#lang = lang;
    this.#methods = methods;
  }

  script(): readonly ScriptStatement[] {
    if (this.#lang === 'expression') {
      const expr = this.#expression();
      if (this.#next.kind !== 'end') throw this.#refusal();
      return [{ kind: 'expression', expr }];
    }
    return this.#statements(() => this.#next.kind === 'end');
  }

  get #next(): ScriptToken {
    return this.#tokens[this.#at] ?? { kind: 'end', text: 'the end' };
  }

  #refusal(): Error {
    return unsupported(`[${this.#next.text}] at this place of a script`);
  }

  #take(text: string): boolean {
    const { kind, text: found } = this.#next;
    if (found !== text || kind === 'text' || kind === 'end') return false;
    this.#at += 1;
    return true;
  }

  #need(text: string): void {
    if (!this.#take(text)) throw this.#refusal();
  }

  #statements(isEnd: () => boolean): readonly ScriptStatement[] {
    const statements: ScriptStatement[] = [];
    while (!isEnd()) {
      if (this.#take(';')) continue;
      // a value that nothing takes is none of Java's statements
      if (statements.at(-1) !== undefined && statements.at(-1)?.kind !== 'if')
        throw this.#refusal();
      statements.push(this.#statement());
    }
    return statements;
  }

  #statement(): ScriptStatement {
    if (this.#take('if')) return this.#nested(() => this.#condition());
    const isReturn = this.#take('return');
    const expr = this.#expression();
    const { kind, text } = this.#next;
    if (kind !== 'end' && text !== ';' && text !== '}') throw this.#refusal();
    return { kind: isReturn ? 'return' : 'expression', expr };
  }

  #condition(): ScriptStatement {
    this.#need('(');
    const condition = this.#expression();
    this.#need(')');
    const then = this.#block();
    const otherwise = this.#take('else') ? this.#block() : [];
    return { kind: 'if', condition, then, otherwise };
  }

  #block(): readonly ScriptStatement[] {
    if (this.#take('{')) {
      const statements = this.#statements(
        () => this.#next.text === '}' || this.#next.kind === 'end',
      );
      this.#need('}');
      return statements;
    }
    const statement = this.#statement();
    this.#take(';');
    return [statement];
  }

  #nested<T>(parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) throw unsupported('a script nested this deep');
    const parsed = parse();
    this.#depth -= 1;
    return parsed;
  }

  #expression(): ScriptExpr {
    return this.#nested(() => {
      const condition = this.#logic('||');
      if (!this.#take('?')) return condition;
      const then = this.#expression();
      this.#need(':');
      return { kind: 'choice', condition, then, otherwise: this.#expression() };
    });
  }

  #logic(operator: '&&' | '||'): ScriptExpr {
    const operand = (): ScriptExpr => (operator === '||' ? this.#logic('&&') : this.#binary(0));
    let left = operand();
    while (this.#take(operator)) left = { kind: 'logic', operator, left, right: operand() };
    return left;
  }

  #binary(level: number): ScriptExpr {
    const operators = levels[level];
    if (!operators) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = operators.find((candidate) => this.#take(candidate));
      if (operator === undefined) return left;
      left = { kind: 'binary', operator, left, right: this.#binary(level + 1) };
    }
  }

  #unary(): ScriptExpr {
    for (const operator of ['-', '+', '!'] as const)
      if (this.#take(operator))
        return this.#nested(() => ({ kind: 'unary', operator, of: this.#unary() }));
    const type = this.#castType();
    if (type !== undefined) return this.#nested(() => ({ kind: 'cast', type, of: this.#unary() }));
    return this.#postfix(this.#primary());
  }

  #castType(): CastType | undefined {
    const [open, word, close] = this.#tokens.slice(this.#at, this.#at + 3);
    const type = casts.find((name) => name === word?.text);
    if (open?.text !== '(' || close?.text !== ')' || type === undefined) return undefined;
    this.#at += 3;
    return type;
  }

  #postfix(start: ScriptExpr): ScriptExpr {
    let expr = start;
    for (;;) {
      if (this.#take('.')) expr = this.#member(expr);
      else if (this.#take('[')) {
        expr = { kind: 'index', of: expr, at: this.#expression() };
        this.#need(']');
      } else return expr;
    }
  }

  #member(of: ScriptExpr): ScriptExpr {
    const name = this.#name();
    if (!this.#take('(')) return { kind: 'member', of, name };
    const isOfValue = of.kind !== 'name' || of.name === 'doc';
    if (isOfValue && this.#methods === 'read')
      return { kind: 'method', of, name, args: this.#arguments() };
    if (of.kind !== 'name') throw unsupported(`method [${name}] in a script`);
    return { kind: 'call', name: `${of.name}.${name}`, args: this.#arguments() };
  }

  #arguments(): readonly ScriptExpr[] {
    const args: ScriptExpr[] = [];
    if (this.#take(')')) return args;
    do args.push(this.#expression());
    while (this.#take(','));
    this.#need(')');
    return args;
  }

  #name(): string {
    const { kind, text } = this.#next;
    if (kind !== 'name') throw this.#refusal();
    this.#at += 1;
    return text;
  }

  #primary(): ScriptExpr {
    const { kind, text } = this.#next;
    if (this.#take('(')) {
      const inner = this.#expression();
      this.#need(')');
      return inner;
    }
    if (kind === 'number') {
      this.#at += 1;
      return { kind: 'value', value: literal(text, this.#lang) };
    }
    if (kind === 'text' && this.#lang === 'painless') {
      this.#at += 1;
      return { kind: 'value', value: text };
    }
    return this.#word();
  }

  #word(): ScriptExpr {
    const name = this.#name();
    if (this.#lang === 'painless') {
      if (refusedWords.has(name)) throw unsupported(`[${name}] in a script`);
      if (name === 'null') return { kind: 'value', value: null };
      if (name === 'true' || name === 'false') return { kind: 'value', value: name === 'true' };
    }
    return this.#take('(')
      ? { kind: 'call', name, args: this.#arguments() }
      : { kind: 'name', name };
  }
}

function literal(text: string, lang: ScriptLang): ScriptNumber {
  if (/[fF]$/.test(text)) throw unsupported(`number [${text}] in a script`);
  const digits = text.replace(/[lLdD]$/, '');
  const isFraction = /[.eE]/.test(digits) || /[dD]$/.test(text) || lang === 'expression';
  if (isFraction) return Number(digits);
  // Java reads a leading zero as octal
  if (/^0\d/.test(digits)) throw unsupported(`number [${text}] in a script`);
  if (/[lL]$/.test(text)) return BigInt(digits);
  const int = Number(digits);
  if (int > 2 ** 31 - 1) throw unsupported(`number [${text}] in a script`);
  return { int };
}
