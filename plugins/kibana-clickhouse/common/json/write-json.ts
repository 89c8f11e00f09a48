import { type JsonValue, isJsonArray, isJsonObject } from './json';

/**
 * Writes JSON; a bigint becomes the integer it is, digit by digit. Values without a bigint take
 * JSON.stringify's way and cost nothing more. NaN and infinities become null.
 */
export function writeJson(value: JsonValue): string {
  return holdsBigint(value) ? writeExact(value) : JSON.stringify(value);
}

function holdsBigint(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  if (isJsonArray(value)) return value.some(holdsBigint);
  for (const key in value) if (holdsBigint(value[key] ?? null)) return true;
  return false;
}

function writeExact(value: JsonValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (isJsonArray(value)) return `[${value.map(writeExact).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${writeExact(member)}`,
  );
  return `{${members.join(',')}}`;
}
