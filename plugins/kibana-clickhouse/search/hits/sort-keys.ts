import type { Field, FieldType, Table, TimeEncoding } from '../../clickhouse/catalog/table';
import { alwaysFalse, alwaysTrue, call, column, integer, param } from '../../clickhouse/sql/build';
import type { Expr, OrderBy } from '../../clickhouse/sql/nodes';
import { queryShardError, shardIllegalArgument, unsupported } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { eachValue, epochMillis } from '../aggregations/instants';
import type { FieldSortKey, SortKey } from '../request/search-request';
import type { Cells, HitColumns } from './hit-line';
import type { RowHash } from './row-hash';
import type { Gaps } from './sort-bound';
import { filledKey } from './sort-fill';
import { missingText } from './sort-missing';
import {
  doubleOf,
  type KeyPlace,
  limited,
  numberPlace,
  placeAmongGaps,
  placeOf,
  truncated,
} from './sort-place';
import { sortValue } from './sort-value';

/** One key of the order: how rows are put in it, and how its value is printed in a hit. */
export interface PlannedSortKey {
  /** Absent where the key orders nothing: equal scores, a field that the index does not have. */
  readonly orderBy?: OrderBy;
  /** Of the values that `orderBy` compares; absent where they are no field's. */
  readonly type?: FieldType;
  /** Rows that `orderBy` gives no value to. */
  readonly gaps: Gaps;
  /** JSON text of the sort value. */
  print(cells: Cells): string;
  /** The place of a value of `search_after`. Throws a 400 of a shard for one that is none of the key. */
  place(value: JsonValue): KeyPlace;
}

/** What sort keys are planned for. */
export interface SortContext {
  readonly table: Table;
  readonly columns: HitColumns;
  readonly hash: RowHash;
  /** JSON text of every hit's score. */
  readonly score: string;
}

export function planSortKey(key: SortKey, context: SortContext): PlannedSortKey {
  switch (key.kind) {
    case 'score':
      return {
        gaps: 'none',
        print: () => context.score,
        place: (value) => scorePlace(key, Number(context.score), value),
      };
    case 'doc':
      return docKey(key.order, context);
    case 'field':
      return fieldKey(key, context);
  }
}

/** Index order: a part of the row's hash that is exact in JSON. */
function docKey(order: 'asc' | 'desc', { columns, hash }: SortContext): PlannedSortKey {
  const read = columns.add(hash.high);
  return {
    orderBy: { expr: column(columns.alias(hash.high)), direction: directionOf(order) },
    gaps: 'none',
    print: (cells) => String(Number(read(cells))),
    place: (value) =>
      numberPlace(
        { expr: hash.high, direction: directionOf(order) },
        param(limited(truncated(value, null)), 'Int64'),
      ),
  };
}

function scorePlace(
  { order }: Pick<FieldSortKey, 'order'>,
  score: number,
  value: JsonValue,
): KeyPlace {
  const given = Math.fround(doubleOf(value, '_score'));
  const isBehind = order === 'asc' ? score > given : score < given;
  return {
    behind: isBehind ? alwaysTrue : alwaysFalse,
    at: score === given ? alwaysTrue : alwaysFalse,
  };
}

function fieldKey(key: FieldSortKey, context: SortContext): PlannedSortKey {
  const field = sortField(key.field, context.table);
  if (field === undefined) return unmappedKey(key);
  const type = sortable(field);
  const single = singleValue(field, key);
  const text = sortValue(single, key, context.columns);
  const filled =
    key.missing.kind === 'value' ? filledKey(single, key, key.missing.value) : undefined;
  const missing = filled?.text ?? missingText(type, key);
  const sorted = asSorted(single, key);
  const fill = sorted.nullable ? filled : undefined;
  const expr = fill?.expr ?? orderedExpr(sorted, key);
  const isPlain = expr === sorted.expr;
  const orderBy: OrderBy = {
    expr,
    direction: directionOf(key.order),
    ...(key.missing.kind === 'first' && { nulls: 'FIRST' }),
  };
  const gaps: Gaps = isPlain && sorted.nullable ? 'null' : 'none';
  return {
    orderBy,
    type,
    gaps,
    print: (cells) => text(cells) ?? missing,
    place: (value) =>
      placeOf(
        {
          ...{ key, orderBy, type, field },
          isTime: fill === undefined && sorted.expr === single.expr,
          ...(gaps === 'null' && { gap: missing }),
        },
        value,
      ),
  };
}

/**
 * A date has no more than its ms, and ties in them, whether its column counts finer, or a date_nanos sorts as one (Elasticsearch
 * 7.17).
 */
