import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';

/** What a document has under one path. */
export interface FlatField {
  readonly values: readonly JsonValue[];
  /** Whether an array stands anywhere on the way. */
  readonly inArray: boolean;
}

/**
 * A document by the full paths of its fields, as Elasticsearch sees it: `{"a": [{"b": 1}, {"b": 2}]}` has `a.b` with two
 * values. Null is no value. Objects under a path that `isLeaf` names (points) are values themselves.
 */
export function flatDocument(
  document: JsonObject,
  isLeaf: (path: string) => boolean,
): ReadonlyMap<string, FlatField> {
  const fields = new Map<string, { values: JsonValue[]; inArray: boolean }>();
  const add = (path: string, value: JsonValue, inArray: boolean): void => {
    if (isJsonArray(value)) {
      if (value.length === 0) field(path).inArray = true;
      for (const item of value) add(path, item, true);
    } else if (isJsonObject(value) && !isLeaf(path)) {
      for (const [name, item] of Object.entries(value))
        add(path === '' ? name : `${path}.${name}`, item, inArray);
    } else if (value !== null) {
      const found = field(path);
      found.values.push(value);
      found.inArray ||= inArray;
    }
  };
  const field = (path: string): { values: JsonValue[]; inArray: boolean } => {
    const known = fields.get(path) ?? { values: [], inArray: false };
    fields.set(path, known);
    return known;
  };
  add('', document, false);
  return fields;
}
