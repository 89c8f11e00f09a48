import type { Field, Table } from '../../clickhouse/catalog/table';
import {
  alwaysFalse,
  alwaysTrue,
  and,
  binary,
  eq,
  literals,
  or,
  param,
} from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { type DocumentIdParts, parseDocumentId } from '../hits/document-id';
import { rowHash } from '../hits/row-hash';
import { inSpan } from '../values/date-bound';

/** Up to here each id gives its own time; more give the span from the first to the last. */
const maximumMoments = 32;

/**
 * True for the documents that have one of the ids: by the time in them, which prunes what is read, and by the hash of the
 * row. Ids that the gateway never gives match nothing.
 */
export function hasDocumentId(table: Table, ids: readonly string[]): Expr {
  const distinct = [...new Set(ids)];
  const parts = distinct.map(parseDocumentId).filter((part) => part !== undefined);
  const [first] = parts;
  if (first === undefined) return alwaysFalse;
  const { high, low } = rowHash(table);
  // the halves of two ids may be mixed: no more likely than two rows with one hash
  const hash = and([equalsAny(high, parts, 'high'), equalsAny(low, parts, 'low')]);
  return and([atTimes(table, parts), hash]);
}

function equalsAny(expr: Expr, parts: readonly DocumentIdParts[], half: 'high' | 'low'): Expr {
  const values = parts.map((part) => part[half]);
  const [only] = values;
  if (values.length === 1 && only !== undefined) return eq(expr, param(only, 'UInt64'));
  return binary('IN', expr, literals(values, 'UInt64'));
}

/** Open where the table has no time, or where an id stands for a row without one. */
function atTimes(table: Table, parts: readonly DocumentIdParts[]): Expr {
  const field = table.timeField === undefined ? undefined : table.field(table.timeField);
  const times = parts.map(({ timeMs }) => timeMs).filter((time) => time !== undefined);
  if (field?.time === undefined || field.multiValued || times.length < parts.length)
    return alwaysTrue;
  if (times.length <= maximumMoments) return or([...new Set(times)].map((time) => at(field, time)));
  const sorted = times.toSorted((a, b) => a - b);
  return at(field, sorted[0] ?? 0, sorted.at(-1));
}

function at(field: Field, firstMs: number, lastMs: number = firstMs): Expr {
  const span = {
    from: BigInt(firstMs) * 1_000_000n,
    to: BigInt(lastMs) * 1_000_000n + 999_999n,
  };
  return inSpan(field, span)(field.expr);
}
