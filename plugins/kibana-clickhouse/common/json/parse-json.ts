import { isUtf8 } from 'node:buffer';
import { jsonError } from '../errors/catalogue';
import type { JsonObject, JsonValue } from './json';

/** Elasticsearch 8 and later stop at this depth (Jackson's StreamReadConstraints). */
const maximumDepth = 1000;
/** Characters of one number at most, likewise. */
const maximumNumberLength = 1000;

/**
 * Parses a JSON document as Elasticsearch's parser does: a key that comes twice is refused, comments
 * are allowed, integers beyond 2^53 stay exact (bigint). `1.0` and `1` are the same number. Throws
 * `json_parse_exception`, or `json_e_o_f_exception` when the text ends too early, with line and column.
 */
export function parseJson(source: string | Uint8Array): JsonValue {
  const reader = new Reader(decode(source));
  const value = reader.value(0);
  reader.end();
  return value;
}

function decode(source: string | Uint8Array): string {
  if (typeof source === 'string') return source;
  if (!isUtf8(source))
    throw jsonError('Invalid UTF-8 in the body', { line: 1, col: 1, truncated: false });
  const text = Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const slash = 0x2f;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const anyValue = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const numberPattern = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;
const wordPattern = /[\p{L}\p{N}_$]+/uy;

/** Reads one document from start to end; `#at` is the position of the next character. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Only white space may follow the document. */
  end(): void {
    this.#space();
    if (this.#at < this.#text.length) this.#unexpected('expected the end of the document');
  }

  value(depth: number): JsonValue {
    this.#space();
    switch (this.#text.charCodeAt(this.#at)) {
      case quote:
        return this.#string('VALUE_STRING');
      case openBrace:
        return this.#object(depth + 1);
      case openBracket:
        return this.#array(depth + 1);
      default:
        return this.#scalar();
    }
  }

  #object(depth: number): JsonObject {
    this.#enter(depth);
    const object: Record<string, JsonValue> = {};
    this.#space();
    if (this.#take(closeBrace)) return object;
    for (;;) {
      this.#member(object, depth);
      this.#space();
      if (this.#take(closeBrace)) return object;
      if (!this.#take(comma))
        this.#missing('Object', 'was expecting comma to separate Object entries');
      this.#space();
    }
  }

  #member(object: Record<string, JsonValue>, depth: number): void {
    if (this.#text.charCodeAt(this.#at) !== quote)
      this.#missing('Object', 'was expecting double-quote to start field name');
    const key = this.#string('FIELD_NAME');
    if (Object.hasOwn(object, key)) this.#fail(`Duplicate field '${key}'`);
    this.#space();
    if (!this.#take(colon))
      this.#missing('Object', 'was expecting a colon to separate field name and value');
    const value = this.value(depth);
    if (key === '__proto__')
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
    else object[key] = value;
  }

  #array(depth: number): readonly JsonValue[] {
    this.#enter(depth);
    const items: JsonValue[] = [];
    this.#space();
    if (this.#take(closeBracket)) return items;
    for (;;) {
      items.push(this.value(depth));
      this.#space();
      if (this.#take(closeBracket)) return items;
      if (!this.#take(comma))
        this.#missing('Array', 'was expecting comma to separate Array entries');
    }
  }

  #enter(depth: number): void {
    if (depth > maximumDepth)
      this.#fail(
        `Document nesting depth (${String(depth)}) exceeds the maximum allowed (${String(maximumDepth)})`,
      );
    this.#at += 1;
  }

  #string(what: 'FIELD_NAME' | 'VALUE_STRING'): string {
    const text = this.#text;
    this.#at += 1;
    let result = '';
    let start = this.#at;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code === quote) {
        const last = text.slice(start, this.#at);
        this.#at += 1;
        return result === '' ? last : result + last;
      }
      if (code === backslash) {
        result += text.slice(start, this.#at) + this.#escape();
        start = this.#at;
      } else if (code >= 0x20) this.#at += 1;
      else if (Number.isNaN(code)) this.#truncated(`in ${what}`);
      else
        this.#fail(
          `Illegal unquoted character ((CTRL-CHAR, code ${String(code)})): has to be escaped using backslash to be included in string value`,
        );
    }
  }

  #escape(): string {
    const character = this.#text.charAt(this.#at + 1);
    const known = escapes[character];
    if (known !== undefined) {
      this.#at += 2;
      return known;
    }
    if (character === '') this.#truncated('in character escape sequence');
    if (character !== 'u') this.#fail(`Unrecognized character escape ${describe(character)}`);
    const digits = this.#text.slice(this.#at + 2, this.#at + 6);
    if (!/^[\da-fA-F]{4}$/.test(digits)) {
      if (digits.length < 4 && !digits.includes('"'))
        this.#truncated('in character escape sequence');
      this.#fail('expected a hex-digit for character escape sequence');
    }
    this.#at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #scalar(): JsonValue {
    const code = this.#text.charCodeAt(this.#at);
    if (code === minus || isDigit(code)) return this.#number();
    wordPattern.lastIndex = this.#at;
    const word = wordPattern.exec(this.#text)?.[0];
    if (word === undefined) return this.#unexpected(`expected a valid value ${anyValue}`);
    if (word === 'true' || word === 'false' || word === 'null') {
      this.#at += word.length;
      return word === 'null' ? null : word === 'true';
    }
    if (this.#at + word.length === this.#text.length && /^(?:t|f|n)[a-z]*$/.test(word))
      this.#truncated('in VALUE');
    return this.#fail(`Unrecognized token '${word.slice(0, 256)}': was expecting ${anyValue}`);
  }

  #number(): number | bigint {
    numberPattern.lastIndex = this.#at;
    const match = numberPattern.exec(this.#text);
    if (match === null) {
      this.#at += 1;
      return this.#unexpected('expected digit (0-9) to follow minus sign, for valid numeric value');
    }
    const [digits, fraction, exponent] = match;
    if (/^-?0\d/.test(digits)) this.#fail('Invalid numeric value: Leading zeroes not allowed');
    if (digits.length > maximumNumberLength)
      this.#fail(
        `Number value length (${String(digits.length)}) exceeds the maximum allowed (${String(maximumNumberLength)})`,
      );
    this.#at += digits.length;
    const next = this.#text.charAt(this.#at);
    if (/[\w.+-]/.test(next))
      this.#unexpected('Expected space separating root-level values or a decimal digit');
    const value = Number(digits);
    if (fraction !== undefined || exponent !== undefined || Number.isSafeInteger(value))
      return value;
    return BigInt(digits);
  }

  /** Steps over white space and comments. */
  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) this.#at += 1;
      else if (code === slash) this.#comment();
      else return;
    }
  }

  #comment(): void {
    const second = this.#text.charAt(this.#at + 1);
    if (second !== '/' && second !== '*')
      this.#unexpected(
        "maybe a (non-standard) comment? (not recognized as one: expected '/' or '*')",
      );
    const mark = second === '/' ? '\n' : '*/';
    const end = this.#text.indexOf(mark, this.#at + 2);
    if (end < 0 && second === '*') {
      this.#at = this.#text.length;
      this.#truncated('in a comment');
    }
    this.#at = end < 0 ? this.#text.length : end + mark.length;
  }

  #take(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at += 1;
    return true;
  }

  #missing(inside: 'Array' | 'Object', expectation: string): never {
    if (this.#at >= this.#text.length) this.#truncated(`: expected close marker for ${inside}`);
    return this.#unexpected(expectation);
  }

  #unexpected(expectation: string): never {
    if (this.#at >= this.#text.length) this.#truncated('');
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    return this.#fail(`Unexpected character (${describe(character)}): ${expectation}`);
  }

  #truncated(where: string): never {
    const separator = where === '' || where.startsWith(':') ? '' : ' ';
    throw jsonError(`Unexpected end-of-input${separator}${where}`, {
      ...this.#position(),
      truncated: true,
    });
  }

  #fail(reason: string): never {
    throw jsonError(reason, { ...this.#position(), truncated: false });
  }

  #position(): { readonly line: number; readonly col: number } {
    const before = this.#text.slice(0, this.#at);
    const lineStart = before.lastIndexOf('\n') + 1;
    return { line: before.split('\n').length, col: this.#at - lineStart + 1 };
  }
}

const describe = (character: string): string =>
  `'${character}' (code ${String(character.codePointAt(0))})`;
