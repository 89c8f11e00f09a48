import { isDeepStrictEqual } from 'node:util';
import { mapSchema, settingsRoot, type SettingSchema } from '../../../../schema/setting-schema';
import type { PartialSettings, Settings } from '../../../../schema/settings';

type Tree = Readonly<Record<string, unknown>>;

/** The single settings of a whole or a part, by dotted path; an option of a table is one too: `tables.logs.timeField`. */
export type SettingLeaves = ReadonlyMap<string, unknown>;

/** The settings that a part holds. */
export const settingLeaves = (settings: PartialSettings): SettingLeaves =>
  new Map(leavesOf(settingsRoot, settings, ''));

function leavesOf(
  schema: SettingSchema,
  value: unknown,
  path: string,
): readonly (readonly [string, unknown])[] {
  if (value === undefined) return [];
  const inner = innerSchemas(schema, [value]);
  return inner
    ? [...inner].flatMap(([name, field]) =>
        leavesOf(field, (value as Tree)[name], path === '' ? name : `${path}.${name}`),
      )
    : [[path, value]];
}

/**
 * What is in force: each setting from the first layer that has it, else its default. Frozen.
 */
export const mergeSettings = (layers: readonly PartialSettings[]): Settings =>
  merged(settingsRoot, layers) as Settings;

function merged(schema: SettingSchema, layers: readonly unknown[]): unknown {
  const given = layers.filter((layer) => layer !== undefined);
  const inner = innerSchemas(schema, given);
  if (!inner) return Object.freeze(given.length > 0 ? given[0] : schema.default);
  const fields = [...inner].map(([name, field]) => {
    const values = given.map((layer) => (layer as Tree)[name]);
    return [name, merged(field, values)] as const;
  });
  return Object.freeze(Object.fromEntries(fields.filter(([, value]) => value !== undefined)));
}

/**
 * The fields of a group, or of a map of groups those that one of the values has; undefined for what
 * is one setting.
 */
function innerSchemas(
  schema: SettingSchema,
  values: readonly unknown[],
): ReadonlyMap<string, SettingSchema> | undefined {
  if (schema.properties) return new Map(Object.entries(schema.properties));
  const group = groupOfMap(schema);
  if (!group) return undefined;
  return new Map(values.flatMap((value) => Object.keys(value as Tree)).map((key) => [key, group]));
}

/** The paths that have another value in one than in the other, in the order of the first. */
export function differingPaths(one: PartialSettings, other: PartialSettings): readonly string[] {
  const [before, after] = [settingLeaves(one), settingLeaves(other)];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => !isDeepStrictEqual(before.get(path), after.get(path)),
  );
}

/** The names of the one setting at or above a path, or the path itself where no setting is. */
export function settingNames(names: readonly string[]): readonly string[] {
  let schema: SettingSchema = settingsRoot;
  for (const [i, name] of names.entries()) {
    const inner = schema.properties?.[name] ?? groupOfMap(schema);
    if (!inner) return schema.properties ? names : names.slice(0, i);
    schema = inner;
  }
  return names;
}

/** What the values of a map are, when they are groups. */
function groupOfMap(schema: SettingSchema): SettingSchema | undefined {
  const values = mapSchema(schema)?.values;
  return values?.properties ? values : undefined;
}

/** What stands at a path of names; undefined where a part of it is missing. */
export const settingAt = (settings: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Tree)[name]
        : undefined,
    settings,
  );

/** The same with another value at a path; undefined takes it away. */
export function withSetting<T extends object>(
  settings: T,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): T {
  const { [name]: before = {}, ...others } = settings as Tree;
  const next = rest.length === 0 ? value : withSetting(before as object, rest, value);
  return (next === undefined ? others : { ...others, [name]: next }) as T;
}
