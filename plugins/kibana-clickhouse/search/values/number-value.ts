import { failedQuery } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';

/** A number as a request gives it: its integer part (rounded down) is exact, whatever its length. */
export interface NumberValue {
  /** The largest integer that is not above it. */
  readonly floor: bigint;
  /** Whether it is an integer. */
  readonly whole: boolean;
  /** As a double; infinite beyond the range of doubles. */
  readonly double: number;
  /** As it was written: decimals reach ClickHouse as text, so that Float32 rounds only once. */
  readonly text: string;
}

const numberPattern = /^([+-]?)(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,9}))?[dDfF]?$/;

/**
 * Reads a JSON number or a string that holds one (`"1"`, `"1e3"`, `" 1.5"` not). Anything else is
 * Elasticsearch's `For input string`.
 */
export function parseNumber(value: JsonValue): NumberValue {
  if (typeof value === 'number') return fromDouble(value);
  if (typeof value === 'bigint')
    return { floor: value, whole: true, double: Number(value), text: value.toString() };
  const text = String(scalarText(value));
  const match = numberPattern.exec(text);
  if (match === null) throw failedQuery(whyNoNumber(text), 'number_format_exception');
  const [, sign = '', digits = '', exponent = '0'] = match;
  return fromDecimal(sign, digits, Number(exponent));
}

/** In the words of Java's `Double.parseDouble`. */
function whyNoNumber(text: string): string {
  if (text === '') return 'empty String';
  return /^[+-]?\d*\.\d*\./.test(text) ? 'multiple points' : `For input string: "${text}"`;
}

const scalarText = (value: JsonValue): string | boolean =>
  typeof value === 'string' || typeof value === 'boolean' ? value : JSON.stringify(value);

function fromDouble(value: number): NumberValue {
  const floor = Number.isFinite(value) ? BigInt(Math.floor(value)) : beyondAll(value < 0);
  return { floor, whole: Number.isInteger(value), double: value, text: String(value) };
}

/** An integer that is outside of every type. */
const beyondAll = (negative: boolean): bigint => (negative ? -(10n ** 400n) : 10n ** 400n);

function fromDecimal(sign: string, digits: string, exponent: number): NumberValue {
  const negative = sign === '-';
  const [integer = '', fraction = ''] = digits.split('.');
  const significand = BigInt(integer + fraction);
  const shift = exponent - fraction.length;
  const text = `${negative ? '-' : ''}${integer || '0'}${fraction && `.${fraction}`}e${String(exponent)}`;
  const double = Number(text);
  const exact = shifted(negative ? -significand : significand, shift);
  return { ...exact, double, text };
}

function shifted(value: bigint, shift: number): Pick<NumberValue, 'floor' | 'whole'> {
  if (value === 0n) return { floor: 0n, whole: true };
  if (shift >= 0)
    return {
      floor: shift > 400 ? beyondAll(value < 0n) : value * 10n ** BigInt(shift),
      whole: true,
    };
  // below 10^-400 of its digits nothing is left of the integer part
  if (-shift > value.toString().length) return { floor: value < 0n ? -1n : 0n, whole: false };
  const divisor = 10n ** BigInt(-shift);
  const rest = value % divisor;
  const quotient = value / divisor;
  return { floor: rest < 0n ? quotient - 1n : quotient, whole: rest === 0n };
}
