import { withoutEscapes } from './escapes';
import { unexpectedToken } from './syntax-error';
import type { SyntaxNode } from './syntax-tree';
import type { Token, TokenKind } from './token';
import type { Place, TokenReader } from './token-reader';

/** Parses one word, phrase, pattern or range with its suffixes; QuerySyntaxError names `expected` where none begins. */
export function parseTerm(place: Place, expected: readonly TokenKind[]): SyntaxNode {
  const { reader } = place;
  switch (reader.next().kind) {
    case 'BAREOPER':
    case 'STAR':
    case 'TERM':
    case 'PREFIXTERM':
    case 'WILDTERM':
    case 'REGEXPTERM':
      return parseBare(place);
    case 'QUOTED':
      return parsePhrase(place);
    case 'RANGEIN_START':
    case 'RANGEEX_START':
      return parseRange(place);
    default:
      throw unexpectedToken(reader.next(), expected);
  }
}

const withBoost = (operand: SyntaxNode, boost: number | undefined): SyntaxNode =>
  boost === undefined ? operand : { kind: 'boosted', operand, boost };

/** A wildcard, a prefix or a regular expression takes no notice of `~`. */
function parseBare({ reader, field }: Place): SyntaxNode {
  const token = reader.take();
  const { boost, fuzzy } = reader.suffixes();
  return withBoost(bareNode(token, field, fuzzy), boost);
}

function bareNode(
  { kind, image }: Token,
  field: string | undefined,
  fuzzy: string | undefined,
): SyntaxNode {
  // an operator before a blank is a word
  const text = withoutEscapes(kind === 'BAREOPER' ? image.slice(0, 1) : image);
  if (kind === 'STAR' || kind === 'WILDTERM') return { kind: 'wildcard', field, text: image };
  if (kind === 'PREFIXTERM')
    return { kind: 'prefix', field, text: withoutEscapes(image.slice(0, -1)) };
  if (kind === 'REGEXPTERM') return { kind: 'regexp', field, text: image.slice(1, -1) };
  if (fuzzy !== undefined) return { kind: 'fuzzy', field, text, distance: fuzzy };
  return { kind: 'words', field, text, several: false };
}

function parsePhrase({ reader, field }: Place): SyntaxNode {
  const text = withoutEscapes(reader.take().image.slice(1, -1));
  const { boost, fuzzy } = reader.suffixes();
  return withBoost({ kind: 'phrase', field, text, slop: slopOf(fuzzy) }, boost);
}

/** What is no number counts as none. */
function slopOf(text: string | undefined): number | undefined {
  const slop = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isNaN(slop) ? undefined : Math.trunc(slop);
}

const bounds: readonly TokenKind[] = ['RANGE_TO', 'RANGE_QUOTED', 'RANGE_GOOP'];

function parseRange({ reader, field }: Place): SyntaxNode {
  const includeFrom = reader.take().kind === 'RANGEIN_START';
  const from = parseBound(reader);
  reader.expect('RANGE_TO');
  const to = parseBound(reader);
  const includeTo = reader.takeIf('RANGEIN_END') !== undefined;
  if (!includeTo && reader.takeIf('RANGEEX_END') === undefined)
    throw unexpectedToken(reader.next(), ['RANGEIN_END', 'RANGEEX_END']);
  return reader.boosted({
    kind: 'range',
    field,
    from: boundText(from),
    to: boundText(to),
    includeFrom,
    includeTo,
  });
}

function parseBound(reader: TokenReader): Token {
  if (!bounds.includes(reader.next().kind)) throw unexpectedToken(reader.next(), bounds);
  return reader.take();
}

/** `*` without quotes is an open end. Of escapes only those of the bounds themselves are taken away. */
function boundText({ kind, image }: Token): string | undefined {
  if (kind === 'RANGE_QUOTED') return withoutEscapes(image.slice(1, -1));
  return image === '*' ? undefined : withoutEscapes(image);
}
