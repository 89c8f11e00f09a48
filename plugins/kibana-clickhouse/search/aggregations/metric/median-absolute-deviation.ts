import { illegalArgument } from '../../../common/errors/catalogue';
import { parseField } from '../../request/parse-field';
import { numericTypes } from '../aggregated-field';
import { javaDouble } from '../../values/java-double';
import { doubleOption } from '../options';
import { medianDeviationColumn } from './order-statistics';
import { singleValueMetric } from './single-value';

const name = 'median_absolute_deviation';

/**
 * `{"median_absolute_deviation": {"field": "took"}}`: the median of all values' distances from their median, null of none; both
 * medians by the rule of percentiles (order-statistics.ts). Numbers only. Refused: `script`.
 */
export const medianAbsoluteDeviation = singleValueMetric({
  name,
  types: numericTypes,
  ignored: ['compression'],
  check: (body, aggregation) => {
    parseField(name, 'compression', () => {
      const compression = doubleOption(body, 'compression', name) ?? 1000;
      if (compression <= 0)
        throw illegalArgument(
          `[compression] must be greater than 0. Found [${javaDouble(compression)}] in [${aggregation}]`,
        );
    });
  },
  column: medianDeviationColumn,
  scaling: 'value',
  none: null,
  orderMissing: 'last',
});
