import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import type { AggregationType } from '../definition';
import { valuesOptions } from '../numeric-values';
import { booleanOption, checkOptions } from '../options';
import { keyedMetric } from './keyed-values';
import { countedRankColumns, rankColumns } from './order-statistics';
import { failedBuild, numbersOption, parseMethod } from './percentile-options';

const name = 'percentile_ranks';

/**
 * `{"percentile_ranks": {"field": "took", "values": [500, 600]}}`: the percentage of all values that is not above each; null of
 * none (order-statistics.ts). Refused: `script`.
 */
export const percentileRanks: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, {
      used: [...valuesOptions, 'values', 'keyed', 'tdigest', 'hdr'],
      ignored: ['value_type'],
      refused: ['script'],
    });
    const method = parseMethod(body, name);
    const values = parseWanted(body, aggregation);
    return keyedMetric(name, body, {
      points: values,
      keyed: booleanOption(body, 'keyed', name) ?? true,
      columns: method === 'hdr' ? countedRankColumns : rankColumns,
    });
  },
};

function parseWanted(body: JsonObject, aggregation: string): readonly number[] {
  const values = numbersOption(body, 'values', name);
  if (values === undefined)
    throw failedBuild(name, illegalArgument(`[values] must not be null: [${aggregation}]`));
  if (values.length === 0)
    throw failedBuild(
      name,
      illegalArgument(`[values] must not be an empty array: [${aggregation}]`),
    );
  return values.toSorted((a, b) => a - b);
}
