import type { Packed } from '../plugin-server/rpc';

/** A PDK function that raised in Lua: Kong answers 500 and the plugin never learns of it. */
export class LuaError extends Error {
  override readonly name = 'LuaError';
}

/** Bytes and text are one type in Lua: the text (latin1 for bytes), undefined for any other type. */
export function luaString(value: Packed): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : undefined;
}

/** The string argument of that name; raises as the PDK does when it is none. */
export function stringArgument(value: Packed, name: string): string {
  const text = luaString(value);
  if (text === undefined) throw new LuaError(`${name} must be a string`);
  return text;
}

/** The integer argument of that name in the range; raises as the PDK does when it is none. */
export function integerArgument(
  value: Packed,
  name: string,
  [least, most]: readonly [number, number],
): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new LuaError(`${name} must be an integer`);
  }
  if (value < least || value > most) {
    throw new LuaError(
      `${name} must be an integer between ${String(least)} and ${String(most)}: given ${String(value)}`,
    );
  }
  return value;
}

export function isPackedRecord(value: Packed): value is Readonly<Record<string, Packed>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array)
  );
}

/** A header's value as the PDK takes it: a string, number or boolean, or an array of them. */
export function headerValues(value: Packed, name: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one: Packed) => headerValues(one, name));
  const text = luaString(value);
  if (text !== undefined) return [text];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  throw new LuaError(`invalid header value for '${name}': got ${luaType(value)}, expected string`);
}

/** Headers as a table of names and values; raises as the PDK does for anything else. */
export function headerTable(value: Packed): readonly (readonly [string, readonly string[]])[] {
  if (Array.isArray(value) && value.length === 0) return [];
  if (!isPackedRecord(value)) throw new LuaError('headers must be a table');
  return Object.entries(value).map(([name, one]) => [name, headerValues(one, name)]);
}

/** The name of the value's type in Lua. */
export function luaType(value: Packed): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value === 'object') return value instanceof Uint8Array ? 'string' : 'table';
  return typeof value;
}
