import { shardIllegalArgument, unsupported } from '../../common/errors/catalogue';

/** A pattern of Java's `DecimalFormat`: `#,##0.00`, `0%`, `0.##E0`, `$0.0;($0.0)`. */
export interface DecimalFormat {
  /** A double as text, rounded half to even as Java does. */
  readonly print: (value: number) => string;
}

/** The digits of a pattern's number. */
interface Digits {
  readonly leastInteger: number;
  readonly leastFraction: number;
  readonly mostFraction: number;
  /** Digits between two commas; 0: no commas. */
  readonly group: number;
  /** Digits of the exponent; 0: none. */
  readonly exponent: number;
}

interface Pattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly negativePrefix: string;
  readonly negativeSuffix: string;
  /** Power of ten by which the value is multiplied: 2 of a percent sign, 3 of a permille sign. */
  readonly shift: number;
  readonly digits: Digits;
}

const known = new Map<string, DecimalFormat>();

/**
 * The option `format` of an aggregation on numbers (Elasticsearch 7.17 `DocValueFormat.Decimal`: Java's `DecimalFormat` with
 * the symbols of `Locale.ROOT`). Throws Java's error for what is no pattern.
 */
export function decimalFormat(text: string): DecimalFormat {
  const found = known.get(text);
  if (found) return found;
  const pattern = parsePattern(text);
  const made: DecimalFormat = { print: (value) => print(value, pattern) };
  if (known.size < 1000) known.set(text, made);
  return made;
}

function parsePattern(text: string): Pattern {
  const [positive = '', negative] = splitParts(text);
  const parts = parsePart(positive, text);
  const own = negative === undefined ? undefined : parsePart(negative, text);
  const isOwn = own !== undefined && (own.prefix !== parts.prefix || own.suffix !== parts.suffix);
  return {
    ...parts,
    negativePrefix: isOwn ? own.prefix : `-${parts.prefix}`,
    negativeSuffix: isOwn ? own.suffix : parts.suffix,
    digits: readDigits(parts.number, text),
  };
}

/** The halves for positive and negative numbers: a quoted semicolon parts nothing. */
function splitParts(text: string): readonly string[] {
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "'") quoted = !quoted;
    if (text[i] === ';' && !quoted) return [text.slice(0, i), text.slice(i + 1)];
  }
  return [text];
}

interface Part {
  readonly prefix: string;
  readonly number: string;
  readonly suffix: string;
  readonly shift: number;
}

const isNumberSign = (sign: string): boolean => '#0123456789,.'.includes(sign);

function parsePart(part: string, text: string): Part {
  const prefix = readAffix(part, 0);
  let end = prefix.end;
  while (end < part.length && isNumberSign(part[end] ?? '')) end += 1;
  if (part[end] === 'E') end += 1 + (/^0*/.exec(part.slice(end + 1))?.[0].length ?? 0);
  const suffix = readAffix(part, end);
  if (prefix.shifts + suffix.shifts > 1)
    throw shardIllegalArgument(`Too many percent/per mille characters in pattern "${text}"`);
  if (suffix.end < part.length) throw malformed(text);
  return {
    prefix: prefix.text,
    number: part.slice(prefix.end, end),
    suffix: suffix.text,
    shift: prefix.shift + suffix.shift,
  };
}

interface Affix {
  readonly text: string;
  /** Where it ends in the part. */
  readonly end: number;
  readonly shift: number;
  /** How many signs scale. */
  readonly shifts: number;
}

/** Text around the number: quotes protect signs, `%` and `‰` scale. */
function readAffix(part: string, start: number): Affix {
  let [text, shift, shifts, quoted, i] = ['', 0, 0, false, start];
  for (; i < part.length; i += 1) {
    const sign = part[i] ?? '';
    if (sign === "'") {
      if (part[i + 1] === "'") [text, i] = [`${text}'`, i + 1];
      else quoted = !quoted;
      continue;
    }
    if (!quoted && isNumberSign(sign)) break;
    if (!quoted && (sign === '%' || sign === '‰')) {
      shift = sign === '%' ? 2 : 3;
      shifts += 1;
    }
    text += sign;
  }
  return { text, end: i, shift, shifts };
}

const malformed = (text: string): Error => shardIllegalArgument(`Malformed pattern "${text}"`);

function readDigits(number: string, text: string): Digits {
  if (number.split('.').length > 2)
    throw shardIllegalArgument(`Multiple decimal separators in pattern "${text}"`);
  const parts = numberPattern.exec(number)?.groups;
  // what else Java reads in a pattern (rounding to 0.5, exponents of steps) nobody was seen to send
  const isSteps = parts?.['exponent'] !== undefined && !/^0+$/.test(parts['integer'] ?? '');
  if (!parts || isSteps) throw unsupported(`number format [${text}] of an aggregation`);
  const { integer = '', fraction = '', exponent = '' } = parts;
  return {
    ...integerDigits(integer),
    ...fractionDigits(fraction, integer),
    exponent: exponent.length,
  };
}

