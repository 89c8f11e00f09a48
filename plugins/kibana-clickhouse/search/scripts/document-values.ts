import type { Field } from '../../clickhouse/catalog/table';
import { call, column, lambda, not, param, eq } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { shardIllegalArgument, unsupported } from '../../common/errors/catalogue';
import { epochMillis } from '../aggregations/instants';
import { hasValue } from '../queries/equals';
import { pointOf } from './points';
import { ofType, type ScriptType, type TypedExpr } from './typed-expr';

const types: Readonly<Record<string, ScriptType>> = {
  byte: 'long',
  short: 'long',
  integer: 'long',
  long: 'long',
  float: 'double',
  double: 'double',
  boolean: 'boolean',
  keyword: 'string',
  date: 'date',
  geo_point: 'point',
};

/**
 * What `doc['name']` reads. Throws Elasticsearch's errors for no field of that name and for text, and refuses fields of types
 * that scripts cannot read here.
 */
export function readableField(name: string, field: Field | undefined): Field {
  if (field === undefined || field.type === 'object')
    throw shardIllegalArgument(`No field found for [${name}] in mapping`);
  if (field.type === 'text')
    throw shardIllegalArgument(
      `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${name}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`,
    );
  if (field.refusal !== undefined || types[field.type] === undefined)
    throw unsupported(`field [${name}] of type [${field.type}] in a script`);
  return field;
}

/** `doc['name'].value`: the smallest of several values; NULL where there is none, which fails in Elasticsearch. */
export function valueOfField(field: Field): TypedExpr {
  if (field.type === 'geo_point') return pointOf(field);
  const type = types[field.type] ?? 'null';
  const { expr, multiValued } = field;
  const one = multiValued
    ? call('if', call('notEmpty', expr), call('arrayMin', expr), param(null, 'Nullable(Nothing)'))
    : expr;
  return ofType(type, converted(field, type, one));
}

function converted(field: Field, type: ScriptType, value: Expr): Expr {
  if (type === 'long') return call('toInt64', value);
  if (type === 'double') return call('toFloat64', value);
  return type === 'date' && field.time ? epochMillis(value, field.time) : value;
}

/** `doc['name'].size()`: of a keyword each value counts once (Lucene's SortedSetDocValues). */
export function countOfField(field: Field): TypedExpr {
  const { expr, multiValued, type } = field;
  if (!multiValued) return ofType('int', call('toInt32', hasValueOrNot(field)));
  const values = type === 'keyword' ? call('arrayDistinct', expr) : expr;
  return ofType('int', call('toInt32', call('length', values)));
}

/** `doc['name'].empty`. */
export const isFieldEmpty = (field: Field): TypedExpr => ofType('boolean', not(hasValue(field)));

const hasValueOrNot = (field: Field): Expr =>
  call('if', hasValue(field), param(1, 'UInt8'), param(0, 'UInt8'));

/** `doc['name'].contains(value)`, of a keyword. */
export function fieldContains(field: Field, value: TypedExpr): TypedExpr {
  if (field.type !== 'keyword' || value.type !== 'string')
    throw unsupported(`method [contains] of a field of type [${field.type}] in a script`);
  const found = field.multiValued
    ? call('arrayExists', lambda('x', eq(column('x'), value.expr)), field.expr)
    : call('ifNull', eq(field.expr, value.expr), param(false, 'Bool'));
  return ofType('boolean', found);
}
