import { unsupported } from '../../../common/errors/catalogue';
import { type SimpleFlags, simpleFlags } from './simple-flags';
import type { SimpleEvent, SimpleLeaf } from './simple-syntax-tree';

/** Parentheses within parentheses. */
const maximumDepth = 400;

interface Scanner {
  readonly text: string;
  readonly flags: SimpleFlags;
  /** Where the parenthesis that opens at a place is closed; absent where it never is. */
  readonly closing: ReadonlyMap<number, number>;
  /** Where the part that is read ends. */
  readonly end: number;
  readonly depth: number;
  at: number;
}

/**
 * Reads a query as Lucene 8's SimpleQueryParser does: there is no text that it refuses, what makes no sense is skipped.
 * `flags` say which signs mean something. Refused: 400 parentheses within each other and more.
 */
export function parseSimpleQuery(text: string, flags: SimpleFlags): readonly SimpleEvent[] {
  const closing = has(flags, 'PRECEDENCE')
    ? closingParentheses(text, flags)
    : new Map<number, number>();
  return parseEvents({ text, flags, closing, end: text.length, depth: 0, at: 0 });
}

const has = (flags: SimpleFlags, name: keyof typeof simpleFlags): boolean =>
  (flags & simpleFlags[name]) !== 0;

/** All pairs in one pass: looking for the end of each by itself would take quadratic time. */
function closingParentheses(text: string, flags: SimpleFlags): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\' && has(flags, 'ESCAPE')) at += 1;
    else if (sign === '(') open.push(at);
    else if (sign === ')') {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, at);
    }
  }
  return pairs;
}

const blanks = ' \t\n\r';

function parseEvents(scanner: Scanner): readonly SimpleEvent[] {
  const { text, flags, end } = scanner;
  const events: SimpleEvent[] = [];
  let minuses = 0;
  while (scanner.at < end) {
    const sign = text[scanner.at] ?? '';
    if (sign === '-' && has(flags, 'NOT')) {
      // minuses right before a word cancel each other out
      minuses += 1;
      scanner.at += 1;
      continue;
    }
    const negated = minuses % 2 === 1;
    minuses = 0;
    if (isSkipped(sign, flags)) scanner.at += 1;
    else events.push(...parseEvent(scanner, sign, negated));
  }
  return events;
}

const isSkipped = (sign: string, flags: SimpleFlags): boolean =>
  (sign === ')' && has(flags, 'PRECEDENCE')) || (blanks.includes(sign) && has(flags, 'WHITESPACE'));

function parseEvent(scanner: Scanner, sign: string, negated: boolean): readonly SimpleEvent[] {
  const { flags } = scanner;
  if (sign === '(' && has(flags, 'PRECEDENCE')) return parseGroup(scanner, negated);
  if (sign === '"' && has(flags, 'PHRASE')) return parsePhrase(scanner, negated);
  const isAnd = sign === '+' && has(flags, 'AND');
  if (isAnd || (sign === '|' && has(flags, 'OR'))) {
    scanner.at += 1;
    return [{ kind: 'operator', operator: isAnd ? 'and' : 'or' }];
  }
  return parseToken(scanner, negated);
}

/** Nothing between two parentheses or quotes takes the operator before them away. */
const nothing: readonly SimpleEvent[] = [{ kind: 'reset' }];

function parseGroup(scanner: Scanner, negated: boolean): readonly SimpleEvent[] {
  const start = scanner.at + 1;
  const end = scanner.closing.get(scanner.at);
  scanner.at = end === undefined || end >= scanner.end ? start : end + 1;
  if (scanner.at === start) return [];
  if (end === start || end === undefined) return nothing;
  const depth = scanner.depth + 1;
  if (depth > maximumDepth)
    throw unsupported(
      `more than ${String(maximumDepth)} parentheses open in a simple_query_string`,
    );
  const events = parseEvents({ ...scanner, at: start, end, depth });
  return [{ kind: 'operand', negated, operand: { kind: 'group', events } }];
}

