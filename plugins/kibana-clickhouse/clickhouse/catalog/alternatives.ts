import { call, column, lambda, param } from '../sql/build';
import type { Expr } from '../sql/nodes';
import {
  type ColumnType,
  arrayOf,
  bareType,
  innermostElement,
  isMixedType,
  nullableOf,
  parseColumnType,
} from './column-type';
import { elasticsearchType } from './elasticsearch-type';
import type { ValueSource } from './value-source';

/** Why the values of a source cannot be one field. */
export interface NoCommonType {
  readonly reason: string;
}

/**
 * What a path of a JSON column holds when nobody has seen it: the types that ClickHouse gives the values of JSON
 * (`input_format_try_infer_…` on), and arrays of them.
 */
const jsonValueTypes: readonly ColumnType[] = [
  'Bool',
  'Int64',
  'UInt64',
  'Float64',
  'String',
  'Date',
  'DateTime64(9)',
  'Array(Nullable(Bool))',
  'Array(Nullable(Int64))',
  'Array(Nullable(Float64))',
  'Array(Nullable(String))',
  'Array(Dynamic)',
].map(parseColumnType);

/**
 * A source of a Variant or a Dynamic as one of the type that all its values can be read as: the type itself where there is
 * one, a double for several kinds of numbers, a DateTime64 for several kinds of dates, else the text that ClickHouse
 * writes; an array as soon as one of them is an array, as Elasticsearch has it. Other sources are given back. A Dynamic
 * of which no types are known reads as text, and is marked as `unseen`.
 */
export function asOneType(source: ValueSource): ValueSource | NoCommonType {
  const { type } = source;
  if (isMixedType(type)) return oneOfMixed(source);
  const { depth, element } = innermostElement(type);
  if (depth === 0 || !isMixedType(element)) return source;
  const members = membersOf({ ...source, type: element }).types;
  if (element.name === 'Variant' && members.some(isArray))
    return { reason: `its ClickHouse type [${type.text}] is not supported` };
  const target = commonType(members);
  if (typeof target !== 'string') return target;
  const x = column('x');
  const flat = depth > 1 ? call('arrayFlatten', source.expr) : source.expr;
  const read =
    element.name === 'Dynamic' ? castTo(x, target) : coalesced(x, element, members, target);
  return {
    ...source,
    type: parseColumnType(`Array(Nullable(${target}))`),
    expr: call('arrayMap', lambda('x', read), flat),
  };
}

function oneOfMixed(source: ValueSource): ValueSource | NoCommonType {
  const { types, unseen } = membersOf(source);
  const [only] = types;
  if (only !== undefined && types.length === 1 && !isMixedType(innermostElement(only).element))
    return withoutGuard(source, nullableOf(only), elementOf(source, only), false);
  const target = commonType(types);
  if (typeof target !== 'string') return target;
  const arrays = types.some(isArray);
  return arrays
    ? withoutGuard(source, arrayOf(parseColumnType(target)), joined(source, types, target), unseen)
    : withoutGuard(
        source,
        parseColumnType(`Nullable(${target})`),
        coalesced(source.expr, source.type, types, target),
        unseen,
      );
}

/** What a Variant or Dynamic of several types holds of each plain one but String, by the names ClickHouse gives the types. */
export function elementSources(source: ValueSource): readonly ValueSource[] {
  if (!isMixedType(source.type)) return [];
  const types = source.seen ?? declared(source.type);
  return types.length < 2
    ? []
    : types
        .filter(({ text }) => /^\w+$/.test(text) && text !== 'String')
        .map((type) => ({
          ...withoutGuard(source, nullableOf(type), elementOf(source, type), false),
          name: `${source.name}.${type.text}`,
        }));
}

interface Members {
  readonly types: readonly ColumnType[];
  readonly unseen: boolean;
}

function membersOf({ type, seen }: ValueSource): Members {
  if (type.name === 'Variant') return { types: declared(type), unseen: false };
  return seen && seen.length > 0
    ? { types: seen, unseen: false }
    : { types: jsonValueTypes, unseen: true };
}

const declared = (type: ColumnType): readonly ColumnType[] =>
  type.name === 'Variant' ? type.inner : [];

