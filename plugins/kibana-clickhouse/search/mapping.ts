import type { Field, Table } from '../clickhouse/catalog/table';
import type { JsonObject } from '../common/json/json';
import { namePattern } from './request/name-pattern';

interface Property {
  readonly field?: Field;
  readonly children: Map<string, Property>;
}

/** The mapping of a table, as `GET /{index}/_mapping` shows it: objects with their properties, texts with their twin. */
export function mappingOf(table: Table): JsonObject {
  const root = new Map<string, Property>();
  for (const field of table.fields.values()) if (!isTwin(field, table)) place(field, root);
  return { properties: propertiesOf(root) };
}

/** Fields that are another's `.keyword` stand within that one. */
const isTwin = ({ name }: Field, table: Table): boolean =>
  name.endsWith(twinEnding) && table.fields.get(name.slice(0, -twinEnding.length))?.twin === name;

const twinEnding = '.keyword';

function place(field: Field, root: Map<string, Property>): void {
  const names = field.name.split('.');
  let level = root;
  for (const [i, name] of names.entries()) {
    const known = level.get(name);
    const isLast = i === names.length - 1;
    const property: Property = {
      ...(isLast ? { field } : known?.field && { field: known.field }),
      children: known?.children ?? new Map<string, Property>(),
    };
    level.set(name, property);
    level = property.children;
  }
}

const propertiesOf = (level: ReadonlyMap<string, Property>): JsonObject =>
  Object.fromEntries([...level].map(([name, property]) => [name, propertyOf(property)]));

function propertyOf({ field, children }: Property): JsonObject {
  const properties = children.size > 0 ? { properties: propertiesOf(children) } : undefined;
  if (field === undefined || field.type === 'object') return properties ?? { type: 'object' };
  return { ...fieldMapping(field), ...properties };
}

/** What stands under a field's own name. */
const fieldMapping = ({ type, twin }: Field): JsonObject => ({
  type,
  ...(twin !== undefined && { fields: { keyword: { type: 'keyword' } } }),
});

/** Fields of every index, which a mapping of fields lists by name alone. */
const metadataNames: readonly string[] = [
  '_doc_count',
  '_feature',
  '_field_names',
  '_id',
  '_ignored',
  '_index',
  '_routing',
  '_seq_no',
  '_source',
  '_version',
];

/**
 * The mappings of single fields, by name, as `GET /{index}/_mapping/field/{fields}` shows them; objects are none. `names`:
 * names and patterns.
 */
export function fieldMappings(table: Table, names: readonly string[]): JsonObject {
  const tests = names.map(namePattern);
  const isAsked = (name: string): boolean => tests.some((test) => test(name));
  const own = metadataNames
    .filter(isAsked)
    .map((name) => [name, { full_name: name, mapping: {} }] as const);
  const fields = [...table.fields.values()].filter(
    ({ name, type }) => type !== 'object' && isAsked(name),
  );
  return Object.fromEntries([
    ...own,
    ...fields.map((field) => {
      const { name } = field;
      const last = name.slice(name.lastIndexOf('.') + 1);
      return [name, { full_name: name, mapping: { [last]: fieldMapping(field) } }] as const;
    }),
  ]);
}
