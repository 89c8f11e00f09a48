/**
 * A value of a script: a double is a number, a long a bigint, an int an object, so that divisions are Java's. Arrays hold
 * doubles; `params` is a map.
 */
export type ScriptValue =
  number | bigint | Int | boolean | string | null | readonly number[] | ScriptMap;

export interface Int {
  readonly int: number;
}

export type ScriptMap = ReadonlyMap<string, ScriptValue>;

/** A number of any type. */
export type ScriptNumber = number | bigint | Int;

export const isInt = (value: ScriptValue): value is Int =>
  typeof value === 'object' && value !== null && 'int' in value;

export const isNumber = (value: ScriptValue): value is ScriptNumber =>
  typeof value === 'number' || typeof value === 'bigint' || isInt(value);

export const isMap = (value: ScriptValue): value is ScriptMap => value instanceof Map;

export const isDoubles = (value: ScriptValue): value is readonly number[] => Array.isArray(value);

/** Any number as a double. */
export const toDouble = (value: ScriptNumber): number => (isInt(value) ? value.int : Number(value));

/** Java's name of a value's type, for errors. */
export function typeName(value: ScriptValue): string {
  if (value === null) return 'null';
  if (isInt(value)) return 'int';
  if (typeof value === 'bigint') return 'long';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'string') return 'java.lang.String';
  if (typeof value === 'boolean') return 'boolean';
  return isMap(value) ? 'java.util.Map' : 'double[]';
}
