import { createHash } from 'node:crypto';
import type { Table } from '../clickhouse/catalog/table';
import { isJsonObject, type JsonObject, type JsonValue } from '../common/json/json';
import { booleanParameter } from '../search/request/coerce';
import { namePattern } from '../search/request/name-pattern';

/** An id in the form of Elasticsearch's, the same for a table on every node: 22 characters. */
export const indexUuid = ({ database, name }: Pick<Table, 'database' | 'name'>): string =>
  createHash('sha256')
    .update(JSON.stringify([database, name]))
    .digest('base64url')
    .slice(0, 22);

/** The settings of a table as an index, by their full names. There is one shard; what a table has no word for is absent. */
export const settingsOf = (index: string, table: Table): Readonly<Record<string, string>> => ({
  'index.number_of_replicas': '0',
  'index.number_of_shards': '1',
  'index.provided_name': index,
  'index.uuid': indexUuid(table),
});

/** Limits that hold for every index and that clients ask for. */
const defaults: Readonly<Record<string, string>> = {
  'index.max_inner_result_window': '100',
  'index.max_result_window': '10000',
};

/**
 * Settings as `GET /{index}/_settings` shows them: nested, or flat where `flat_settings` asks for it, with
 * `include_defaults` the limits, too. `patterns`: names and patterns of settings; empty: all. Undefined when none is left.
 */
export function shownSettings(
  settings: Readonly<Record<string, string>>,
  query: ReadonlyMap<string, string>,
  patterns: readonly string[] = [],
): JsonObject | undefined {
  const isOn = (name: string): boolean => booleanParameter(query.get(name) ?? 'false');
  const tests = patterns.map(namePattern);
  const asked = (all: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
    Object.entries(all).filter(([name]) => tests.length === 0 || tests.some((test) => test(name)));
  const print = isOn('flat_settings') ? flat : nested;
  const [own, limits] = [asked(settings), isOn('include_defaults') ? asked(defaults) : []];
  if (own.length + limits.length === 0) return undefined;
  return {
    settings: print(own),
    ...(isOn('include_defaults') && { defaults: print(limits) }),
  };
}

type Entries = readonly (readonly [string, string])[];

const flat = (entries: Entries): JsonObject => Object.fromEntries(entries);

const nested = (entries: Entries): JsonObject =>
  entries.reduce<JsonObject>(
    (object, [name, value]) => withPath(object, name.split('.'), value),
    {},
  );

function withPath(
  object: JsonObject,
  [first = '', ...rest]: readonly string[],
  value: string,
): JsonObject {
  const inner: JsonValue = object[first] ?? {};
  if (rest.length === 0) return { ...object, [first]: value };
  return { ...object, [first]: withPath(isJsonObject(inner) ? inner : {}, rest, value) };
}
