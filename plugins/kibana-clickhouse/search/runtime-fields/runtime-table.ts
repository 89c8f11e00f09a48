import { parseColumnType } from '../../clickhouse/catalog/column-type';
import type { Field, Table } from '../../clickhouse/catalog/table';
import { call } from '../../clickhouse/sql/build';
import { unsupported } from '../../common/errors/catalogue';
import { parseScript } from '../scripts/parse';
import { translateScript } from '../scripts/translate';
import type { TypedExpr } from '../scripts/typed-expr';
import { emittedValue } from './emitted-value';
import type { RuntimeField, RuntimeType } from './parse-runtime-mappings';

/**
 * A table with fields that a search defines: queries, sorts, aggregations and hits take them for any other field, and one that has
 * the name of a column's hides that. Where a document has no value that the script reads, the field has none; in Elasticsearch
 * the search fails there. Throws for scripts that `translateScript` cannot say.
 */
export function withRuntimeFields(table: Table, runtime: readonly RuntimeField[]): Table {
  if (runtime.length === 0) return table;
  const defined = new Map<string, Field>();
  const names = new Set(runtime.map(({ name }) => name));
  for (const field of runtime) {
    const read = (name: string): Field | undefined => {
      if (names.has(name) && !defined.has(name))
        throw unsupported(`runtime field [${name}] in the script of one that stands before it`);
      return defined.get(name) ?? table.field(name);
    };
    defined.set(field.name, definedField(field, read));
  }
  return {
    ...table,
    fields: new Map([...table.fields, ...defined]),
    field: (name) => defined.get(name) ?? table.field(name),
  };
}

function definedField(
  { name, type, script: { source, lang, params } }: RuntimeField,
  field: (name: string) => Field | undefined,
): Field {
  const statements = emittedValue(parseScript(source, lang, 'read'));
  const { columnType, from, by } = conversions[type];
  const typed = translateScript(statements, { params, field });
  if (typed.type !== 'null' && !from.includes(typed.type))
    throw unsupported(`a ${typed.type} for the value of runtime field [${name}] of type [${type}]`);
  return {
    name,
    type,
    searchable: true,
    aggregatable: true,
    expr: call(by, typed.expr),
    valueType: parseColumnType(columnType),
    multiValued: false,
    nullable: true,
    matching: 'exact',
    ...(type === 'date' && { time: { kind: 'epoch', unit: 'ms' } }),
  };
}

interface Conversion {
  readonly columnType: string;
  /** What `emit` takes for a field of the type. */
  readonly from: readonly TypedExpr['type'][];
  readonly by: string;
}

const conversions: Readonly<Record<RuntimeType, Conversion>> = {
  boolean: { columnType: 'Bool', from: ['boolean'], by: 'toBool' },
  date: { columnType: 'Int64', from: ['int', 'long'], by: 'toInt64' },
  double: { columnType: 'Float64', from: ['double', 'int', 'long'], by: 'toFloat64' },
  keyword: { columnType: 'String', from: ['string'], by: 'toString' },
  long: { columnType: 'Int64', from: ['int', 'long'], by: 'toInt64' },
};
