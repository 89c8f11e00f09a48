const UNIT_MS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Elasticsearch's time value in ms, rounded down: `30s`, `1m`, `604800000ms`; `0` needs no unit.
 * Undefined when it is none.
 */
export function timeValueMs(text: string): number | undefined {
  const match = /^(\d+)(nanos|micros|ms|s|m|h|d)?$/.exec(text.trim().toLowerCase());
  const [, digits, unit] = match ?? [];
  if (digits === undefined) return undefined;
  if (unit === undefined) return Number(digits) === 0 ? 0 : undefined;
  return Math.floor(Number(digits) * (UNIT_MS[unit] ?? Number.NaN));
}
