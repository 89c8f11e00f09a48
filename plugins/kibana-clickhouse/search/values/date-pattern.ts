import { argumentCausedBy, unsupported } from '../../common/errors/catalogue';

/** A piece of a date pattern: a field such as `yyyy`, text, or an optional part. */
export type PatternToken =
  | { readonly kind: 'field'; readonly letter: string; readonly width: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'optional'; readonly tokens: readonly PatternToken[] };

/**
 * Letters that no Java pattern has, for Elasticsearch's named formats: a fraction of one to nine digits
 * with its separator, any spelling of a zone, and a printed fraction of three to nine digits.
 */
export const fractionLetter = '\uE000';
export const anyZoneLetter = '\uE001';
export const nanosLetter = '\uE002';
/** A year of four digits, negative too: Elasticsearch's named formats take no longer ones. */
export const fourDigitYear = '\uE003';

const supported = /^[yuMLdDHhkKmsSnaEXxZzVQ\uE000-\uE003]/;

/** What Java's patterns know besides. */
const javaLetters = /^[GYWwFegcBANvOqp]/;

/** Reads a pattern of `java.time.format.DateTimeFormatter`; what is none or not supported is a 400. */
export function parsePattern(pattern: string): readonly PatternToken[] {
  const stack: PatternToken[][] = [[]];
  const close = (): void => {
    const tokens = stack.pop() ?? [];
    stack.at(-1)?.push({ kind: 'optional', tokens });
  };
  for (const [piece] of pattern.matchAll(/'(?:[^']|'')*'?|([a-zA-Z\uE000-\uE003])\1*|[^]/g)) {
    if (piece === '[') stack.push([]);
    else if (piece === ']') {
      if (stack.length < 2)
        throw invalid(pattern, 'Pattern invalid as it contains ] without previous [');
      close();
    } else stack.at(-1)?.push(toToken(piece, pattern));
  }
  // Java closes what is still open at the end
  while (stack.length > 1) close();
  return stack[0] ?? [];
}

const invalid = (pattern: string, why: string): Error =>
  argumentCausedBy(`Invalid format: [${pattern}]: ${why}`, {
    type: 'illegal_argument_exception',
    reason: why,
  });

function toToken(piece: string, pattern: string): PatternToken {
  const letter = piece.charAt(0);
  if (letter === "'") {
    if (piece.length < 2 || !piece.endsWith("'"))
      throw invalid(pattern, 'Pattern ends with an incomplete string literal');
    return { kind: 'text', text: unquote(piece) };
  }
  if (/[{}#]/.test(letter))
    throw invalid(pattern, `Pattern includes reserved character: '${letter}'`);
  if (!/[a-zA-Z\uE000-\uE003]/.test(letter)) return { kind: 'text', text: piece };
  if (!supported.test(letter))
    throw javaLetters.test(letter)
      ? unsupported(`letter [${letter}] in the date pattern [${pattern}]`)
      : invalid(pattern, `Unknown pattern letter: ${letter}`);
  return { kind: 'field', letter, width: piece.length };
}

const unquote = (piece: string): string =>
  piece === "''" ? "'" : piece.slice(1, -1).replaceAll("''", "'");

/** What a parsed text says: values by field, in the order of the pattern. */
export interface PatternMatch {
  /** Letter (years as `y`, months as `M`, fractions as `S`) to what stood there. */
  readonly values: ReadonlyMap<string, string>;
}

/** Compiles a pattern into a reader: undefined for text that does not fit it as a whole. */
export function compileReader(
  tokens: readonly PatternToken[],
): (text: string) => PatternMatch | undefined {
  const letters: string[] = [];
  const expression = new RegExp(`^${readerSource(tokens, letters)}$`, 'u');
  return (text) => {
    const match = expression.exec(text);
    if (match === null) return undefined;
    const values = new Map<string, string>();
    for (const [i, letter] of letters.entries()) {
      const value = match[i + 1];
      if (value !== undefined) values.set(letter, value);
    }
    return { values };
  };
}

function readerSource(tokens: readonly PatternToken[], letters: string[]): string {
  return tokens
    .map((token, i) => {
      if (token.kind === 'text') return escape(token.text);
      if (token.kind === 'optional') return `(?:${readerSource(token.tokens, letters)})?`;
      letters.push(canonicalLetter(token.letter));
      const next = tokens[i + 1];
      const adjacent = next?.kind === 'field' && isNumeric(next.letter, next.width);
      return `(${fieldSource(token.letter, token.width, adjacent)})`;
    })
    .join('');
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function canonicalLetter(letter: string): string {
  if (letter === 'u' || letter === fourDigitYear) return 'y';
  if (letter === 'L') return 'M';
  if (letter === fractionLetter || letter === nanosLetter) return 'S';
  return 'XxZzV'.includes(letter) || letter === anyZoneLetter ? anyZoneLetter : letter;
}

const isNumeric = (letter: string, width: number): boolean =>
  'yudDHhkKmsSnQ'.includes(letter) || ('ML'.includes(letter) && width < 3);

function fieldSource(letter: string, width: number, adjacent: boolean): string {
  const special = specialSources[letter];
  if (special !== undefined) return special;
  if (letter === 'y' || letter === 'u') return yearSource(width, adjacent);
  if (letter === 'S') return `\\d{${String(width)}}`;
  if ('ML'.includes(letter) && width >= 3) return width === 3 ? shortMonths : longMonths;
  if (letter === 'E') return width < 4 ? shortDays : longDays;
  return width === 1 ? '\\d{1,9}' : `\\d{${String(width)}}`;
}

function yearSource(width: number, adjacent: boolean): string {
  if (width === 2) return '\\d{2}';
  if (width < 4) return '-?\\d{1,9}';
  return adjacent
    ? `\\d{${String(width)}}`
    : `\\d{${String(width)}}|-\\d{${String(width)},9}|\\+\\d{${String(width + 1)},9}`;
}

export const monthNames: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
export const dayNames: readonly string[] = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
];

const abbreviated = (names: readonly string[]): string =>
  names.map((name) => name.slice(0, 3)).join('|');
const shortMonths = abbreviated(monthNames);
const longMonths = monthNames.join('|');
const shortDays = abbreviated(dayNames);
const longDays = dayNames.join('|');

const offsetSource = '[+-]\\d{2}(?::?\\d{2})?';
const specialSources: Readonly<Record<string, string>> = {
  [fractionLetter]: '[.,]\\d{1,9}',
  [nanosLetter]: '[.,]\\d{1,9}',
  [fourDigitYear]: '-?\\d{4}',
  [anyZoneLetter]: `Z|${offsetSource}|[A-Za-z][\\w/+:-]*`,
  X: `Z|${offsetSource}`,
  x: offsetSource,
  Z: `Z|${offsetSource}`,
  z: `Z|${offsetSource}|[A-Za-z][\\w/+:-]*`,
  V: `Z|${offsetSource}|[A-Za-z][\\w/+:-]*`,
  a: 'AM|PM',
};
