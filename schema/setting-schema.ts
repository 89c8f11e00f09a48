import { settingsSchema } from './settings';

/** What stands in the schema of one setting or group of settings: JSON Schema, as far as it is used here. */
export interface SettingSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly description?: string;
  readonly default?: unknown;
  /** Fields of a group. */
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  /** Entries of a map: one pattern for all keys. */
  readonly patternProperties?: Readonly<Record<string, SettingSchema>>;
  readonly items?: SettingSchema;
  /** Values of a choice, or conditions of which one must hold. */
  readonly anyOf?: readonly { readonly const?: string }[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The schema of all settings, to be walked. */
export const settingsRoot: SettingSchema = settingsSchema;

/**
 * What is secret of a setting: all of it, each value of a map, or the user information in an address
 * (`http://user:password@host`).
 */
export type SettingSecrecy = 'whole' | 'values' | 'address';

/** The settings that are or hold a secret, by dotted path. */
export const secretSettings: ReadonlyMap<string, SettingSecrecy> = new Map<string, SettingSecrecy>([
  ['proxy.es.host', 'address'],
  ['proxy.es.headers', 'values'],
  ['proxy.ck.url', 'address'],
  ['proxy.ck.pass', 'whole'],
]);

/** The pattern of a map's keys and the schema of its values; undefined for what is no map. */
export function mapSchema({
  patternProperties,
}: SettingSchema): { readonly keys: string; readonly values: SettingSchema } | undefined {
  const [entry] = Object.entries(patternProperties ?? {});
  return entry && { keys: entry[0], values: entry[1] };
}

/** The values of a choice; undefined for what is none. */
export function choices({ anyOf = [] }: SettingSchema): readonly string[] | undefined {
  const values = anyOf.flatMap((one) => one.const ?? []);
  return values.length === 0 ? undefined : values;
}
