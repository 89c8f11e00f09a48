import type { Cell } from '../../../clickhouse/execution/executor';
import {
  and,
  array,
  binary,
  call,
  column,
  integer,
  lambda,
  or,
  param,
} from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';

/** How the values of a part are compared. */
export type PartKind = 'text' | 'integer' | 'double' | 'ip';

/** One of several values that make a key together. */
export interface KeyPart {
  /** NULL where there is none; of a multi-valued part an array. */
  readonly expr: Expr;
  readonly multiValued: boolean;
  /** Whether every document has one value: `expr` is never NULL. */
  readonly always?: boolean;
  readonly kind: PartKind;
  /** Whether a document without a value has the key null there, or no key at all. */
  readonly nullable: boolean;
  /** Whether a document counts once for each of its values in a bucket, not once for all of them. */
  readonly repeated?: boolean;
}

/**
 * A key of several parts as one column: a JSON list of texts, such as `["web-1","42"]`, null for what is missing. With
 * multi-valued parts an array of the keys of all combinations.
 */
export function compoundKey(parts: readonly KeyPart[]): {
  readonly key: Expr;
  readonly keys: 'single' | 'expanded';
} {
  return parts.some(({ multiValued }) => multiValued)
    ? { key: combinations(parts), keys: 'expanded' }
    : { key: singleKey(parts), keys: 'single' };
}

const text = (value: string): Expr => param(value, 'String');
/** Plain text: a dictionary's (LowCardinality) cannot be read as JSON where NULL is possible. */
const encoded = (value: Expr): Expr =>
  call('toJSONString', call('CAST', value, text('Nullable(String)')));
const orNull = (value: Expr): Expr => call('ifNull', encoded(value), text('null'));

/** A single value. Of a dictionary that has no NULL each entry is written once, not each row: twice as fast. */
const singleText = ({ expr, always }: KeyPart): Expr =>
  always === true ? call('toJSONString', call('toString', expr)) : orNull(expr);

function singleKey(parts: readonly KeyPart[]): Expr {
  const texts = parts.flatMap((part, i) => [text(i === 0 ? '[' : ','), singleText(part)]);
  // plain text again: a dictionary's that may be NULL in a group cannot be read as JSON
  const key = call('CAST', call('concat', ...texts, text(']')), text('String'));
  const needed = parts.filter(({ nullable, always }) => !nullable && always !== true);
  if (needed.length === 0) return key;
  const present = and(needed.map(({ expr }) => call('isNotNull', expr)));
  return call('if', present, key, param(null, 'Nullable(String)'));
}

function combinations(parts: readonly KeyPart[]): Expr {
  const starts = array([text('')]);
  const all = parts.reduce<Expr>((before, part, i) => {
    const longer = call('concat', column('start'), text(i === 0 ? '' : ','), column('value'));
    const each = call('arrayMap', lambda('value', longer), textsOf(part));
    return call('arrayFlatten', call('arrayMap', lambda('start', each), before));
  }, starts);
  const closed = call('concat', text('['), column('key'), text(']'));
  return call('arrayMap', lambda('key', closed), all);
}

/** The texts of a part's values. */
function textsOf({ expr, multiValued, nullable, repeated }: KeyPart): Expr {
  if (!multiValued) {
    const one = array([orNull(expr)]);
    const none = call('arrayResize', one, integer(0));
    return nullable ? one : call('if', call('isNotNull', expr), one, none);
  }
  const all = call('arrayMap', lambda('element', encoded(column('element'))), expr);
  const texts = repeated === true ? all : call('arrayDistinct', all);
  return nullable ? call('if', call('empty', expr), array([text('null')]), texts) : texts;
}

/** Reads a part of a key, from 0 on, as what its values are compared by; NULL for null. */
export function partOf(key: Expr, index: number, kind: PartKind): Expr {
  const place = integer(index + 1);
  const value = call('JSONExtractString', key, place);
  const isNull = binary('=', call('JSONType', key, place), text('Null'));
  return call('if', isNull, param(null, 'Nullable(Nothing)'), typed(value, kind));
}

function typed(value: Expr, kind: PartKind): Expr {
  switch (kind) {
    case 'text':
      return value;
    case 'integer':
      return call('toInt128OrNull', value);
    case 'double':
      return call('toFloat64OrNull', value);
    case 'ip':
      return call('toIPv6OrNull', value);
  }
}

/** A part of the key after which others are wanted. */
export interface AfterPart {
  /** As an SQL value of the part's kind; undefined: null. */
  readonly value: Expr | undefined;
  readonly kind: PartKind;
  readonly direction: 'ASC' | 'DESC';
  readonly nulls: 'FIRST' | 'LAST';
}

/** Whether a key comes after another in an order of its parts. */
export function isAfter(key: Expr, after: readonly AfterPart[]): Expr {
  return or(
    after.map((part, i) =>
      and([
        ...after.slice(0, i).map((before, at) => equals(key, before, at)),
        follows(key, part, i),
      ]),
    ),
  );
}

function equals(key: Expr, { value, kind }: AfterPart, index: number): Expr {
  const part = partOf(key, index, kind);
  return value ? call('ifNull', binary('=', part, value), integer(0)) : call('isNull', part);
}

function follows(key: Expr, { value, kind, direction, nulls }: AfterPart, index: number): Expr {
  const part = partOf(key, index, kind);
  if (!value) return nulls === 'FIRST' ? call('isNotNull', part) : integer(0);
  const beyond = binary(direction === 'ASC' ? '>' : '<', part, value);
  return call('ifNull', beyond, integer(nulls === 'LAST' ? 1 : 0));
}

/** The texts of a key as it came back, null for what is missing. */
export const keyTexts = (key: Cell): readonly (string | null)[] =>
  typeof key === 'string' ? (JSON.parse(key) as readonly (string | null)[]) : [];
