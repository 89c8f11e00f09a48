import { alwaysTrue, and, isAlwaysFalse, isAlwaysTrue, or } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { shardIllegalArgument } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import type { PlannedSortKey } from './sort-keys';
import type { KeyPlace } from './sort-place';

/** The rows behind those that a client has seen. */
export interface RowsAfter {
  readonly condition: Expr;
  /** What the key that orders first says about it, alone: rows that it puts behind, and those that it does not decide. */
  readonly leading: KeyPlace;
}

/**
 * The rows behind the hit whose sort values `search_after` has, each value in its key's order. Throws Elasticsearch's 400 of a
 * shard where there is not one for each key (7.17 SearchAfterBuilder).
 */
export function rowsAfter(
  keys: readonly PlannedSortKey[],
  values: readonly JsonValue[],
): RowsAfter {
  if (keys.length === 0) throw shardIllegalArgument('Sort must contain at least one field.');
  if (values.length !== keys.length)
    throw shardIllegalArgument(
      `search_after has ${String(values.length)} value(s) but sort has ${String(keys.length)}.`,
    );
  const places = keys.map((key, i) => key.place(values[i] ?? null));
  const first = keys.findIndex(({ orderBy }) => orderBy !== undefined);
  const leading = places.slice(0, first + 1).reduceRight(withinPlace, all);
  return { condition: places.reduceRight(withinPlace, all).behind, leading };
}

/** Of no keys: all rows are equal. */
const all: KeyPlace = { behind: or([]), at: alwaysTrue };

/** The place that a key and those after it say. */
const withinPlace = (rest: KeyPlace, key: KeyPlace): KeyPlace => ({
  behind: either(key.behind, both(key.at, rest.behind)),
  at: both(key.at, rest.at),
});

function both(a: Expr, b: Expr): Expr {
  if (isAlwaysFalse(a) || isAlwaysFalse(b)) return or([]);
  return and([a, b]);
}

function either(a: Expr, b: Expr): Expr {
  if (isAlwaysTrue(a) || isAlwaysTrue(b)) return alwaysTrue;
  return or([a, b]);
}
