import { withoutEscapes } from './escapes';
import { tokensOf } from './lexer';
import { QuerySyntaxError, unexpectedToken } from './syntax-error';
import type { Clause, Clauses, SyntaxNode, Words } from './syntax-tree';
import { parseTerm } from './term-parser';
import type { TokenKind } from './token';
import { type Place, type TokenReader, readerOf } from './token-reader';

/** Parentheses within parentheses, of which Elasticsearch's limit is the depth of a Java stack. */
const maximumDepth = 400;

/**
 * Parses a query as Lucene 8's classic parser does (`QueryParser.jj`, without splitting at white space). Throws QuerySyntaxError
 * with the message that Lucene has after "Cannot parse". Time is linear in the text's length.
 */
export function parseQueryText(text: string): Clauses {
  const reader = readerOf(tokensOf(text));
  const clauses = parseClauses({ reader, field: undefined, depth: 0 });
  reader.expect('EOF', continuations);
  return clauses;
}

const modifiers: readonly TokenKind[] = ['NOT', 'PLUS', 'MINUS'];

/** What begins a clause behind its modifier. */
const operands: readonly TokenKind[] = [
  'BAREOPER',
  'LPAREN',
  'STAR',
  'QUOTED',
  'TERM',
  'PREFIXTERM',
  'WILDTERM',
  'REGEXPTERM',
  'RANGEIN_START',
  'RANGEEX_START',
  'NUMBER',
];

/** What can follow a clause, besides its own suffix and the end. */
const continuations: readonly TokenKind[] = ['AND', 'OR', ...modifiers, ...operands];
const continues: ReadonlySet<TokenKind> = new Set(continuations);

/** Lucene's messages name twice what it looks for by two tokens at once. */
const wordAgain: readonly TokenKind[] = ['TERM'];
const fieldAgain: readonly TokenKind[] = ['TERM', 'STAR'];

function parseClauses(place: Place): Clauses {
  const { reader } = place;
  const first = parseWords(place) ?? firstClause(place);
  const clauses: Clause[] = [first];
  while (continues.has(reader.next().kind)) {
    clauses.push(parseWords(place) ?? nextClause(place));
  }
  return { kind: 'clauses', clauses };
}

function firstClause(place: Place): Clause {
  const { reader } = place;
  if (![...modifiers, ...operands].includes(reader.next().kind))
    throw unexpectedToken(reader.next(), [...modifiers, ...operands, ...wordAgain]);
  return modifiedClause(place, 'none', []);
}

function nextClause(place: Place): Clause {
  const { reader } = place;
  const conjunction = reader.takeIf('AND') ? 'and' : reader.takeIf('OR') ? 'or' : 'none';
  return modifiedClause(place, conjunction, modifiers);
}

function modifiedClause(
  place: Place,
  conjunction: Clause['conjunction'],
  alsoExpected: readonly TokenKind[],
): Clause {
  const { reader } = place;
  const { kind } = reader.next();
  if (!modifiers.includes(kind)) {
    const expected = [...alsoExpected, ...operands, ...fieldAgain];
    return { conjunction, modifier: 'none', operand: parseClause(place, expected) };
  }
  reader.take();
  const operand = parseClause(place, [...operands, ...fieldAgain]);
  return { conjunction, modifier: kind === 'PLUS' ? 'required' : 'prohibited', operand };
}

function parseClause(place: Place, expected: readonly TokenKind[]): SyntaxNode {
  const { reader } = place;
  const field = parseFieldName(reader);
  const inField = field === undefined ? place : { ...place, field };
  if (reader.takeIf('LPAREN') === undefined)
    return parseTerm(inField, field === undefined ? expected : operands);
  const clauses = parseGroup({ ...inField, depth: place.depth + 1 });
  return reader.boosted(field === undefined ? clauses : { ...clauses, field });
}

function parseFieldName(reader: TokenReader): string | undefined {
  const { kind, image } = reader.next();
  if ((kind !== 'TERM' && kind !== 'STAR') || reader.next(1).kind !== 'COLON') return undefined;
  reader.take();
  reader.take();
  return kind === 'STAR' ? '*' : withoutEscapes(image);
}

function parseGroup(place: Place): Clauses {
  const { reader, depth } = place;
  if (depth > maximumDepth)
    throw new QuerySyntaxError(
      `more than ${String(maximumDepth)} parentheses are open at column ${String(reader.next().start)}`,
    );
  const clauses = parseClauses(place);
  reader.expect('RPAREN', continuations);
  return clauses;
}

/** Words that follow each other without an operator, from two on: they are one text. */
function parseWords({ reader, field }: Place): Clause | undefined {
  if (reader.next().kind !== 'TERM' || !isFurtherWord(reader, 1)) return undefined;
  const images = [reader.take().image];
  while (isFurtherWord(reader, 0)) images.push(reader.take().image);
  reader.forgetSuffixes();
  const operand: Words = {
    kind: 'words',
    field,
    text: withoutEscapes(images.join(' ')),
    several: true,
  };
  return { conjunction: 'none', modifier: 'none', operand };
}

/** A word before these is a field's name, has a suffix of its own, or belongs to an operator. */
const separating: readonly TokenKind[] = ['COLON', 'STAR', 'FUZZY_SLOP', 'CARAT', 'AND', 'OR'];

const isFurtherWord = (reader: TokenReader, ahead: number): boolean =>
  reader.next(ahead).kind === 'TERM' && !separating.includes(reader.next(ahead + 1).kind);
