import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';

/** The field types of Kong's schema language that the local gateway can check. */
export type FieldType =
  'string' | 'integer' | 'number' | 'boolean' | 'array' | 'set' | 'map' | 'record';

/** One named field, as Kong writes it: `{ name: { type, … } }`. */
export type NamedField = Readonly<Record<string, FieldSchema>>;

/**
 * One field in Kong's schema language (Kong 3.9 `kong/db/schema/init.lua`), as a plugin server's dump
 * spells it. `match` and `not_match` are Lua patterns. Lengths count characters or elements.
 */
export interface FieldSchema {
  readonly type: FieldType;
  readonly required?: boolean;
  readonly default?: JsonValue;
  readonly one_of?: readonly JsonValue[];
  readonly not_one_of?: readonly JsonValue[];
  readonly eq?: JsonValue;
  readonly between?: readonly [number, number];
  readonly gt?: number;
  readonly len_eq?: number;
  readonly len_min?: number;
  readonly len_max?: number;
  readonly match?: string;
  readonly not_match?: string;
  readonly starts_with?: string;
  readonly is_regex?: boolean;
  readonly uuid?: boolean;
  readonly elements?: FieldSchema;
  readonly keys?: FieldSchema;
  readonly values?: FieldSchema;
  readonly fields?: readonly NamedField[];
  readonly entity_checks?: readonly EntityCheck[];
}

/** The checks over several fields of one record that the local gateway knows. */
export interface EntityCheck {
  readonly at_least_one_of?: readonly string[];
  readonly only_one_of?: readonly string[];
  readonly mutually_exclusive?: readonly string[];
}

const CHECKED_ATTRIBUTES = new Set([
  ...['type', 'required', 'default', 'one_of', 'not_one_of', 'eq', 'between', 'gt', 'len_eq'],
  ...['len_min', 'len_max', 'match', 'not_match', 'starts_with', 'is_regex', 'uuid', 'elements'],
  ...['keys', 'values', 'fields', 'entity_checks'],
]);

/** Attributes that change nothing for a gateway without a database or vault. */
const HARMLESS_ATTRIBUTES = new Set(['description', 'referenceable', 'encrypted', 'err', 'unique']);

const TYPES = new Set<string>([
  ...['string', 'integer', 'number', 'boolean', 'array', 'set', 'map', 'record'],
]);

const ENTITY_CHECKS = new Set(['at_least_one_of', 'only_one_of', 'mutually_exclusive']);

/**
 * Names every part of a dumped schema that the local gateway cannot check, so that it is refused at
 * start instead of being ignored. Gives an empty list for a schema that it knows completely.
 */
export function unknownSchemaParts(field: FieldSchema, at: string): readonly string[] {
  const attributes = Object.keys(field)
    .filter((name) => !CHECKED_ATTRIBUTES.has(name) && !HARMLESS_ATTRIBUTES.has(name))
    .map((name) => `${at}: schema attribute '${name}' is not known to the local gateway`);
  const type = TYPES.has(field.type) ? [] : [`${at}: schema type '${field.type}' is not known`];
  const checks = (field.entity_checks ?? [])
    .flatMap((check) => Object.keys(check))
    .filter((name) => !ENTITY_CHECKS.has(name))
    .map((name) => `${at}: entity check '${name}' is not known to the local gateway`);
  const inner = [field.elements, field.keys, field.values].flatMap((part) =>
    part === undefined ? [] : unknownSchemaParts(part, at),
  );
  const nested = (field.fields ?? []).flatMap((named) =>
    Object.entries(named).flatMap(([name, part]) => unknownSchemaParts(part, `${at}.${name}`)),
  );
  return [...attributes, ...type, ...checks, ...inner, ...nested];
}
