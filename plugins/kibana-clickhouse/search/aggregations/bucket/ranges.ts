import { alwaysFalse, and, binary, call, column, lambda } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { contentParseError, shardIllegalArgument } from '../../../common/errors/catalogue';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import type { FixedBucket } from '../definition';
import { option, textOption, wrongType } from '../options';

/** A range as a request has it: `from` inclusive, `to` exclusive, absent where open. */
export interface WantedRange {
  readonly key: string | undefined;
  readonly from: JsonValue | undefined;
  readonly to: JsonValue | undefined;
}

/** The option `ranges` of range, date_range and ip_range. Throws Elasticsearch's errors. */
export function parseRanges<T>(
  body: JsonObject,
  names: { readonly type: string; readonly aggregation: string },
  parse: (range: JsonObject) => T,
): readonly T[] {
  const { type, aggregation } = names;
  const given = option(body, 'ranges') ?? [];
  if (!isJsonArray(given)) throw wrongType(type, 'ranges', given);
  if (given.length === 0)
    throw shardIllegalArgument(`No [ranges] specified for the [${aggregation}] aggregation`);
  return parseField(type, 'ranges', () =>
    given.map((range) => {
      if (!isJsonObject(range)) throw wrongType(type, 'ranges', range);
      return parse(range);
    }),
  );
}

/** A range between numbers, or texts that are numbers or dates. */
export function parseRange(range: JsonObject, type: string): WantedRange {
  const unknown = Object.keys(range).find((key) => !['key', 'from', 'to'].includes(key));
  if (unknown !== undefined) throw contentParseError(`[${type}] unknown field [${unknown}]`);
  return {
    key: textOption(range, 'key', type),
    from: bound(range, 'from', type),
    to: bound(range, 'to', type),
  };
}

function bound(range: JsonObject, key: string, type: string): JsonValue | undefined {
  const value = option(range, key);
  if (isJsonArray(value) || isJsonObject(value) || typeof value === 'boolean')
    throw wrongType(type, key, value);
  return value;
}

/** A range whose ends are SQL values; absent where open. */
export interface SqlRange {
  readonly from: Expr | undefined;
  readonly to: Expr | undefined;
}

/** Whether a value of a row, or one of its values, lies in a range; false where there is none. */
export function inRange(
  values: { readonly expr: Expr; readonly multiValued: boolean } | undefined,
  { from, to }: SqlRange,
): Expr {
  if (!values) return alwaysFalse;
  const within = (value: Expr): Expr => {
    const sides = [
      ...(from ? [binary('>=', value, from)] : []),
      ...(to ? [binary('<', value, to)] : []),
    ];
    return sides.length === 0 ? call('isNotNull', value) : and(sides);
  };
  const { expr, multiValued } = values;
  return multiValued ? call('arrayExists', lambda('x', within(column('x'))), expr) : within(expr);
}

/** `buckets` as a list, or by key with `keyed`. */
export function writeRanges(
  heads: readonly (JsonObject & { readonly key: string })[],
  buckets: readonly FixedBucket[],
  keyed: boolean,
): JsonObject {
  const written = heads.map((head, i) => {
    const { docCount = 0, subs = {} } = buckets[i] ?? {};
    return { ...head, doc_count: docCount, ...subs };
  });
  if (!keyed) return { buckets: written };
  const entries = written.map((bucket): [string, JsonObject] => [
    bucket.key,
    Object.fromEntries(Object.entries(bucket).filter(([name]) => name !== 'key')),
  ]);
  return { buckets: Object.fromEntries(entries) };
}