interface Unescaped {
  readonly text: string;
  /** Where the sign stands that ended it, or the end of all. */
  readonly end: number;
  /** Whether the last character is no escaped one. */
  readonly plainEnd: boolean;
}

/** The text up to a sign without a backslash before it, backslashes taken away. */
function readUntil(
  { text, flags, end }: Scanner,
  from: number,
  stops: (sign: string, length: number) => boolean,
): Unescaped {
  const parts: string[] = [];
  let at = from;
  let plainEnd = true;
  let length = 0;
  for (; at < end; at += 1) {
    let sign = text[at] ?? '';
    plainEnd = true;
    if (sign === '\\' && has(flags, 'ESCAPE')) {
      plainEnd = false;
      at += 1;
      if (at >= end) break;
      sign = text[at] ?? '';
    } else if (stops(sign, length)) break;
    parts.push(sign);
    length += 1;
  }
  return { text: parts.join(''), end: Math.min(at, end), plainEnd };
}

function parsePhrase(scanner: Scanner, negated: boolean): readonly SimpleEvent[] {
  const start = scanner.at + 1;
  const { text, end } = readUntil(scanner, start, (sign) => sign === '"');
  if (end === scanner.end) {
    scanner.at = start;
    return [];
  }
  const near = has(scanner.flags, 'NEAR') && end + 1 < scanner.end && scanner.text[end + 1] === '~';
  scanner.at = near ? end + 1 : end;
  // a tilde at the very end means nothing
  const slop = near && end + 2 < scanner.end ? readNumber(scanner) : 0;
  // the sign after a number is passed over as if it were the quote
  scanner.at += 1;
  if (end === start && !near) return nothing;
  return operandOf({ kind: 'phrase', text, slop }, negated);
}

const operandOf = (operand: SimpleLeaf, negated: boolean): readonly SimpleEvent[] => [
  { kind: 'operand', negated, operand },
];

function parseToken(scanner: Scanner, negated: boolean): readonly SimpleEvent[] {
  const { flags } = scanner;
  const fuzzy = has(flags, 'FUZZY');
  const { text, end, plainEnd } = readUntil(
    scanner,
    scanner.at,
    (sign, length) => endsToken(sign, flags) || (fuzzy && length > 0 && sign === '~'),
  );
  scanner.at = end;
  if (text === '') return [];
  if (fuzzy && end < scanner.end && scanner.text[end] === '~') {
    const edits = Math.min(readNumber(scanner), 2);
    return operandOf(
      edits === 0 ? { kind: 'words', text } : { kind: 'fuzzy', text, edits },
      negated,
    );
  }
  const isPrefix = plainEnd && text.length > 1 && text.endsWith('*') && has(flags, 'PREFIX');
  return operandOf(
    isPrefix ? { kind: 'prefix', text: text.slice(0, -1) } : { kind: 'words', text },
    negated,
  );
}

/** The sign that ends a word, if it means something. */
const enders: Readonly<Record<string, keyof typeof simpleFlags>> = {
  '"': 'PHRASE',
  '|': 'OR',
  '+': 'AND',
  '(': 'PRECEDENCE',
  ')': 'PRECEDENCE',
  ' ': 'WHITESPACE',
  '\t': 'WHITESPACE',
  '\n': 'WHITESPACE',
  '\r': 'WHITESPACE',
};

function endsToken(sign: string, flags: SimpleFlags): boolean {
  const flag = enders[sign];
  return flag !== undefined && has(flags, flag);
}

/** The number after `~`: 2 without one, 0 for what is none or negative. */
function readNumber(scanner: Scanner): number {
  const { text, flags, end } = scanner;
  const start = scanner.at + 1;
  let at = start;
  while (at < end && !endsToken(text[at] ?? '', flags)) at += 1;
  scanner.at = at;
  const digits = text.slice(start, at);
  if (digits === '') return 2;
  const number = /^[+-]?\d{1,10}$/.test(digits) ? Number(digits) : 0;
  return number > 2_147_483_647 ? 0 : Math.max(0, number);
}
