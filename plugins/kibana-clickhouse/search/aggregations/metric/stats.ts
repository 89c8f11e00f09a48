import { binary } from '../../../clickhouse/sql/build';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { aggregatedField } from '../aggregated-field';
import type { AggregationContext, AggregationType, OrderColumn } from '../definition';
import {
  measurableTypes,
  type NumericValues,
  numericValues,
  overValues,
  parseValues,
  valuesOptions,
} from '../numeric-values';
import { checkOptions } from '../options';
import { type ValueFormat, valueFormat } from '../value-text';
import { readSums, type Sums, sumColumns, sumScaling } from './sums';

const name = 'stats';
const source = { types: measurableTypes, aggregation: name };

/**
 * `{"stats": {"field": "bytes"}}`: count, least, largest, mean and sum of all values; of none the count and the sum are 0, the
 * rest is null (Elasticsearch 7.17 `InternalStats`). Refused: `script`.
 */
export const stats: AggregationType = {
  name,
  parse(body) {
    checkOptions(name, body, { used: valuesOptions, ignored: ['value_type'], refused: ['script'] });
    const options = parseValues(body, name);
    const format = (context: AggregationContext): ValueFormat | undefined =>
      valueFormat(aggregatedField(options.field, source.types, name, context), options.format);
    return {
      family: 'metric',
      type: name,
      params: options,
      scaling: sumScaling,
      columns: (context) => {
        format(context);
        const values = numericValues(options, source, context);
        return values ? sumColumns(values) : [];
      },
      assemble: (cells, context) => writeStats(readSums(cells), format(context)),
      empty: () => writeStats(readSums([]), undefined),
      orderColumn: (path, context) => statsOrder(path, numericValues(options, source, context)),
    };
  },
};

/** `count` to `sum`, and their texts where the values have a format. */
export function writeStats({ count, min, max, sum }: Sums, print?: ValueFormat): JsonObject {
  if (count === 0) return { count, min: null, max: null, avg: null, sum: 0 };
  const numbers = { min, max, avg: sum / count, sum };
  const counted = Math.round(count);
  if (!print) return { count: counted, ...numbers };
  const texts = Object.entries(numbers).map(([key, value]) => [
    `${key}_as_string`,
    printed(value, print),
  ]);
  return { count: counted, ...numbers, ...(Object.fromEntries(texts) as JsonObject) };
}

/** The text of a number; Elasticsearch writes those of booleans without quotes here. */
export function printed(value: number, print: ValueFormat): JsonValue {
  const text = print(value);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/** What an order by one of the numbers of `stats` means; undefined for another name. */
export function statsOrder(
  path: string,
  values: NumericValues | undefined,
): OrderColumn | undefined {
  const over = (fn: string) => values && overValues(fn, values);
  switch (path) {
    case 'count':
      return { value: over('count'), missing: 0 };
    case 'min':
      return { value: over('minOrNull'), missing: Infinity };
    case 'max':
      return { value: over('maxOrNull'), missing: -Infinity };
    case 'sum':
      return { value: over('sumKahanOrNull'), missing: 0 };
    case 'avg': {
      const [sum, count] = [over('sumKahanOrNull'), over('count')];
      return { value: sum && count && binary('/', sum, count), missing: 'last' };
    }
    default:
      return undefined;
  }
}
