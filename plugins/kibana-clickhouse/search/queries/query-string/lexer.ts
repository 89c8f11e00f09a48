import { lexicalError } from './syntax-error';
import type { Token, TokenKind } from './token';

/** Where the next token begins decides which ones there are: after `^` a number, between brackets a range's parts. */
type State = 'default' | 'boost' | 'range';

/** A query's tokens, read one by one: an error behind a place is found only when it is reached. */
export interface Tokens {
  /** The token `ahead` places further, 0 being the next one; after the last one comes EOF for ever. */
  peek(ahead: number): Token;
  take(): Token;
}

/** Reads Lucene's classic query syntax. Its methods throw QuerySyntaxError for what begins no token. Time is linear. */
export function tokensOf(text: string): Tokens {
  const read: Token[] = [];
  let first = 0;
  let position = 0;
  let state: State = 'default';
  const readOne = (): Token => {
    position = skipBlanks(text, position, state);
    const token = nextToken(text, position, state);
    position = token.start + token.image.length;
    state = stateAfter(token.kind, state);
    return token;
  };
  const peek = (ahead: number): Token => {
    for (;;) {
      const found = read[first + ahead];
      if (found) return found;
      read.push(readOne());
    }
  };
  return {
    peek,
    take: () => {
      const token = peek(0);
      first += 1;
      return token;
    },
  };
}

const blanks = ' \t\n\r\u3000';
const isBlank = (sign: string): boolean => blanks.includes(sign);

/** Between brackets only lone blanks are skipped: others than the space are part of the word they stand at. */
function skipBlanks(text: string, from: number, state: State): number {
  if (state === 'boost') return from;
  let at = from;
  for (; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (!isBlank(sign)) break;
    if (state === 'range' && sign !== ' ' && endOfRangeWord(text, at) > at + 1) break;
  }
  return at;
}

function stateAfter(kind: TokenKind, state: State): State {
  if (kind === 'CARAT') return 'boost';
  if (kind === 'RANGEIN_START' || kind === 'RANGEEX_START') return 'range';
  if (kind === 'NUMBER' || kind === 'RANGEIN_END' || kind === 'RANGEEX_END') return 'default';
  return state;
}

function nextToken(text: string, start: number, state: State): Token {
  if (start >= text.length) return { kind: 'EOF', image: '', start };
  if (state === 'boost') return numberToken(text, start);
  if (state === 'range') return rangeToken(text, start);
  return defaultToken(text, start);
}

const tokenOf = (kind: TokenKind, text: string, start: number, end: number): Token => ({
  kind,
  image: text.slice(start, end),
  start,
});

function numberToken(text: string, start: number): Token {
  const image = /\d+(?:\.\d+)?/y;
  image.lastIndex = start;
  const found = image.exec(text);
  if (found === null) throw lexicalError(text, start, start + 1);
  return { kind: 'NUMBER', image: found[0], start };
}

function rangeToken(text: string, start: number): Token {
  const sign = text[start];
  if (sign === ']') return tokenOf('RANGEIN_END', text, start, start + 1);
  if (sign === '}') return tokenOf('RANGEEX_END', text, start, start + 1);
  const end = endOfRangeWord(text, start);
  const endOfQuoted = sign === '"' ? endOfRangeQuoted(text, start) : -1;
  if (endOfQuoted >= end) return tokenOf('RANGE_QUOTED', text, start, endOfQuoted);
  const isTo = end === start + 2 && text.startsWith('TO', start);
  return tokenOf(isTo ? 'RANGE_TO' : 'RANGE_GOOP', text, start, end);
}

function endOfRangeWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && !' ]}'.includes(text[end] ?? '')) end += 1;
  return end;
}

/** -1 where no quote ends it. A quote after a backslash ends it only where none follows: the longest text counts. */
function endOfRangeQuoted(text: string, start: number): number {
  let end = -1;
  // nothing between quotes is no quoted bound
  if (text[start + 1] === '"') return end;
  for (let at = text.indexOf('"', start + 2); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text[at - 1] !== '\\') return at + 1;
    end = at + 1;
  }
  return end;
}

const single: Readonly<Record<string, TokenKind>> = {
  '+': 'PLUS',
  '-': 'MINUS',
  '!': 'NOT',
  '(': 'LPAREN',
  ')': 'RPAREN',
  ':': 'COLON',
  '^': 'CARAT',
  '[': 'RANGEIN_START',
  '{': 'RANGEEX_START',
};

function defaultToken(text: string, start: number): Token {
  const sign = text[start] ?? '';
  if ('+-!'.includes(sign) && start + 1 < text.length && isBlank(text[start + 1] ?? ''))
    return tokenOf('BAREOPER', text, start, start + 2);
  const kind = single[sign];
  if (kind) return tokenOf(kind, text, start, start + 1);
  switch (sign) {
    case '"':
      return tokenOf('QUOTED', text, start, endOfQuoted(text, start));
    case '/':
      return tokenOf('REGEXPTERM', text, start, endOfRegexp(text, start));
    case '~':
      return tokenOf('FUZZY_SLOP', text, start, scanTerm(text, start + 1, false).end);
    case ']':
    case '}':
      throw lexicalError(text, start, start + 1);
    default:
      return termToken(text, start);
  }
}

/** An escaped quote never ends it. */
function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at += 1;
  }
  throw lexicalError(text, start, text.length);
}

/** A slash after a backslash ends it only where no other one follows: the longest text counts. */
function endOfRegexp(text: string, start: number): number {
  let end = -1;
  for (let at = text.indexOf('/', start + 1); at >= 0; at = text.indexOf('/', at + 1)) {
    if (text[at - 1] !== '\\') return at + 1;
    end = at + 1;
  }
  if (end < 0) throw lexicalError(text, start, text.length);
  return end;
}

const operators: Readonly<Record<string, TokenKind>> = {
  AND: 'AND',
  '&&': 'AND',
  OR: 'OR',
  '||': 'OR',
  NOT: 'NOT',
  '*': 'STAR',
};

function termToken(text: string, start: number): Token {
  const { end, wildcards, endsWithStar } = scanTerm(text, start, true);
  if (end === start) throw lexicalError(text, start, start + 1);
  const image = text.slice(start, end);
  const operator = operators[image];
  if (operator) return { kind: operator, image, start };
  if (wildcards === 0) return { kind: 'TERM', image, start };
  return { kind: wildcards === 1 && endsWithStar ? 'PREFIXTERM' : 'WILDTERM', image, start };
}

/** Signs that no word holds, but after a backslash; `+` and `-` cannot begin one, as their tokens come first. */
const outside = new Set(' \t\n\r\u3000!():^[]"{}~/');

interface Scan {
  readonly end: number;
  readonly wildcards: number;
  readonly endsWithStar: boolean;
}

function scanTerm(text: string, start: number, wild: boolean): Scan {
  let wildcards = 0;
  let at = start;
  let star = -1;
  for (; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\\') {
      if (at + 1 >= text.length) break;
      at += 1;
    } else if (sign === '*' || sign === '?') {
      if (!wild) break;
      wildcards += 1;
      if (sign === '*') star = at;
    } else if (outside.has(sign)) break;
  }
  return { end: at, wildcards, endsWithStar: star >= 0 && star === at - 1 };
}
