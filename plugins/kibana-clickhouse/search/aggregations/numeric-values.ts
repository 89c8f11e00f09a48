import type { Field, FieldType } from '../../clickhouse/catalog/table';
import { aggregate, array, call, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import type { JsonObject, JsonValue } from '../../common/json/json';
import { aggregatedField, numericTypes } from './aggregated-field';
import type { AggregationContext } from './definition';
import { eachValue, epochMillis } from './instants';
import { missingNumber, missingOption } from './missing-value';
import { textOption } from './options';
import { fieldOrScript } from './script-source';

/** Types whose values are numbers to a metric: dates are epoch ms, booleans 1 and 0. */
export const measurableTypes: readonly FieldType[] = [
  ...numericTypes,
  'boolean',
  'date',
  'date_nanos',
];

/** What a metric reads, as the request says. */
export interface ValuesOptions {
  readonly field: string;
  /** Stands for the value of a document that has none. */
  readonly missing?: JsonValue;
  readonly format?: string;
}

/** The doubles that a metric reads of a row. */
export interface NumericValues {
  /** Float64, NULL where there is none; of a multi-valued field an array. */
  readonly numbers: Expr;
  readonly multiValued: boolean;
}

/** Names of the options that `parseValues` reads; `value_type` says the type of an unmapped field. */
export const valuesOptions = ['field', 'missing', 'format'] as const;

/** Reads `field`, `missing` and `format` of a metric. Throws Elasticsearch's errors. */
export function parseValues(body: JsonObject, type: string): ValuesOptions {
  const missing = missingOption(body, type);
  const format = textOption(body, 'format', type);
  return {
    field: fieldOrScript(body, type, 'double'),
    ...(missing !== undefined && { missing }),
    ...(format !== undefined && { format }),
  };
}

/**
 * The doubles of a field, `missing` in place of none; undefined for an unmapped field without `missing`. Throws for types
 * other than `types`, naming the aggregation.
 */
export function numericValues(
  options: ValuesOptions,
  source: { readonly types: readonly FieldType[]; readonly aggregation: string },
  context: AggregationContext,
): NumericValues | undefined {
  const field = aggregatedField(options.field, source.types, source.aggregation, context);
  const { missing, format } = options;
  const substitute =
    missing === undefined
      ? undefined
      : param(missingNumber(missing, field, { format, now: context.now }), 'Float64');
  if (!field) return substitute && { numbers: substitute, multiValued: false };
  const numbers = doublesOf(field);
  const { multiValued } = field;
  return { numbers: substitute ? substituted(numbers, substitute, field) : numbers, multiValued };
}

/** A field's values as Float64, each on its own. */
export const doublesOf = (field: Field): Expr =>
  eachValue(field, (value) =>
    call('toFloat64', field.time ? epochMillis(value, field.time) : value),
  );

/** The values of a row, or in place of none another. */
export function substituted(values: Expr, substitute: Expr, field: Field): Expr {
  if (field.multiValued) return call('if', call('empty', values), array([substitute]), values);
  return field.nullable ? call('ifNull', values, substitute) : values;
}

/** An aggregate function over all values: of several in a document each counts. */
export const overValues = (fn: string, { numbers, multiValued }: NumericValues): Expr =>
  aggregate(multiValued ? `${fn}Array` : fn, numbers);