/** An absent value is NULL or an empty array by itself: no guard is needed. */
const withoutGuard = (
  { name }: ValueSource,
  type: ColumnType,
  expr: Expr,
  unseen: boolean,
): ValueSource => ({ name, type, expr, ...(unseen && { unseen }) });

/** NULL, or an empty array, where the value is of another type. */
const elementOf = ({ expr, type }: Pick<ValueSource, 'expr' | 'type'>, member: ColumnType): Expr =>
  call(
    type.name === 'Variant' ? 'variantElement' : 'dynamicElement',
    expr,
    param(member.text, 'String'),
  );

const isArray = ({ name }: ColumnType): boolean => name === 'Array';

/** The first of the elements that is there, as the common type. */
function coalesced(
  expr: Expr,
  type: ColumnType,
  members: readonly ColumnType[],
  target: string,
): Expr {
  const [first, ...more] = members.map((member) =>
    convert(elementOf({ expr, type }, member), member, target),
  );
  return first !== undefined && more.length === 0
    ? first
    : call('coalesce', ...(first ? [first, ...more] : more));
}

/** The values of all elements, single ones as arrays of one. */
function joined(source: ValueSource, members: readonly ColumnType[], target: string): Expr {
  const arrays = members.map((member): Expr => {
    const { depth, element } = innermostElement(member);
    const value = elementOf(source, member);
    const values =
      depth === 0 ? call('array', value) : depth > 1 ? call('arrayFlatten', value) : value;
    const x = column('x');
    const present = call('arrayFilter', lambda('x', call('isNotNull', x)), values);
    const read = call('assumeNotNull', convert(x, element, target));
    return call('arrayMap', lambda('x', read), present);
  });
  return call('arrayConcat', ...arrays);
}

const castTo = (expr: Expr, target: string): Expr =>
  call('CAST', expr, param(`Nullable(${target})`, 'String'));

function convert(expr: Expr, from: ColumnType, target: string): Expr {
  const { name, text } = bareType(from);
  if (text === target) return expr;
  if (name === 'FixedString') return call('toStringCutToZero', expr);
  return castTo(expr, target);
}

const isSmallInteger = ({ name }: ColumnType): boolean =>
  /^(?:Int(?:8|16|32|64)|UInt(?:8|16|32))$/.test(name);
const isUnsigned = ({ name }: ColumnType): boolean => /^UInt(?:8|16|32|64)$/.test(name);
const isNumber = ({ name }: ColumnType): boolean =>
  /^(?:U?Int\d+|B?Float\d+|Decimal\d*)$/.test(name);
const isAddress = ({ name }: ColumnType): boolean => name === 'IPv4' || name === 'IPv6';
/** Date32 is not among them: a DateTime64 fine enough for the others does not reach as far. */
const isMoment = ({ name }: ColumnType): boolean =>
  /^(?:Date|DateTime|DateTime32|DateTime64)$/.test(name);

/** The type that all values can be read as, as ClickHouse writes it; a reason where some are no values but objects. */
function commonType(types: readonly ColumnType[]): string | NoCommonType {
  const elements = types.map((type) => bareType(innermostElement(type).element));
  const object = elements.find(
    (one) => !isMixedType(one) && elasticsearchType(one).type === 'unknown',
  );
  if (object)
    return {
      reason: `it holds values of the ClickHouse type [${object.text}], which is not supported there`,
    };
  const texts = new Set(elements.map(({ text }) => text));
  const [first = 'String'] = texts;
  if (texts.size === 1 && first !== 'Dynamic') return first;
  const every = (test: (type: ColumnType) => boolean): boolean => elements.every(test);
  if (every(isSmallInteger)) return 'Int64';
  if (every(isUnsigned)) return 'UInt64';
  if (every(isNumber)) return 'Float64';
  if (every(isAddress)) return 'IPv6';
  if (every(isMoment)) return `DateTime64(${String(Math.max(3, ...elements.map(digits)))}, 'UTC')`;
  return 'String';
}

const digits = ({ name, literals }: ColumnType): number =>
  name === 'DateTime64' ? Number(literals[0] ?? '3') : 0;
