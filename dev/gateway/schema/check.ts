import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import type { EntityCheck, FieldSchema, NamedField } from './field';
import { luaPattern } from './lua-pattern';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Collects what is wrong, each problem with the place where it stands in the kong.yml. */
export class Problems {
  readonly #found: string[] = [];

  add(at: string, problem: string): void {
    this.#found.push(at === '' ? problem : `${at}: ${problem}`);
  }

  get list(): readonly string[] {
    return this.#found;
  }
}

const join = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

const written = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/**
 * The record with Kong's defaults filled in and its unset fields left out, as a plugin instance sees
 * it. As in Kong 3.9 (`process_auto_fields`): a default stands for what is missing, never for an
 * explicit null; a nested record comes into being by itself only when it is `required`.
 * What the schema does not allow goes to `problems`, unknown keys by name.
 */
export function checkRecord(
  schema: Pick<FieldSchema, 'fields' | 'entity_checks'>,
  given: JsonValue,
  at: string,
  problems: Problems,
): JsonObject {
  if (!isJsonObject(given)) {
    problems.add(at, 'expected a record');
    return {};
  }
  const fields = new Map(
    (schema.fields ?? []).flatMap((named: NamedField) => Object.entries(named)),
  );
  for (const key of Object.keys(given)) {
    if (!fields.has(key)) problems.add(join(at, key), 'unknown field');
  }
  const checked: Record<string, JsonValue> = {};
  for (const [name, field] of fields) {
    const value = checkField(field, given[name], join(at, name), problems);
    if (value !== undefined) checked[name] = value;
  }
  for (const check of schema.entity_checks ?? []) checkEntity(check, checked, at, problems);
  return checked;
}

function checkEntity(check: EntityCheck, record: JsonObject, at: string, problems: Problems): void {
  const count = (names: readonly string[]): number =>
    names.filter((name) => record[name] !== undefined).length;
  const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');
  if (check.at_least_one_of !== undefined && count(check.at_least_one_of) === 0) {
    problems.add(
      at,
      `at least one of these fields must be non-empty: ${quoted(check.at_least_one_of)}`,
    );
  }
  if (check.only_one_of !== undefined && count(check.only_one_of) !== 1) {
    problems.add(at, `exactly one of these fields must be non-empty: ${quoted(check.only_one_of)}`);
  }
  if (check.mutually_exclusive !== undefined && count(check.mutually_exclusive) > 1) {
    problems.add(at, `only one of these fields may be set: ${quoted(check.mutually_exclusive)}`);
  }
}

function missing(field: FieldSchema): JsonValue | undefined {
  if (field.default !== undefined) return field.default;
  return field.required === true && field.type === 'record' ? {} : undefined;
}

/** One value under its schema; undefined when it is unset and stays so. */
export function checkField(
  field: FieldSchema,
  given: JsonValue | undefined,
  at: string,
  problems: Problems,
): JsonValue | undefined {
  const value = given === undefined ? missing(field) : given;
  if (value === undefined || value === null) {
    if (field.required === true) problems.add(at, 'required field missing');
    return undefined;
  }
  const typed = checkType(field, value, at, problems);
  if (typed !== undefined) checkValue(field, typed, at, problems);
  return typed;
}

function checkType(
  field: FieldSchema,
  value: JsonValue,
  at: string,
  problems: Problems,
): JsonValue | undefined {
  switch (field.type) {
    case 'record':
      return checkRecord(field, value, at, problems);
    case 'array':
    case 'set':
      return checkElements(field, value, at, problems);
    case 'map':
      return checkMap(field, value, at, problems);
    default:
      if (hasScalarType(field.type, value)) return value;
      problems.add(at, `expected ${field.type === 'integer' ? 'an' : 'a'} ${field.type}`);
      return undefined;
  }
}

