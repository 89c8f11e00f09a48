import { binary, call, column, lambda, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { shardIllegalArgument, unsupported } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { aggregatedField } from '../aggregated-field';
import type { AggregationContext, AggregationType } from '../definition';
import { missingOption } from '../missing-value';
import {
  measurableTypes,
  type NumericValues,
  numericValues,
  overValues,
  type ValuesOptions,
} from '../numeric-values';
import { checkOptions, objectOption, requiredField, textOption } from '../options';
import { finiteCell, type ValueFormat, valueFormat } from '../value-text';

const name = 'weighted_avg';

interface WeightedParams {
  readonly value: ValuesOptions;
  readonly weight: ValuesOptions;
  readonly format: string | undefined;
}

/**
 * `{"weighted_avg": {"value": {"field": "grade"}, "weight": {"field": "count"}}}`: Σ value·weight / Σ weight over the documents that
 * have both, null of none (Elasticsearch 7.17 `WeightedAvgAggregator`). A weight is one number; each value of a document
 * weighs as much. Refused: `script`, weights of several values.
 */
export const weightedAvg: AggregationType = {
  name,
  parse(body) {
    checkOptions(name, body, { used: ['value', 'weight', 'format'], ignored: ['value_type'] });
    const params: WeightedParams = {
      value: parseSource(body, 'value'),
      weight: parseSource(body, 'weight'),
      format: textOption(body, 'format', name),
    };
    const write = (value: number | null, context: AggregationContext): JsonObject => {
      const print = formatOf(params, context);
      return { value, ...(value !== null && print && { value_as_string: print(value) }) };
    };
    return {
      family: 'metric',
      type: name,
      params,
      scaling: 'value',
      columns: (context) => {
        formatOf(params, context);
        const wanted = weightedMean(params, context);
        return wanted ? [wanted] : [];
      },
      assemble: (cells, context) => write(finiteCell(cells[0]), context),
      empty: (context) => write(null, context),
      orderColumn: (path, context) =>
        path === '' || path === 'value'
          ? { value: weightedMean(params, context), missing: 'last' }
          : undefined,
    };
  },
};

/** A format is for numbers here, dates are such; booleans have none (Elasticsearch 7.17). */
function formatOf(
  { value, format }: WeightedParams,
  context: AggregationContext,
): ValueFormat | undefined {
  if (format === undefined) return undefined;
  const field = aggregatedField(value.field, measurableTypes, name, context);
  return valueFormat(field?.type === 'boolean' ? field : undefined, format);
}

function parseSource(body: JsonObject, key: 'value' | 'weight'): ValuesOptions {
  const source = objectOption(body, key, name);
  if (source === undefined)
    throw shardIllegalArgument(`Could not find field name [${key}] in multiValuesSource`);
  return parseField(name, key, () => {
    checkOptions('field_config', source, {
      used: ['field', 'missing'],
      refused: ['script', 'time_zone', 'filter'],
    });
    const missing = missingOption(source, 'field_config');
    return {
      field: requiredField(source, 'field_config'),
      ...(missing !== undefined && { missing }),
    };
  });
}

function weightedMean(params: WeightedParams, context: AggregationContext): Expr | undefined {
  const [value, weight] = [sourceOf(params.value, context), sourceOf(params.weight, context)];
  if (!value || !weight) return undefined;
  if (weight.multiValued)
    throw unsupported(`several values in the weight of aggregation [${name}]`);
  const [products, weights] = value.multiValued
    ? pairsOfArrays(value.numbers, weight.numbers)
    : pairs(value.numbers, weight.numbers);
  const over = (numbers: Expr): Expr =>
    overValues('sumKahanOrNull', { numbers, multiValued: value.multiValued });
  return binary('/', over(products), over(weights));
}

/** Products, and weights where there is a value: NULL unless both are there. */
const pairs = (value: Expr, weight: Expr): readonly [Expr, Expr] => [
  binary('*', value, weight),
  call('if', call('isNotNull', value), weight, param(null, 'Nullable(Float64)')),
];

/** The same for each of a document's values; none where the weight is missing. */
function pairsOfArrays(values: Expr, weight: Expr): readonly [Expr, Expr] {
  const known = call('ifNull', weight, param(0, 'Float64'));
  const present = call(
    'if',
    call('isNotNull', weight),
    values,
    call('arrayResize', values, param(0, 'UInt8')),
  );
  return [
    call('arrayMap', lambda('x', binary('*', column('x'), known)), present),
    call('arrayWithConstant', call('length', present), known),
  ];
}

/** Fields of a `weighted_avg` are numbers, dates or booleans; Elasticsearch has words of its own for others. */
function sourceOf(options: ValuesOptions, context: AggregationContext): NumericValues | undefined {
  const { table } = context;
  const named = table.field(options.field);
  const field = named?.twin === undefined ? named : table.field(named.twin);
  if (field && !measurableTypes.includes(field.type))
    throw shardIllegalArgument(
      `Expected numeric type on field [${options.field}], but got [${field.type}]`,
    );
  aggregatedField(options.field, measurableTypes, name, context);
  return numericValues(options, { types: measurableTypes, aggregation: name }, context);
}
