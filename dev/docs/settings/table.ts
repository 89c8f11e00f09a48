import {
  choices,
  mapSchema,
  settingsRoot,
  type SettingSchema,
} from '../../../schema/setting-schema';
import { markdownTable } from '../markdown';

/** The table of all settings, from their schema. */
export const settingsTable = (): string =>
  markdownTable(['Setting', 'Type', 'Default', 'Bounds', 'Meaning'], rows(settingsRoot, ''));

function rows(schema: SettingSchema, path: string): readonly (readonly string[])[] {
  return fieldsOf(schema).flatMap(([name, field]) => {
    const full = path === '' ? name : `${path}.${name}`;
    const inner = rows(field, full);
    return field.properties ? inner : [row(full, field), ...inner];
  });
}

/** The fields of a group; those of a map's groups stand under `<index>`. */
function fieldsOf(schema: SettingSchema): readonly (readonly [string, SettingSchema])[] {
  const { properties } = schema;
  if (properties) return Object.entries(properties);
  const group = mapSchema(schema)?.values;
  return group?.properties ? [['<index>', group]] : [];
}

const row = (path: string, schema: SettingSchema): readonly string[] => [
  `\`${path}\``,
  typeOf(schema),
  schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``,
  boundsOf(schema),
  schema.description ?? '',
];

function typeOf(schema: SettingSchema): string {
  if (choices(schema)) return 'string';
  if (schema.type === 'array') return `array of ${schema.items?.type ?? 'string'}`;
  return schema.type === 'object' ? 'object' : (schema.type ?? '');
}

function boundsOf(schema: SettingSchema): string {
  const values = choices(schema);
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'integer') return `${number(schema.minimum)} to ${number(schema.maximum)}`;
  if (schema.type === 'array') return span(schema.minItems, schema.maxItems, 'entries');
  return schema.type === 'string' ? span(schema.minLength, schema.maxLength, 'characters') : '';
}

const number = (value = 0): string =>
  value === Number.MAX_SAFE_INTEGER ? '2^53 - 1' : value.toLocaleString('en-US');

const span = (least = 0, most = 0, unit: string): string =>
  least === 0 ? `at most ${number(most)} ${unit}` : `${number(least)} to ${number(most)} ${unit}`;