function hasScalarType(type: string, value: JsonValue): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function checkElements(
  field: FieldSchema,
  value: JsonValue,
  at: string,
  problems: Problems,
): JsonValue | undefined {
  const { elements } = field;
  if (!isJsonArray(value)) {
    problems.add(at, `expected ${field.type === 'array' ? 'an array' : 'a set'}`);
    return undefined;
  }
  if (elements === undefined) return value;
  const checked = value.map((element, index) => {
    if (element === null) problems.add(`${at}[${String(index)}]`, 'required field missing');
    return checkField(elements, element, `${at}[${String(index)}]`, problems) ?? null;
  });
  return field.type === 'set' ? [...new Set(checked)] : checked;
}

function checkMap(
  field: FieldSchema,
  value: JsonValue,
  at: string,
  problems: Problems,
): JsonValue | undefined {
  if (!isJsonObject(value)) {
    problems.add(at, 'expected a map');
    return undefined;
  }
  const checked: Record<string, JsonValue> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (field.keys !== undefined) checkField(field.keys, key, join(at, key), problems);
    const inner =
      field.values === undefined ? entry : checkField(field.values, entry, join(at, key), problems);
    if (inner !== undefined) checked[key] = inner;
  }
  return checked;
}

function checkValue(field: FieldSchema, value: JsonValue, at: string, problems: Problems): void {
  const list = (values: readonly JsonValue[]): string => values.map(written).join(', ');
  if (field.one_of?.includes(value) === false) {
    problems.add(at, `expected one of: ${list(field.one_of)}`);
  }
  if (field.not_one_of?.includes(value) === true) {
    problems.add(at, `must not be one of: ${list(field.not_one_of)}`);
  }
  if (field.eq !== undefined && value !== field.eq) {
    problems.add(at, `value must be ${written(field.eq)}`);
  }
  if (typeof value === 'number') checkNumber(field, value, at, problems);
  if (typeof value === 'string') checkString(field, value, at, problems);
  checkLength(field, value, at, problems);
}

function checkNumber(field: FieldSchema, value: number, at: string, problems: Problems): void {
  if (field.between !== undefined && (value < field.between[0] || value > field.between[1])) {
    problems.add(at, `value should be between ${field.between.join(' and ')}`);
  }
  if (field.gt !== undefined && value <= field.gt) {
    problems.add(at, `value must be greater than ${String(field.gt)}`);
  }
}

function checkString(field: FieldSchema, value: string, at: string, problems: Problems): void {
  // Kong vaults are not here, and a reference taken literally would be a wrong password.
  if (/^\{vault:\/\/.*\}$/.test(value)) {
    problems.add(at, `vault reference '${value}' cannot be resolved by the local gateway`);
  }
  if (field.match !== undefined && !luaPattern(field.match).test(value)) {
    problems.add(at, `invalid value: ${value}`);
  }
  if (field.not_match !== undefined && luaPattern(field.not_match).test(value)) {
    problems.add(at, `invalid value: ${value}`);
  }
  if (field.starts_with !== undefined && !value.startsWith(field.starts_with)) {
    problems.add(at, `should start with: ${field.starts_with}`);
  }
  if (field.uuid === true && !UUID.test(value)) problems.add(at, 'expected a valid UUID');
  if (field.is_regex === true) checkRegex(value, at, problems);
}

function checkRegex(value: string, at: string, problems: Problems): void {
  try {
    new RegExp(value);
  } catch {
    problems.add(at, `not a valid regex: ${value}`);
  }
}

function lengthOf(value: JsonValue): number | undefined {
  if (typeof value === 'string' || isJsonArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

function checkLength(field: FieldSchema, value: JsonValue, at: string, problems: Problems): void {
  const length = lengthOf(value);
  if (length === undefined || field.type === 'record') return;
  // Kong takes no empty string unless its schema says len_min = 0.
  const minimum = field.len_min ?? (field.type === 'string' ? 1 : 0);
  if (length < minimum) problems.add(at, `length must be at least ${String(minimum)}`);
  if (field.len_max !== undefined && length > field.len_max) {
    problems.add(at, `length must be at most ${String(field.len_max)}`);
  }
  if (field.len_eq !== undefined && length !== field.len_eq) {
    problems.add(at, `length must be ${String(field.len_eq)}`);
  }
}