function asSorted(field: Field, { numericType }: FieldSortKey): Field {
  const { type, time } = field;
  if (time === undefined || !isFiner(time) || (numericType ?? type) === 'date_nanos') return field;
  if (type === 'date_nanos' && numericType !== 'date') return field;
  return { ...field, expr: eachValue(field, (value) => epochMillis(value, time)) };
}

/** Whether a column counts finer than ms. */
const isFiner = (time: TimeEncoding): boolean =>
  time.kind === 'epoch'
    ? time.unit === 'us' || time.unit === 'ns'
    : time.kind === 'datetime64' && time.precision > 3;

/**
 * Rows without a value tie with those that have the very value which stands for it (Elasticsearch 7.17): the ends of 64 bits,
 * the infinities, 1970 of a date_nanos. NaN, which Elasticsearch has not, is no value.
 */
function orderedExpr(field: Field, key: FieldSortKey): Expr {
  const { type, expr, nullable, valueType } = field;
  const isLargest = (key.missing.kind === 'last') === (key.order === 'asc');
  if (type === 'float' || type === 'double') return orderedFloat(field, isLargest);
  if (!nullable) return expr;
  const end = endsOf64Bits[valueType.name]?.[isLargest ? 1 : 0];
  if (end !== undefined && !field.time) return call('ifNull', expr, param(end, valueType.name));
  if (type !== 'date_nanos' || key.numericType === 'date' || isLargest) return expr;
  return call('ifNull', expr, call('fromUnixTimestamp64Nano', param(0, 'Int64')));
}

const endsOf64Bits: Readonly<Record<string, readonly [bigint, bigint]>> = {
  Int64: [-(1n << 63n), (1n << 63n) - 1n],
  UInt64: [0n, (1n << 64n) - 1n],
};

function orderedFloat({ expr, nullable, valueType }: Field, isLargest: boolean): Expr {
  const infinite = isLargest ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const isGap = call('isNaN', expr);
  return call(
    'if',
    nullable ? call('ifNull', isGap, integer(1)) : isGap,
    param(infinite, valueType.name),
    nullable ? call('assumeNotNull', expr) : expr,
  );
}

const directionOf = (order: 'asc' | 'desc'): OrderBy['direction'] =>
  order === 'asc' ? 'ASC' : 'DESC';

/** The field that sorts: a text field sorts by its keyword twin. */
function sortField(name: string, table: Table): Field | undefined {
  const field = table.field(name);
  if (field === undefined && metadataFields.includes(name)) throw unsupported(`sort by [${name}]`);
  const twin = field?.twin === undefined ? undefined : table.field(field.twin);
  return twin ?? field;
}

/** Fields of every index that Elasticsearch can sort by. */
const metadataFields: readonly string[] = ['_id', '_index', '_seq_no', '_shard_doc', '_version'];

function unmappedKey(key: FieldSortKey): PlannedSortKey {
  if (key.unmappedType === undefined) throw noMapping(key.field);
  const type = unmappedTypes.find((known) => known === key.unmappedType);
  if (type === undefined) throw queryShardError(`No mapper found for type [${key.unmappedType}]`);
  const text = missingText(type, key);
  return {
    gaps: 'none',
    print: () => text,
    place: (value) => placeAmongGaps(key, text, value),
  };
}

const noMapping = (field: string): Error =>
  queryShardError(`No mapping found for [${field}] in order to sort on`);

const unmappedTypes: readonly FieldType[] = [
  'boolean',
  'byte',
  'date',
  'date_nanos',
  'double',
  'float',
  'integer',
  'ip',
  'keyword',
  'long',
  'short',
  'unsigned_long',
];

function sortable(field: Field): FieldType {
  if (field.refusal !== undefined)
    throw shardIllegalArgument(`can't sort on [${field.name}]: ${field.refusal}`);
  if (field.unseen)
    throw shardIllegalArgument(
      `can't sort on [${field.name}]: the type of its values is not known`,
    );
  if (field.type === 'object') throw noMapping(field.name);
  if (field.type === 'geo_point')
    throw shardIllegalArgument(
      "can't sort on geo_point field without using specific sorting feature, like geo_distance",
    );
  return field.type;
}

/** Of several values the one that sorts: by default the smallest ascending, the largest descending. */
function singleValue(field: Field, { order, mode }: FieldSortKey): Field {
  if (!field.multiValued) return field;
  const smallest = (mode ?? (order === 'asc' ? 'min' : 'max')) === 'min';
  const sorted = call(smallest ? 'arraySort' : 'arrayReverseSort', field.expr);
  const first = call('arrayElement', sorted, integer(1));
  return {
    ...field,
    expr: call('if', call('notEmpty', field.expr), first, param(null, 'Nullable(Nothing)')),
    multiValued: false,
    nullable: true,
  };
}
