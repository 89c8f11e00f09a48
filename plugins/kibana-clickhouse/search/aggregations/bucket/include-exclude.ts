import type { Field, FieldType } from '../../../clickhouse/catalog/table';
import {
  and,
  binary,
  call,
  column,
  integer,
  lambda,
  not,
  param,
} from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import {
  aggregationExecution,
  illegalArgument,
  parseError,
} from '../../../common/errors/catalogue';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../common/json/json';
import { regexpFlags, translateRegexp } from '../../queries/text/lucene-regexp';
import { parseField } from '../../request/parse-field';
import { stringOf } from '../../values/field-value';
import { parseIp, printFullIpv6 } from '../../values/ip-value';
import { missingNumber } from '../missing-value';
import { integerOption, option, wrongType } from '../options';
import { asArgument, asShardArgument } from '../plain-error';
import type { TypedValues } from '../typed-values';

/** Terms that count: exact values, a pattern (of RE2), or one of several parts of all terms. */
export type TermFilter =
  | { readonly kind: 'values'; readonly values: readonly JsonValue[] }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'partition'; readonly partition: number; readonly count: number };

export interface IncludeExclude {
  readonly include: TermFilter | undefined;
  readonly exclude: TermFilter | undefined;
}

/**
 * The options `include` and `exclude` of terms: a list of exact values, a regular expression of Lucene for the whole term, or
 * (include alone) a partition (Elasticsearch 7.17 `IncludeExclude`). Throws its errors.
 */
export function parseIncludeExclude(body: JsonObject, type: string): IncludeExclude {
  const include = parseFilter(body, 'include', type);
  const exclude = parseFilter(body, 'exclude', type);
  if (exclude?.kind === 'partition')
    return parseField(type, 'exclude', () => {
      throw parseError('Unrecognized parameter in Include/Exclude clause');
    });
  if (exclude && include?.kind === 'partition')
    return parseField(type, 'exclude', () => {
      throw illegalArgument('Cannot specify any excludes when using a partition-based include');
    });
  return { include, exclude };
}

function parseFilter(body: JsonObject, key: string, type: string): TermFilter | undefined {
  const value = option(body, key);
  if (value === undefined) return undefined;
  if (isJsonArray(value)) return { kind: 'values', values: value };
  if (typeof value === 'string')
    return parseField(type, key, () => ({ kind: 'pattern', pattern: re2(value) }));
  if (isJsonObject(value)) return parseField(type, key, () => parsePartition(value, type));
  throw wrongType(type, key, value);
}

const re2 = (pattern: string): string =>
  asArgument(() => translateRegexp(pattern, { flags: regexpFlags.ALL, foldAscii: false }));

function parsePartition(value: JsonObject, type: string): TermFilter {
  const unknown = Object.keys(value).find((key) => !['partition', 'num_partitions'].includes(key));
  if (unknown !== undefined)
    throw parseError(`Unknown parameter in Include/Exclude clause: ${unknown}`);
  const partition = integerOption(value, 'partition', type);
  const count = integerOption(value, 'num_partitions', type);
  if (partition === undefined)
    throw illegalArgument('Missing [partition] parameter for partition-based include');
  if (count === undefined)
    throw illegalArgument('Missing [num_partitions] parameter for partition-based include');
  if (partition < 0 || partition >= count)
    throw illegalArgument(`Partition must be >=0 and < numPartition which is ${String(count)}`);
  return { kind: 'partition', partition, count };
}

interface FilterContext {
  readonly aggregation: string;
  readonly field: Field | undefined;
  readonly format: string | undefined;
  readonly now: number;
}

/** The values of which a document can have a term; the others are as if they were not there. */
export function filteredValues(
  values: TypedValues,
  { include, exclude }: IncludeExclude,
  context: FilterContext,
): Expr {
  const { expr, multiValued, type } = values;
  if (!include && !exclude) return expr;
  const allowed = (value: Expr): Expr =>
    and([
      ...(include ? [matches(value, include, type, context)] : []),
      ...(exclude ? [not(matches(value, exclude, type, context))] : []),
    ]);
  return multiValued
    ? call('arrayFilter', lambda('x', allowed(column('x'))), expr)
    : call('if', allowed(expr), expr, param(null, 'Nullable(Nothing)'));
}

function matches(value: Expr, filter: TermFilter, type: FieldType, context: FilterContext): Expr {
  switch (filter.kind) {
    case 'values':
      return call('has', valueList(filter.values, type, context), comparable(value, type));
    case 'pattern':
      if (type !== 'keyword') throw noPattern(type, context.aggregation);
      return call('match', value, param(filter.pattern, 'String'));
    case 'partition':
      // which part a term is in is free, as long as it is one of them
      return binary(
        '=',
        call('modulo', call('cityHash64', call('assumeNotNull', value)), integer(filter.count)),
        integer(filter.partition),
      );
  }
}

const noPattern = (type: FieldType, aggregation: string): Error =>
  aggregationExecution(
    `Aggregation [${aggregation}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of ${type === 'ip' ? 'values for include/exclude clauses' : 'numeric values for include/exclude clauses used to filter numeric fields'}`,
  );

/** Numbers are compared as what their list is made of. */
function comparable(value: Expr, type: FieldType): Expr {
  switch (type) {
    case 'keyword':
      return value;
    case 'ip':
      return call('toIPv6', value);
    case 'double':
    case 'float':
      return call('toFloat64', value);
    default:
      return call('toInt128', value);
  }
}

function valueList(values: readonly JsonValue[], type: FieldType, context: FilterContext): Expr {
  if (type === 'keyword') return param(values.map(stringOf), 'Array(String)');
  if (type === 'ip')
    return param(
      values.map((value) => printFullIpv6(asShardArgument(() => parseIp(stringOf(value))))),
      'Array(IPv6)',
    );
  const numbers = values.map((value) => numberOf(value, context));
  if (type === 'double' || type === 'float') return param(numbers.map(Number), 'Array(Float64)');
  // no integer is a fraction
  const integers = numbers.filter((value) => typeof value === 'bigint' || Number.isInteger(value));
  return param(integers.map(BigInt), 'Array(Int128)');
}

function numberOf(value: JsonValue, { field, format, now }: FilterContext): number | bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value) && !field?.time) return BigInt(value);
  return missingNumber(value, field, { format, now });
}
