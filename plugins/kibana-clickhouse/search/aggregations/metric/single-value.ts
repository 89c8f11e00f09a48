import type { FieldType } from '../../../clickhouse/catalog/table';
import type { Expr } from '../../../clickhouse/sql/nodes';
import type { JsonObject } from '../../../common/json/json';
import { aggregatedField } from '../aggregated-field';
import type {
  AggregationContext,
  AggregationType,
  ColumnScaling,
  OrderColumn,
} from '../definition';
import {
  measurableTypes,
  type NumericValues,
  numericValues,
  parseValues,
  type ValuesOptions,
  valuesOptions,
} from '../numeric-values';
import { checkOptions } from '../options';
import { finiteCell, valueAsString } from '../value-text';

/** A metric of one number: what it asks of ClickHouse and what it says of nothing. */
interface SingleValue {
  readonly name: string;
  /** Default: numbers, booleans and dates. */
  readonly types?: readonly FieldType[];
  /** Options beside `field`, `missing` and `format` that do not change an exact answer. */
  readonly ignored?: readonly string[];
  /** Checks the values of `ignored` options. Throws Elasticsearch's errors. */
  check?(body: JsonObject, aggregation: string): void;
  /** The number; NULL or nan without values. */
  column(values: NumericValues): Expr;
  /** What sampling does to the number; absent: it cannot be estimated from a part of the rows. */
  readonly scaling?: ColumnScaling;
  /** The answer without values. */
  readonly none: number | null;
  /** What a bucket without values counts as in an order. */
  readonly orderMissing: OrderColumn['missing'];
}

/** Makes a metric that answers `{"value": x}`, and `value_as_string` where the field or the request has a format. */
export function singleValueMetric(definition: SingleValue): AggregationType {
  const { name, types = measurableTypes, none, orderMissing } = definition;
  const source = { types, aggregation: name };
  return {
    name,
    parse(body, aggregation) {
      checkOptions(name, body, {
        used: [...valuesOptions, 'script'],
        ignored: ['value_type', ...(definition.ignored ?? [])],
      });
      definition.check?.(body, aggregation);
      const options = parseValues(body, name);
      const column = (context: AggregationContext): Expr | undefined => {
        const values = numericValues(options, source, context);
        return values && definition.column(values);
      };
      const write = (value: number | null, context: AggregationContext): JsonObject => ({
        value,
        ...asText(value, options, source, context),
      });
      return {
        family: 'metric',
        type: name,
        params: options,
        ...(definition.scaling && { scaling: definition.scaling }),
        columns: (context) => {
          // a wrong format is an error even where nothing is printed
          asText(null, options, source, context);
          const wanted = column(context);
          return wanted ? [wanted] : [];
        },
        assemble: (cells, context) => write(finiteCell(cells[0]) ?? none, context),
        empty: (context) => write(none, context),
        orderColumn: (path, context) =>
          path === '' || path === 'value'
            ? { value: column(context), missing: orderMissing }
            : undefined,
      };
    },
  };
}

const asText = (
  value: number | null,
  { field, format }: ValuesOptions,
  source: { readonly types: readonly FieldType[]; readonly aggregation: string },
  context: AggregationContext,
): JsonObject =>
  valueAsString(value, aggregatedField(field, source.types, source.aggregation, context), format);