function integerDigits(integer: string): Pick<Digits, 'leastInteger' | 'group'> {
  const whole = integer.replaceAll(',', '');
  const zeros = whole.replaceAll('#', '').length;
  const comma = integer.lastIndexOf(',');
  return {
    // the first place before the point is shown, if there is one
    leastInteger: zeros === 0 ? Number(whole !== '') : zeros,
    group: comma < 0 ? 0 : integer.length - comma - 1,
  };
}

function fractionDigits(
  fraction: string,
  integer: string,
): Pick<Digits, 'leastFraction' | 'mostFraction'> {
  const zeros = fraction.replaceAll('#', '').length;
  // of `.##` the first place behind the point is shown
  return {
    leastFraction: integer === '' ? Math.max(zeros, 1) : zeros,
    mostFraction: fraction.length,
  };
}

/** Integer with commas, fraction, exponent. */
const numberPattern =
  /^(?=[#0.])(?<integer>[#,]*[0,]*(?<!,))(?:\.(?<fraction>0*#*))?(?:E(?<exponent>0+))?$/;

function print(value: number, pattern: Pattern): string {
  if (Number.isNaN(value)) return 'NaN';
  const negative = value < 0 || Object.is(value, -0);
  const size = Number.isFinite(value) ? printSize(Math.abs(value), pattern) : '∞';
  return negative
    ? `${pattern.negativePrefix}${size}${pattern.negativeSuffix}`
    : `${pattern.prefix}${size}${pattern.suffix}`;
}

function printSize(size: number, { digits, shift }: Pattern): string {
  const scaled = size * 10 ** shift;
  return digits.exponent > 0 ? printExponent(scaled, digits) : printFixed(scaled, digits);
}

/** A decimal number: `unscaled` / 10^`scale`. */
interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

/** The shortest decimal that means a double: the digits that Java shows. */
function shortestDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [integer = '0', fraction = ''] = mantissa.split('.');
  return { unscaled: BigInt(integer + fraction), scale: fraction.length - Number(exponent) };
}

/** The decimal that a double is, all of its digits. */
function exactDecimal(value: number): Decimal {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  return power >= 0
    ? { unscaled: mantissa << BigInt(power), scale: 0 }
    : { unscaled: mantissa * 5n ** BigInt(-power), scale: -power };
}

/** A double's digits up to that place behind the point; a tie goes to even, if it is one to the last bit. */
function rounded(value: number, places: number): bigint {
  const shortest = shortestDecimal(value);
  if (shortest.scale <= places) return shortest.unscaled * 10n ** BigInt(places - shortest.scale);
  const { unscaled, scale } = isTie(shortest, places) ? exactDecimal(value) : shortest;
  const divisor = 10n ** BigInt(scale - places);
  const [quotient, rest] = [unscaled / divisor, unscaled % divisor];
  const isUp = rest * 2n > divisor || (rest * 2n === divisor && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

function isTie({ unscaled, scale }: Decimal, places: number): boolean {
  const divisor = 10n ** BigInt(scale - places);
  return (unscaled % divisor) * 2n === divisor;
}

function printFixed(value: number, digits: Digits): string {
  const text = rounded(value, digits.mostFraction)
    .toString()
    .padStart(digits.mostFraction + 1, '0');
  const point = text.length - digits.mostFraction;
  const whole = text.slice(0, point).replace(/^0+/, '').padStart(digits.leastInteger, '0');
  const fraction = trimmed(text.slice(point), digits.leastFraction);
  const shown = whole === '' && fraction === '' ? '0' : whole;
  return `${grouped(shown, digits.group)}${fraction === '' ? '' : `.${fraction}`}`;
}

const trimmed = (fraction: string, least: number): string => {
  const kept = fraction.replace(/0+$/, '');
  return kept.padEnd(least, '0');
};

const grouped = (whole: string, group: number): string =>
  group === 0
    ? whole
    : whole.replaceAll(new RegExp(`\\B(?=(?:\\d{${String(group)}})+$)`, 'g'), ',');

/** `12.3E4`: as many integer digits as the pattern has zeros. */
function printExponent(value: number, digits: Digits): string {
  const { leastInteger, leastFraction, mostFraction } = digits;
  const { unscaled, scale } = shortestDecimal(value);
  const first = unscaled === 0n ? leastInteger : unscaled.toString().length - scale;
  const most = leastInteger + mostFraction;
  let power = first - leastInteger;
  let shown = rounded(value, mostFraction - power);
  // 9.99 has become 10.0
  if (shown.toString().length > most) [power, shown] = [power + 1, shown / 10n];
  const text = shown.toString().padStart(most, '0');
  const fraction = trimmed(text.slice(leastInteger), leastFraction);
  const exponent = String(Math.abs(power)).padStart(digits.exponent, '0');
  return `${text.slice(0, leastInteger)}${fraction === '' ? '' : `.${fraction}`}E${power < 0 ? '-' : ''}${exponent}`;
}
