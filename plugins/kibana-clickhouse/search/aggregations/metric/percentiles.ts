import type { Expr } from '../../../clickhouse/sql/nodes';
import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import type { AggregationType } from '../definition';
import { javaDouble } from '../../values/java-double';
import { type NumericValues, valuesOptions } from '../numeric-values';
import { booleanOption, checkOptions } from '../options';
import { keyedMetric } from './keyed-values';
import { nearestRankColumns, percentileColumns } from './order-statistics';
import { failedBuild, numbersOption, parseMethod } from './percentile-options';

const name = 'percentiles';
const standardPercents = [1, 5, 25, 50, 75, 95, 99];

/**
 * `{"percentiles": {"field": "took", "percents": [50, 95]}}`: the values that those percentages of all values do not exceed; null
 * of none. Exact as Elasticsearch 7.17's TDigest is up to some hundred values, an estimate beyond (order-statistics.ts).
 * `hdr` is taken: of its ranges the value that occurs is given. Refused: `script`.
 */
export const percentiles: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, {
      used: [...valuesOptions, 'percents', 'keyed', 'tdigest', 'hdr'],
      ignored: ['value_type', 'compression', 'number_of_significant_value_digits', 'method'],
      refused: ['script'],
    });
    const method = parseMethod(body, name);
    const percents = parsePercents(body, aggregation);
    const columns = (values: NumericValues, wanted: readonly number[]): readonly Expr[] =>
      method === 'hdr' ? nearestRankColumns(values, wanted) : percentileColumns(values, wanted);
    return keyedMetric(name, body, {
      points: percents,
      keyed: booleanOption(body, 'keyed', name) ?? true,
      columns,
    });
  },
};

function parsePercents(body: JsonObject, aggregation: string): readonly number[] {
  const percents = numbersOption(body, 'percents', name) ?? standardPercents;
  if (percents.length === 0)
    throw failedBuild(name, illegalArgument(`[percents] must not be empty: [${aggregation}]`));
  const wrong = percents.find((percent) => !(percent >= 0 && percent <= 100));
  if (wrong === undefined) return percents.toSorted((a, b) => a - b);
  throw failedBuild(
    name,
    illegalArgument(`percent must be in [0,100], got [${javaDouble(wrong)}]: [${aggregation}]`),
  );
}
