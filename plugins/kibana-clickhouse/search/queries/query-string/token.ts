/**
 * The tokens of Lucene's classic query syntax, in the order in which its grammar numbers them (Lucene 8
 * `QueryParserConstants`): of two that match the same text, the first counts, and messages list what was expected in it.
 */
export const tokenKinds = [
  'EOF',
  'AND',
  'OR',
  'NOT',
  'PLUS',
  'MINUS',
  'BAREOPER',
  'LPAREN',
  'RPAREN',
  'COLON',
  'STAR',
  'CARAT',
  'QUOTED',
  'TERM',
  'FUZZY_SLOP',
  'PREFIXTERM',
  'WILDTERM',
  'REGEXPTERM',
  'RANGEIN_START',
  'RANGEEX_START',
  'NUMBER',
  'RANGE_TO',
  'RANGEIN_END',
  'RANGEEX_END',
  'RANGE_QUOTED',
  'RANGE_GOOP',
] as const;

export type TokenKind = (typeof tokenKinds)[number];

/** A piece of a query: its text, escapes and quotes included, and the offset of its first character. */
export interface Token {
  readonly kind: TokenKind;
  readonly image: string;
  readonly start: number;
}

const literal: Partial<Readonly<Record<TokenKind, string>>> = {
  PLUS: '"+"',
  MINUS: '"-"',
  LPAREN: '"("',
  RPAREN: '")"',
  COLON: '":"',
  STAR: '"*"',
  CARAT: '"^"',
  RANGEIN_START: '"["',
  RANGEEX_START: '"{"',
  RANGE_TO: '"TO"',
  RANGEIN_END: '"]"',
  RANGEEX_END: '"}"',
};

/** A kind as Lucene's messages name it: `<TERM>`, `"("`. */
export const printedKind = (kind: TokenKind): string => literal[kind] ?? `<${kind}>`;
