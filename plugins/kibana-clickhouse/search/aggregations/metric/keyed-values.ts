import type { Expr } from '../../../clickhouse/sql/nodes';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { aggregatedField } from '../aggregated-field';
import type { AggregationContext, MetricNode } from '../definition';
import { javaDouble } from '../../values/java-double';
import { measurableTypes, type NumericValues, numericValues, parseValues } from '../numeric-values';
import { finiteCell, type ValueFormat, valueFormat } from '../value-text';

/** A metric of several numbers, each at a point: percentages, or values whose rank is asked for. */
interface KeyedValues {
  readonly points: readonly number[];
  /** Whether the answer is an object by point, or a list. */
  readonly keyed: boolean;
  /** The numbers at some points, as aggregates. */
  readonly columns: (values: NumericValues, points: readonly number[]) => readonly Expr[];
}

/** Makes a metric that answers `{"values": {"50.0": x}}` or `{"values": [{"key": 50.0, "value": x}]}`. */
export function keyedMetric(name: string, body: JsonObject, definition: KeyedValues): MetricNode {
  const options = parseValues(body, name);
  const source = { types: measurableTypes, aggregation: name };
  const { points, columns } = definition;
  const format = (context: AggregationContext): ValueFormat | undefined =>
    valueFormat(aggregatedField(options.field, source.types, name, context), options.format);
  const write = (values: readonly (number | null)[], print?: ValueFormat): JsonObject => ({
    values: definition.keyed
      ? Object.fromEntries(points.flatMap((point, i) => keyedEntries(point, values[i], print)))
      : points.map((point, i) => listItem(point, values[i], print)),
  });
  return {
    family: 'metric',
    type: name,
    params: { ...options, points },
    scaling: 'value',
    columns: (context) => {
      format(context);
      const values = numericValues(options, source, context);
      return values ? columns(values, points) : [];
    },
    assemble: (cells, context) =>
      write(
        points.map((_, i) => finiteCell(cells[i])),
        format(context),
      ),
    empty: (context) => write([], format(context)),
    orderColumn: (path, context) => {
      const point = points.find((known) => path !== '' && known === Number(path));
      if (point === undefined) return undefined;
      const values = numericValues(options, source, context);
      return { value: values && columns(values, [point])[0], missing: 'last' };
    },
  };
}

function keyedEntries(
  point: number,
  value: number | null | undefined,
  print: ValueFormat | undefined,
): readonly (readonly [string, JsonValue])[] {
  const key = javaDouble(point);
  if (value === null || value === undefined) return [[key, null]];
  return print === undefined
    ? [[key, value]]
    : [
        [key, value],
        [`${key}_as_string`, print(value)],
      ];
}

function listItem(
  key: number,
  value: number | null | undefined,
  print: ValueFormat | undefined,
): JsonObject {
  if (value === null || value === undefined) return { key, value: null };
  return { key, value, ...(print && { value_as_string: print(value) }) };
}
