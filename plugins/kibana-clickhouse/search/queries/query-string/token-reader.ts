import type { Tokens } from './lexer';
import { unexpectedToken } from './syntax-error';
import type { SyntaxNode } from './syntax-tree';
import { type Token, type TokenKind, tokenKinds } from './token';

/** Tokens, and what the clause that was just read could still have had behind it. */
export interface TokenReader {
  /** The next token, or the one `ahead` places behind it, without taking it. */
  next(ahead?: number): Token;
  take(): Token;
  takeIf(kind: TokenKind): Token | undefined;
  /** Takes a token of that kind; throws QuerySyntaxError, naming `others` too, for any other one. */
  expect(kind: TokenKind, others?: readonly TokenKind[]): Token;
  /** Reads the boost that may stand behind a clause. */
  boosted(operand: SyntaxNode): SyntaxNode;
  /** Reads what may stand behind a word or a phrase: `^2`, `~1`, or both in any order. */
  suffixes(): Suffixes;
  /** Nothing can stand behind several words in a row. */
  forgetSuffixes(): void;
}

/** Where the parser stands: the field that holds for what follows, and how many parentheses are open. */
export interface Place {
  readonly reader: TokenReader;
  readonly field: string | undefined;
  readonly depth: number;
}

/** `fuzzy` is what stands behind `~`, `''` where nothing does. */
export interface Suffixes {
  readonly boost?: number;
  readonly fuzzy?: string;
}

const inOrder = (kinds: readonly TokenKind[]): readonly TokenKind[] =>
  [...kinds].sort((a, b) => tokenKinds.indexOf(a) - tokenKinds.indexOf(b));

/** Reads tokens with one place of memory: which suffixes were still possible. */
export function readerOf(tokens: Tokens): TokenReader {
  let possible: readonly TokenKind[] = [];
  const next = (ahead = 0): Token => tokens.peek(ahead);
  const takeIf = (kind: TokenKind): Token | undefined =>
    next().kind === kind ? tokens.take() : undefined;
  const expect = (kind: TokenKind, others: readonly TokenKind[] = []): Token => {
    const found = takeIf(kind);
    if (found) return found;
    throw unexpectedToken(
      next(),
      inOrder([kind, ...others, ...(others.length > 0 ? possible : [])]),
    );
  };
  const boost = (): number | undefined => takeIf('CARAT') && Number(expect('NUMBER').image);
  const suffixes = (): Suffixes => {
    const found: { boost?: number; fuzzy?: string } = {};
    possible = ['CARAT', 'FUZZY_SLOP'];
    while (possible.includes(next().kind)) {
      const { kind, image } = next();
      if (kind === 'CARAT') found.boost = boost() ?? 1;
      else {
        tokens.take();
        found.fuzzy = image.slice(1);
      }
      possible = possible.filter((one) => one !== kind);
    }
    return found;
  };
  return {
    next,
    take: () => tokens.take(),
    takeIf,
    expect,
    suffixes,
    boosted: (operand) => {
      const by = boost();
      possible = by === undefined ? ['CARAT'] : [];
      return by === undefined ? operand : { kind: 'boosted', operand, boost: by };
    },
    forgetSuffixes: () => {
      possible = [];
    },
  };
}
