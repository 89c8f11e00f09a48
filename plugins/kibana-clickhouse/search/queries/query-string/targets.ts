import type { Field, Table } from '../../../clickhouse/catalog/table';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { unsupported } from '../../../common/errors/catalogue';
import { type MetadataField, metadataField } from '../metadata-field';
import { leniently } from '../text/lenient';
import { searchedFields } from '../text/searched-fields';
import { type FieldTest, testCondition } from './field-test';
import type { Leaf } from './match-tree';
import type { SearchSettings } from './search-settings';

/** A field that a part of a query is asked of: one of the table, or one of Elasticsearch's own as `_index`. */
export type Target = TableTarget | { readonly name: string; readonly metadata: MetadataField };

interface TableTarget {
  readonly name: string;
  readonly field: Field;
  readonly metadata?: undefined;
}

const ofField = (field: Field): TableTarget => ({ name: field.name, field });

/**
 * The fields that names and patterns mean. With `quoteFieldSuffix` a field is replaced by that of its name and the suffix,
 * where there is one. What is unmapped means none; errors are those of `searchedFields`.
 */
export function targetsOf(
  table: Table,
  names: readonly string[],
  quoteFieldSuffix = '',
): readonly Target[] {
  const own = names.flatMap((name): readonly Target[] => {
    const metadata = metadataField(name, table);
    return metadata ? [{ name, metadata }] : [];
  });
  const others = names.filter((name) => own.every((target) => target.name !== name));
  const fields = searchedFields(table, quoted(table, others, quoteFieldSuffix));
  return [...own, ...fields.map(ofField)];
}

function quoted(table: Table, names: readonly string[], suffix: string): readonly string[] {
  if (suffix === '') return names;
  const single = names.flatMap((name) =>
    name.includes('*') ? searchedFields(table, [name]).map((field) => field.name) : [name],
  );
  return single.map((name) => (table.field(name + suffix) ? name + suffix : name));
}

/** Points of the earth take no notice of patterns and ranges in query_string: they are left out (Elasticsearch 7.17). */
export const withoutPoints = (targets: readonly Target[]): readonly Target[] =>
  targets.filter((target) => target.metadata !== undefined || target.field.type !== 'geo_point');

/** A test of one target; with `lenient` it matches nothing where the value does not fit. Each is counted. */
export function leafOf(
  target: Target,
  test: FieldTest,
  { context, lenient, countTest }: Pick<SearchSettings, 'context' | 'lenient' | 'countTest'>,
): Leaf {
  countTest();
  const condition = target.metadata
    ? metadataCondition(target.name, target.metadata, test)
    : leniently(lenient, () => testCondition(target.field, test, context));
  return { kind: 'leaf', field: target.name, test, condition };
}

function metadataCondition(name: string, metadata: MetadataField, test: FieldTest): Expr {
  if (test.kind === 'term' || test.kind === 'phrase') return metadata.equals(test.text);
  throw unsupported(`[${test.kind}] on field [${name}]`);
}
