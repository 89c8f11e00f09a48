import { parseColumnType } from '../../clickhouse/catalog/column-type';
import type { Field, FieldType, Table, TimeEncoding } from '../../clickhouse/catalog/table';
import { array, call, column, integer, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { eachValue, epochMillis } from '../aggregations/instants';
import { columnOfField } from './union-names';

/** An index of a union. */
export interface NamedTable {
  readonly index: string;
  readonly table: Table;
}

/** A field of a union, and what of a table's own field stands in its column. */
export interface UnionField {
  readonly field: Field;
  readonly value: (own: Field) => Expr;
}

/** How the values of one field of several tables become values of one type. */
interface Common {
  readonly type: FieldType;
  readonly valueType: Field['valueType'];
  readonly time?: TimeEncoding;
  readonly convert: (value: Expr, own: Field) => Expr;
}

/**
 * A field of several tables as one: of one type where their types can be one without loss, else one that nothing can use.
 * Where a table has no such field its rows have no value. Undefined where no table has it.
 */
export function unionField(name: string, tables: readonly NamedTable[]): UnionField | undefined {
  const owned = tables.flatMap(({ table }) => table.field(name) ?? []);
  const [first] = owned;
  if (first === undefined) return undefined;
  const common = commonType(owned);
  if (common === undefined) return unusable(first, owned);
  const { convert, ...type } = common;
  const isPartial = owned.length < tables.length;
  // a tuple cannot be NULL
  const multiValued =
    owned.some((one) => one.multiValued) || (isPartial && type.type === 'geo_point');
  const field: Field = {
    name,
    ...type,
    searchable: owned.every((one) => one.searchable),
    aggregatable: owned.every((one) => one.aggregatable),
    expr: column(columnOfField(name)),
    multiValued,
    nullable: isPartial || owned.some((one) => one.nullable),
    matching: first.matching,
    ...(owned.some((one) => one.unseen) && { unseen: true }),
    ...(first.twin !== undefined && { twin: first.twin }),
  };
  const value = (own: Field): Expr => {
    const converted = eachValue(own, (one) => convert(one, own));
    return multiValued && !own.multiValued ? asList(own, converted) : converted;
  };
  return { field, value };
}

/** The value of rows of a table without the field. */
export const absentValue = ({ multiValued }: Field): Expr =>
  multiValued ? array([]) : param(null, 'Nullable(Nothing)');

function asList({ nullable }: Field, value: Expr): Expr {
  if (!nullable) return array([value]);
  return call('if', call('isNull', value), array([]), array([call('assumeNotNull', value)]));
}

const wholeTypes: readonly FieldType[] = ['byte', 'short', 'integer', 'long'];
const fractionTypes: readonly FieldType[] = ['float', 'double'];

function commonType(fields: readonly Field[]): Common | undefined {
  const [first] = fields;
  if (first === undefined || fields.some(({ refusal }) => refusal !== undefined)) return undefined;
  const { type, valueType, time } = first;
  if (fields.every((one) => isSame(one, first)))
    return { type, valueType, ...(time && { time }), convert: (value) => value };
  const types = fields.map((one) => one.type);
  const widest = (order: readonly FieldType[]): FieldType =>
    order.findLast((one) => types.includes(one)) ?? type;
  if (types.every((one) => wholeTypes.includes(one)))
    return converted(widest(wholeTypes), 'Int64', (value) => call('toInt64', value));
  if (types.every((one) => [...wholeTypes, ...fractionTypes].includes(one)))
    return converted('double', 'Float64', (value) => call('toFloat64', value));
  if (types.some((one) => one !== type)) return undefined;
  if (type === 'ip') return converted('ip', 'IPv6', (value) => call('toIPv6', value));
  return type === 'date' ? commonDate : undefined;
}

const isSame = (a: Field, b: Field): boolean =>
  a.type === b.type &&
  a.valueType.text === b.valueType.text &&
  a.matching === b.matching &&
  a.twin === b.twin &&
  JSON.stringify(a.time) === JSON.stringify(b.time);

const converted = (type: FieldType, name: string, convert: (value: Expr) => Expr): Common => ({
  type,
  valueType: parseColumnType(name),
  convert,
});

const utc: Expr = param('UTC', 'String');
const dateType = parseColumnType("DateTime64(3, 'UTC')");

/** Dates that are counted in several ways are all counted in ms. */
const commonDate: Common = {
  type: 'date',
  valueType: dateType,
  time: { kind: 'datetime64', precision: 3 },
  convert: (value, { time }) =>
    time ? call('fromUnixTimestamp64Milli', call('toInt64', epochMillis(value, time)), utc) : value,
};

/** Tables have the field in types that are no one type: it can be listed, and not used. */
function unusable(first: Field, owned: readonly Field[]): UnionField {
  const types = [...new Set(owned.map(({ type }) => type))].join(', ');
  const { name, type, valueType, matching } = first;
  const field: Field = {
    ...{ name, type, valueType, matching },
    ...{ searchable: false, aggregatable: false, multiValued: false, nullable: true },
    expr: column(columnOfField(name)),
    refusal: owned[0]?.refusal ?? `it is of several types in the indexes searched: [${types}]`,
  };
  return { field, value: () => integer(0) };
}
