/**
 * A double as Java writes it (`Double.toString`): `5.0`, `0.001`, `1.0E7`, `1.0E-4`, `NaN`, `-Infinity`. Elasticsearch's keys of
 * percentiles and ranges are such texts.
 */
export function javaDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e7) return withFraction(String(value));
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  return `${withFraction(mantissa)}E${exponent.replace('+', '')}`;
}

const withFraction = (digits: string): string => (digits.includes('.') ? digits : `${digits}.0`);
