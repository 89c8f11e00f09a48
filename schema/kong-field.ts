import {
  choices,
  mapSchema,
  secretSettings,
  settingsRoot,
  type SettingSchema,
} from './setting-schema';

/** An attribute set of Kong's schema language (Kong 3.4 to 3.9, `kong/db/schema/metaschema.lua`). */
export interface KongField {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'map' | 'record';
  /** 10 to 500 characters, as Kong's metaschema wants it. */
  readonly description?: string;
  readonly required?: boolean;
  readonly default?: string;
  readonly one_of?: readonly string[];
  readonly between?: readonly [number, number];
  /** A Lua pattern. */
  readonly match?: string;
  readonly len_min?: number;
  readonly len_max?: number;
  readonly referenceable?: boolean;
  readonly encrypted?: boolean;
  readonly elements?: KongField;
  readonly keys?: KongField;
  readonly values?: KongField;
  readonly fields?: readonly KongFieldEntry[];
}

/** Kong's field lists: each entry one name with its attributes. */
export type KongFieldEntry = Readonly<Record<string, KongField>>;

/** What Kong keeps encrypted, where it can, and reads from a vault. */
export const VAULTED = { referenceable: true, encrypted: true } as const;

/** Settings that may come from a vault though they are no secret. */
const ALSO_VAULTED: ReadonlySet<string> = new Set(['proxy.ck.user']);

/**
 * The settings as Kong's field `settings`. None has a default here, so that what kong.yml does not
 * say stays distinguishable; groups are `required`, because Kong then makes them of their fields.
 */
export const settingsField = (): KongField => kongField(settingsRoot, '');

function kongField(schema: SettingSchema, path: string): KongField {
  const description = schema.description === undefined ? {} : { description: schema.description };
  return { ...description, ...typed(schema, path), ...(isVaulted(schema, path) && VAULTED) };
}

const isVaulted = ({ type }: SettingSchema, path: string): boolean =>
  type === 'string' && (secretSettings.has(path) || ALSO_VAULTED.has(path));

function typed(schema: SettingSchema, path: string): KongField {
  const oneOf = choices(schema);
  if (oneOf) return { type: 'string', one_of: oneOf };
  switch (schema.type) {
    case 'array':
      return list(schema, path);
    case 'integer':
      return { type: 'integer', between: [schema.minimum ?? 0, schema.maximum ?? 0] };
    case 'boolean':
      return { type: 'boolean' };
    case 'object':
      return schema.properties ? group(schema.properties, path) : map(schema, path);
    default:
      return text(schema);
  }
}

const group = (properties: NonNullable<SettingSchema['properties']>, path: string): KongField => ({
  type: 'record',
  required: true,
  fields: Object.entries(properties).map(([name, field]) => ({
    [name]: kongField(field, path === '' ? name : `${path}.${name}`),
  })),
});

const list = ({ items = {}, minItems, maxItems }: SettingSchema, path: string): KongField => ({
  type: 'array',
  elements: kongField(items, path),
  ...(minItems !== undefined && { len_min: minItems }),
  ...(maxItems !== undefined && { len_max: maxItems }),
});

function map(schema: SettingSchema, path: string): KongField {
  const { keys = '', values = {} } = mapSchema(schema) ?? {};
  const match = luaPattern(keys);
  return {
    type: 'map',
    keys: { type: 'string', ...(match !== undefined && { match }), len_max: 255 },
    values: valueField(values, path),
  };
}

/** A value has no name that `required` or a description could be about. */
const valueField = (values: SettingSchema, path: string): KongField =>
  Object.fromEntries(
    Object.entries(kongField(values, path)).filter(
      ([attribute]) => attribute !== 'required' && attribute !== 'description',
    ),
  ) as unknown as KongField;

/** Kong takes no empty string unless it is told to. */
function text({ pattern, minLength = 0, maxLength }: SettingSchema): KongField {
  const match = pattern === undefined ? undefined : luaPattern(pattern);
  return {
    type: 'string',
    ...(match !== undefined && { match }),
    ...(minLength === 0 && { len_min: 0 }),
    ...(maxLength !== undefined && { len_max: maxLength }),
  };
}

/**
 * The Lua pattern that means the same, for one class of characters from start to end
 * (`^[^\s,*]+$`); undefined for all else, which only the plugin itself checks.
 */
export function luaPattern(pattern: string): string | undefined {
  const [, characters, count] = /^\^(\[.+\])(\+|\*|\{1,255\})\$$/.exec(pattern) ?? [];
  if (characters === undefined || /\\[^s]/.test(characters)) return undefined;
  const lua = characters.replaceAll('%', '%%').replaceAll('\\s', '%s');
  return `^${lua}${count === '*' ? '*' : '+'}$`;
}
