import { failedQuery, unsupported } from '../../../common/errors/catalogue';

/** Optional operators of Lucene's regular expressions, as bits of `flags_value` (Lucene 8.11 RegExp). */
export const regexpFlags = {
  INTERSECTION: 1,
  COMPLEMENT: 2,
  EMPTY: 4,
  ANYSTRING: 8,
  AUTOMATON: 16,
  INTERVAL: 32,
  NONE: 0,
  ALL: 255,
} as const satisfies Readonly<Record<string, number>>;

export interface RegexpSyntax {
  /** Bits of `regexpFlags`. */
  readonly flags: number;
  /** Letters of ASCII stand for both cases; ranges do not (Lucene 8.11 ASCII_CASE_INSENSITIVE). */
  readonly foldAscii: boolean;
}

/** RE2 compiles at most this many repetitions, nested ones multiplied. */
const maximumRepetitions = 1000;

/** A translated part, and how often RE2 would repeat what is in it. */
interface Part {
  readonly text: string;
  readonly repetitions: number;
}

interface Reader extends RegexpSyntax {
  /** Code points. */
  readonly input: readonly string[];
  at: number;
}

/**
 * A regular expression of Lucene's syntax as RE2 has it, for the whole value. Throws Elasticsearch's error (400, of a shard)
 * for what Lucene cannot parse, and refuses by name what RE2 has not (`~`, `&`, `<1-5>`, more than 1,000 repetitions) and `\d`,
 * `\w`, `\s`.
 */
export function translateRegexp(pattern: string, syntax: RegexpSyntax): string {
  const reader: Reader = { ...syntax, input: Array.from(pattern), at: 0 };
  if (pattern === '') return '^$';
  const { text } = parseUnion(reader);
  if (reader.at < reader.input.length)
    throw failedQuery(`end-of-string expected at position ${String(position(reader))}`);
  return `^(?:${text})$`;
}

const more = ({ at, input }: Reader): boolean => at < input.length;
const peek = ({ at, input }: Reader, letters: string): boolean =>
  at < input.length && letters.includes(input[at] ?? '');
const enabled = (reader: Reader, flag: keyof typeof regexpFlags): boolean =>
  (reader.flags & regexpFlags[flag]) !== 0;

/** Java counts UTF-16 units. */
const position = ({ input, at }: Reader): number => input.slice(0, at).join('').length;

function take(reader: Reader, letter: string): boolean {
  if (!peek(reader, letter)) return false;
  reader.at += 1;
  return true;
}

function next(reader: Reader): string {
  const letter = reader.input[reader.at];
  if (letter === undefined) throw failedQuery('unexpected end-of-string');
  reader.at += 1;
  return letter;
}

function expect(reader: Reader, letter: string): void {
  if (!take(reader, letter))
    throw failedQuery(`expected '${letter}' at position ${String(position(reader))}`);
}

const refuse = (feature: string): Error => unsupported(`${feature} in a regular expression`);

const joined = (parts: readonly Part[], separator: string): Part => ({
  text: parts.map(({ text }) => text).join(separator),
  repetitions: Math.max(1, ...parts.map(({ repetitions }) => repetitions)),
});

function parseUnion(reader: Reader): Part {
  const parts = [parseConcatenation(reader)];
  while (take(reader, '|')) parts.push(parseConcatenation(reader));
  return joined(parts, '|');
}

function parseConcatenation(reader: Reader): Part {
  const parts = [parseRepetition(reader)];
  const intersects = enabled(reader, 'INTERSECTION');
  while (more(reader) && !peek(reader, ')|') && !(intersects && peek(reader, '&')))
    parts.push(parseRepetition(reader));
  if (intersects && peek(reader, '&')) throw refuse('[&]');
  return joined(parts, '');
}

const anyNumber: Readonly<Record<string, string>> = { '?': '?', '*': '*', '+': '+' };

function parseRepetition(reader: Reader): Part {
  let part = parseComplement(reader);
  while (peek(reader, '?*+{')) {
    const operator = next(reader);
    part =
      operator === '{'
        ? parseCounts(reader, part)
        : { ...part, text: `(?:${part.text})${anyNumber[operator] ?? ''}` };
  }
  return part;
}

