import type { Field, FieldType, Table } from '../../clickhouse/catalog/table';
import { call, column, integer, param } from '../../clickhouse/sql/build';
import type { Expr, OrderBy } from '../../clickhouse/sql/nodes';
import { queryShardError, shardIllegalArgument, unsupported } from '../../common/errors/catalogue';
import { eachValue, epochMillis } from '../aggregations/instants';
import type { FieldSortKey, SortKey } from '../request/search-request';
import type { Cells, HitColumns } from './hit-line';
import type { RowHash } from './row-hash';
import type { Gaps } from './sort-bound';
import { filledKey } from './sort-fill';
import { missingText } from './sort-missing';
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
      return { gaps: 'none', print: () => context.score };
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
  const expr = sorted.nullable ? (filled?.expr ?? orderedExpr(sorted, key)) : sorted.expr;
  return {
    orderBy: {
      expr,
      direction: directionOf(key.order),
      ...(key.missing.kind === 'first' && { nulls: 'FIRST' }),
    },
    type,
    gaps: gapsOf(type, sorted.nullable && expr === sorted.expr),
    print: (cells) => text(cells) ?? missing,
  };
}

/** A date_nanos that sorts as a date has no more than its ms, and ties in them (Elasticsearch 7.17). */
function asSorted(field: Field, { numericType }: FieldSortKey): Field {
  const { type, time } = field;
  if (type !== 'date_nanos' || numericType !== 'date' || time === undefined) return field;
  return { ...field, expr: eachValue(field, (value) => epochMillis(value, time)) };
}

/** A missing date_nanos that sorts as the smallest is 1970 itself and ties with it (Elasticsearch 7.17). */
function orderedExpr({ type, expr }: Field, { missing, order, numericType }: FieldSortKey): Expr {
  const isSmallest = (missing.kind === 'first') === (order === 'asc');
  if (type !== 'date_nanos' || numericType === 'date' || !isSmallest) return expr;
  return call('ifNull', expr, call('fromUnixTimestamp64Nano', param(0, 'Int64')));
}

const gapsOf = (type: FieldType, nullable: boolean): Gaps =>
  type === 'float' || type === 'double' ? 'nan' : nullable ? 'null' : 'none';

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
  return { gaps: 'none', print: () => text };
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
