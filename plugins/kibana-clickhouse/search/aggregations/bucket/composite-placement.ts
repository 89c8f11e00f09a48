import { param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import type { AggregationContext } from '../definition';
import { booleanOption, textOption } from '../options';
import type { KeyPart, PartKind } from './compound-key';
import type { DateRounding } from './date-rounding';

/** A source of a composite for a table. */
export interface ResolvedSource {
  /** Undefined where no document has a value. */
  readonly part: KeyPart | undefined;
  readonly kind: PartKind;
  readonly direction: 'ASC' | 'DESC';
  readonly nulls: 'FIRST' | 'LAST';
  /** A value of a key, from its text. */
  print(text: string): JsonValue;
  /** A value of `after`, as an SQL value. Throws the reason why it is none. */
  readonly read: (value: JsonValue) => Expr;
}

export interface CompositeSource {
  readonly name: string;
  readonly missingBucket: boolean;
  /** Of a source of dates: what they are rounded by. */
  readonly rounding?: DateRounding;
  resolve(context: AggregationContext): ResolvedSource;
}

/** Options that all sources have. */
export const commonOptions = ['field', 'order', 'missing_bucket', 'missing_order'] as const;

/** Where a source stands in the order of keys. */
export interface Placement {
  readonly missingBucket: boolean;
  readonly direction: 'ASC' | 'DESC';
  readonly nulls: 'FIRST' | 'LAST';
}

/** Reads `order`, `missing_bucket` and `missing_order`. Throws Elasticsearch's errors. */
export function parsePlacement(body: JsonObject, type: string): Placement {
  const word = (textOption(body, 'order', type) ?? 'asc').toLowerCase();
  if (word !== 'asc' && word !== 'desc') throw illegalArgument(`Unknown sort order [${word}]`);
  const missingOrder = textOption(body, 'missing_order', type) ?? 'default';
  const missingBucket = booleanOption(body, 'missing_bucket', type) ?? false;
  const standard = word === 'asc' ? 'FIRST' : 'LAST';
  return {
    missingBucket,
    direction: word === 'asc' ? 'ASC' : 'DESC',
    nulls: missingOrder === 'first' ? 'FIRST' : missingOrder === 'last' ? 'LAST' : standard,
  };
}

/** The part of a key that a source gives; all documents lack the values of an unmapped field. */
export const partFor = (
  values: Pick<KeyPart, 'always' | 'expr' | 'multiValued' | 'repeated'> | undefined,
  kind: PartKind,
  { missingBucket }: Placement,
): KeyPart | undefined => {
  if (values) {
    const { expr, multiValued, always = false, repeated = false } = values;
    return { expr, multiValued, always, repeated, kind, nullable: missingBucket };
  }
  const nothing = param(null, 'Nullable(String)');
  return missingBucket ? { expr: nothing, multiValued: false, kind, nullable: true } : undefined;
};
