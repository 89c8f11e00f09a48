import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';

/** What stands under names within objects; null where one of them is not there. */
export function at(value: JsonValue | undefined, ...names: readonly string[]): JsonValue {
  return names.reduce<JsonValue>(
    (object, name) => (isJsonObject(object) ? (object[name] ?? null) : null),
    value ?? null,
  );
}

/** The object without a member. */
export const without = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
