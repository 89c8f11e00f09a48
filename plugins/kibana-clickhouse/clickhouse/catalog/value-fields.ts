import { call, column, lambda, param } from '../sql/build';
import type { Expr } from '../sql/nodes';
import { asOneType, elementSources } from './alternatives';
import { type ColumnType, bareType, innermostElement } from './column-type';
import { type Conversion, elasticsearchType } from './elasticsearch-type';
import type { Field } from './table';
import type { ValueSource } from './value-source';

const nothing: Expr = param(null, 'Nullable(String)');

/** The field of a parent: not searchable itself, its children are. */
export const objectField = (name: string, source?: ValueSource, refusal?: string): Field => ({
  name,
  type: 'object',
  searchable: false,
  aggregatable: false,
  expr: source?.expr ?? nothing,
  valueType: source?.type ?? objectType,
  multiValued: false,
  nullable: false,
  matching: 'exact',
  ...(refusal !== undefined && { refusal }),
});

const objectType: ColumnType = {
  name: 'Object',
  nullable: false,
  lowCardinality: false,
  inner: [],
  names: [],
  literals: [],
  text: 'Object',
};

/** A field that is shown but cannot be used: `refusal` says why. */
export const refusedField = (source: ValueSource, refusal: string): Field => ({
  ...objectField(source.name, source, refusal),
  type: 'keyword',
});

/**
 * The fields of a source that holds one value or an array of them: one, or for a String two, the text
 * and its `.keyword` twin. A Variant or Dynamic that only text can hold has a field for each of its plain types as well,
 * under the name of the type.
 */
export function valueFields(source: ValueSource): readonly Field[] {
  const one = asOneType(source);
  if ('reason' in one) return [refusedField(source, one.reason)];
  const fields = fieldsOfOne(one);
  const isText = fields[0]?.type === 'text';
  return isText ? [...fields, ...elementSources(source).flatMap(fieldsOfOne)] : fields;
}

function fieldsOfOne(source: ValueSource): readonly Field[] {
  const { depth, element } = innermostElement(source.type);
  const scalar = elasticsearchType(element);
  if (scalar.type === 'unknown') return [refusedField(source, scalar.reason)];
  const multiValued = depth > 0;
  const time = source.time ?? scalar.time;
  const values = (conversion?: Conversion): Expr =>
    multiValued
      ? elements(depth > 1 ? call('arrayFlatten', source.expr) : source.expr, element, conversion)
      : guarded(convert(source.expr, conversion), source.guard);
  const field: Field = {
    name: source.name,
    type: source.time ? 'date' : scalar.type,
    searchable: true,
    aggregatable: source.unseen !== true,
    expr: values(scalar.conversion),
    valueType: scalar.valueType,
    multiValued,
    nullable: !multiValued && (source.type.nullable || source.guard !== undefined),
    matching: 'exact',
    ...(time && { time }),
    ...(source.unseen && { unseen: true }),
    ...presenceOf(source, multiValued),
    ...(isComparedRaw(source, element) && {
      raw: { expr: isKeyOfMap(source, element) ? source.expr : values(), type: bareType(element) },
    }),
  };
  return field.type === 'text' ? textAndTwin(field) : [field];
}

const presenceOf = ({ guard, type }: ValueSource, multiValued: boolean): Pick<Field, 'presence'> =>
  guard === undefined || multiValued || type.nullable ? {} : { presence: guard };

/** A text under a key of a Map, which is empty where the key is absent: what is equal to another text is there. */
const isKeyOfMap = ({ guard, type }: ValueSource, element: ColumnType): boolean =>
  guard !== undefined && type.name === 'String' && element.name === 'String';

/** Whether equality is better tried on the value before conversion: see `Field.raw`. */
function isComparedRaw(source: ValueSource, element: ColumnType): boolean {
  if (isKeyOfMap(source, element)) return true;
  if (source.type.name === 'Array' && element.name === 'FixedString') return false;
  const scalar = elasticsearchType(element);
  return scalar.type !== 'unknown' && scalar.conversion !== undefined;
}

function textAndTwin(field: Field): readonly Field[] {
  const twin = `${field.name}.keyword`;
  return [
    { ...field, aggregatable: false, matching: 'text', twin },
    { ...field, name: twin, type: 'keyword' },
  ];
}

const convert = (expr: Expr, conversion: Conversion | undefined): Expr =>
  conversion === undefined ? expr : call(conversion, expr);

const guarded = (expr: Expr, guard: Expr | undefined): Expr =>
  guard === undefined ? expr : call('if', guard, expr, param(null, 'Nullable(Nothing)'));

/** The array of converted elements; NULL elements are no values in Elasticsearch and are left out. */
function elements(expr: Expr, element: ColumnType, conversion: Conversion | undefined): Expr {
  const x = column('x');
  if (!element.nullable)
    return conversion === undefined
      ? expr
      : call('arrayMap', lambda('x', call(conversion, x)), expr);
  const present = call('arrayFilter', lambda('x', call('isNotNull', x)), expr);
  return call('arrayMap', lambda('x', convert(call('assumeNotNull', x), conversion)), present);
}
