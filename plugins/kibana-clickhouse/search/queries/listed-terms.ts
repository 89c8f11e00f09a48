import type { Field } from '../../clickhouse/catalog/table';
import { binary, literals, tuple } from '../../clickhouse/sql/build';
import type { Expr, SqlValue } from '../../clickhouse/sql/nodes';
import type { JsonValue } from '../../common/json/json';
import { type MomentList, momentList } from '../values/date-bound';
import { type FieldValue, fieldValue, rawValue, stringOf } from '../values/field-value';
import { ipv4Part, parseIpOrBlock, printFullIpv6, printIpv4 } from '../values/ip-value';
import { parseNumber } from '../values/number-value';
import type { QueryContext } from './definition';
import { spanOfDate } from './equals';
import { anyOf } from './queried-field';

/** The values of a `terms` clause: those that one list says, and those that need a condition each (spans, blocks, substrings). */
export interface ListedTerms {
  /** True for the rows that have a value of the list; undefined where nothing stands in it. */
  readonly condition: Expr | undefined;
  readonly others: readonly JsonValue[];
}

/** Up to here values are parameters; longer lists do not fit the URL and are written as literals. */
const maximumParameters = 64;

/** A value of the list; `none`: no document has it; `other`: it cannot stand in a list. */
type Element<T> = T | 'none' | 'other';

/** What a list is compared with, how the values become its elements, and those the right side of an IN. */
interface ListForm<T> {
  readonly expr: Expr;
  readonly element: (value: JsonValue) => Element<T>;
  readonly list: (elements: readonly T[]) => Expr;
}

/** Sorts the values of a `terms` clause. Throws Elasticsearch's error for one that does not fit the field. */
export function listedTerms(
  field: Field,
  values: readonly JsonValue[],
  context: QueryContext,
): ListedTerms {
  if (field.type === 'keyword' && context.seek)
    for (const value of values)
      context.seek({
        field: field.name,
        test: { kind: 'equal', text: stringOf(value), folds: false },
      });
  if (isExact(field)) return sorted(field, values, exactForm(field, values));
  // a few are conditions of their own, which a key serves as well
  if (values.length <= maximumParameters) return { condition: undefined, others: values };
  if (field.type === 'float' || field.type === 'double')
    return sorted(field, values, floatForm(field, field.type));
  if (field.type === 'ip') return sorted(field, values, ipForm(field));
  const moments = momentList(field);
  if (moments) return sorted(field, values, momentForm(field, moments, context));
  return { condition: undefined, others: values };
}

function sorted<T>(field: Field, values: readonly JsonValue[], form: ListForm<T>): ListedTerms {
  const elements: T[] = [];
  const others: JsonValue[] = [];
  for (const value of values) {
    const element = form.element(value);
    if (element === 'other') others.push(value);
    else if (element !== 'none') elements.push(element);
  }
  if (elements.length === 0) return { condition: undefined, others };
  const list = form.list(elements);
  return {
    condition: anyOf(field.multiValued, form.expr, (one) => binary('IN', one, list)),
    others,
  };
}

/** Types whose values ClickHouse's IN compares as Elasticsearch does, without a span or a substring. */
const isExact = ({ type }: Field): boolean =>
  type === 'keyword' || type.endsWith('long') || ['byte', 'short', 'integer'].includes(type);

type Parameter = Extract<Expr, { readonly kind: 'param' }>;

function exactForm(field: Field, values: readonly JsonValue[]): ListForm<Parameter> {
  const { raw } = field;
  const reads =
    raw !== undefined && values.every((value) => rawValue(raw.type, value) !== undefined);
  const read = (value: JsonValue): FieldValue =>
    (reads ? rawValue(raw.type, value) : undefined) ?? fieldValue(field, value);
  return {
    expr: reads ? raw.expr : field.expr,
    element: (value) => {
      const found = read(value);
      return found === 'none' || found.kind !== 'param' ? 'none' : found;
    },
    list: (parameters) =>
      parameters.length <= maximumParameters
        ? tuple(parameters)
        : listOf(
            parameters.map(({ value }) => value),
            parameters[0]?.type ?? 'String',
          ),
  };
}

const listOf = (values: readonly SqlValue[], type: string): Expr =>
  literals([...new Set(values)], type);

/** So many digits name one double, which is rounded to a float once only. */
const exactDigits = 17;

function floatForm(field: Field, type: 'float' | 'double'): ListForm<number> {
  const isFloat32 = field.valueType.name === 'Float32';
  return {
    expr: field.expr,
    element: (value) => {
      const { double, text } = parseNumber(value);
      const stored = type === 'float' ? Math.fround(double) : double;
      return Number.isFinite(stored) && text.length <= exactDigits ? stored : 'other';
    },
    // IN tells the two zeros apart, as Elasticsearch does; a Set does not
    list: (numbers) =>
      literals(
        [...new Set(numbers.filter((one) => one !== 0)), ...zerosIn(numbers)],
        isFloat32 ? 'Float32' : 'Float64',
      ),
  };
}

const zerosIn = (numbers: readonly number[]): readonly number[] =>
  [0, -0].filter((zero) => numbers.some((one) => Object.is(one, zero)));

function ipForm(field: Field): ListForm<string> {
  const isV4 = field.valueType.name === 'IPv4';
  return {
    expr: field.expr,
    element: (value) => {
      const range = parseIpOrBlock(stringOf(value));
      if (range.from !== range.to) return 'other';
      if (!isV4) return printFullIpv6(range.from);
      const part = ipv4Part(range);
      return part ? printIpv4(part.from) : 'none';
    },
    list: (addresses) => listOf(addresses, isV4 ? 'IPv4' : 'IPv6'),
  };
}

const momentForm = (
  field: Field,
  moments: MomentList,
  context: QueryContext,
): ListForm<bigint> => ({
  expr: field.expr,
  element: (value) => moments.moment(spanOfDate(field, value, context)),
  list: (counts) => moments.list([...new Set(counts)]),
});
