import { overValues } from '../numeric-values';
import { singleValueMetric } from './single-value';

/**
 * `{"sum": {"field": "bytes"}}`: the sum of all values as a double, 0 of none, added with Kahan's compensation
 * (Elasticsearch 7.17 `SumAggregator`).
 */
export const sum = singleValueMetric({
  name: 'sum',
  column: (values) => overValues('sumKahanOrNull', values),
  scaling: 'sum',
  none: 0,
  orderMissing: 0,
});