function parseCounts(reader: Reader, { text, repetitions }: Part): Part {
  const least = parseCount(reader);
  if (least === undefined)
    throw failedQuery(`integer expected at position ${String(position(reader))}`);
  const open = take(reader, ',');
  const most = open ? parseCount(reader) : least;
  expect(reader, '}');
  const times = repetitions * Math.max(1, least, most ?? 0);
  if (times > maximumRepetitions)
    throw refuse(`more than ${String(maximumRepetitions)} repetitions`);
  if (most === undefined) return { text: `(?:${text}){${String(least)},}`, repetitions: times };
  if (most < least) return { text: nothing, repetitions: 1 };
  return { text: `(?:${text}){${String(least)},${String(most)}}`, repetitions: times };
}

function parseCount(reader: Reader): number | undefined {
  let digits = '';
  while (peek(reader, '0123456789')) digits += next(reader);
  if (digits === '') return undefined;
  if (Number(digits) > 2_147_483_647)
    throw failedQuery(`For input string: "${digits}"`, 'number_format_exception');
  return Number(digits);
}

function parseComplement(reader: Reader): Part {
  if (enabled(reader, 'COMPLEMENT') && peek(reader, '~')) throw refuse('[~]');
  return parseClass(reader);
}

function parseClass(reader: Reader): Part {
  if (!take(reader, '[')) return parseSimple(reader);
  const negated = take(reader, '^');
  let content = parseClassItem(reader);
  while (more(reader) && !peek(reader, ']')) content += parseClassItem(reader);
  expect(reader, ']');
  return once(`[${negated ? '^' : ''}${content}]`);
}

function parseClassItem(reader: Reader): string {
  const from = parseCharacter(reader);
  if (!take(reader, '-')) return eitherCase(from, reader);
  const to = parseCharacter(reader);
  const [low, high] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
  if (low > high)
    throw failedQuery(`invalid range: from (${String(low)}) cannot be > to (${String(high)})`);
  return `${codePoint(from)}-${codePoint(to)}`;
}

/** `\d` is a digit since Elasticsearch 8, and the letter d before: which one is meant is not known here. */
const classLetters = 'dDwWsS';

function parseCharacter(reader: Reader): string {
  if (take(reader, '\\') && peek(reader, classLetters))
    throw refuse(`[\\${next(reader)}], which depends on the version of Elasticsearch,`);
  return next(reader);
}

const anyCharacter = String.raw`[\x{0}-\x{10FFFF}]`;
const nothing = String.raw`[^\x{0}-\x{10FFFF}]`;
const once = (text: string): Part => ({ text, repetitions: 1 });

function parseSimple(reader: Reader): Part {
  if (take(reader, '.')) return once(anyCharacter);
  if (enabled(reader, 'EMPTY') && take(reader, '#')) return once(nothing);
  if (enabled(reader, 'ANYSTRING') && take(reader, '@')) return once(`${anyCharacter}*`);
  if (take(reader, '"')) return parseQuoted(reader);
  if (take(reader, '(')) return parseGroup(reader);
  if ((enabled(reader, 'AUTOMATON') || enabled(reader, 'INTERVAL')) && peek(reader, '<'))
    throw refuse('[<]');
  return once(`[${eitherCase(parseCharacter(reader), reader)}]`);
}

function parseQuoted(reader: Reader): Part {
  let text = '';
  while (more(reader) && !peek(reader, '"')) text += `[${eitherCase(next(reader), reader)}]`;
  expect(reader, '"');
  return once(text);
}

function parseGroup(reader: Reader): Part {
  if (take(reader, ')')) return once('(?:)');
  const part = parseUnion(reader);
  expect(reader, ')');
  return { ...part, text: `(?:${part.text})` };
}

const codePoint = (letter: string): string =>
  String.raw`\x{${(letter.codePointAt(0) ?? 0).toString(16)}}`;

function eitherCase(letter: string, { foldAscii }: RegexpSyntax): string {
  if (!foldAscii || !/^[A-Za-z]$/.test(letter)) return codePoint(letter);
  return codePoint(letter.toLowerCase()) + codePoint(letter.toUpperCase());
}
