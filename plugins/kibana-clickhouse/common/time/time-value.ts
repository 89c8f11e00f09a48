import { argumentCausedBy, illegalArgument } from '../errors/catalogue';

const unitMs: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Elasticsearch's time value in ms, rounded down: `30s`, `1m`, `604800000ms`; `0` and `-1` need no unit. Units may be in
 * upper case, but `5M` is none. Throws 400 `illegal_argument_exception` in the words of Elasticsearch 7.17 (`TimeValue`).
 */
export function parseTimeValue(text: string, setting: string): number {
  const [, value, unit] = /^(.*?)(nanos|micros|ms|s|m|h|d)$/s.exec(normalized(text)) ?? [];
  const start = `failed to parse setting [${setting}] with value [${text}] as a time value: `;
  if (value === undefined || unit === undefined) {
    if (/^(?:-1|0+)$/.test(text.trim())) return Number(text);
    throw illegalArgument(`${start}unit is missing or unrecognized`);
  }
  const count = wholeNumber(value.trim(), text);
  if (count < -1) throw illegalArgument(`${start}negative durations are not supported`);
  return Math.floor(count * (unitMs[unit] ?? Number.NaN));
}

/** In lower case, except a unit `M`: months, which are no time value. */
const normalized = (text: string): string =>
  /[^a-zA-Z]M$/.test(text.trim()) ? '' : text.trim().toLowerCase();

const longLimit = 2n ** 63n;

function wholeNumber(value: string, text: string): number {
  if (/^[+-]?\d+$/.test(value)) {
    const whole = BigInt(value.replace('+', ''));
    if (whole < longLimit && whole >= -longLimit) return Number(whole);
  }
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value);
  throw argumentCausedBy(
    isNumber
      ? `failed to parse [${text}], fractional time values are not supported`
      : `failed to parse [${text}]`,
    { type: 'number_format_exception', reason: `For input string: "${value}"` },
  );
}
